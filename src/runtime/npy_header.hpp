// The header of a .npy file, a Python dict literal with exactly three keys, taken apart without trust:
//
//     {'descr': '<f2', 'fortran_order': False, 'shape': (128, 8), }
//
// Not here: the bytes around it (npy.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tmemc::runtime {

struct NpyHeader {
    std::string descr;
    bool fortran_order = false;
    std::vector<std::int64_t> shape; // none negative
    bool operator==(const NpyHeader&) const = default;
};

/// The header, or one sentence that says what is wrong with it.
[[nodiscard]] std::variant<NpyHeader, std::string> read_npy_header(std::string_view text);

} // namespace tmemc::runtime
