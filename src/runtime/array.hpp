// A tensor on the host: dtype, shape and bytes, row-major, dense. Element [r, c] of f16[128, 8] is number 8*r
// + c and the 16 bits from byte 2*(8*r + c) on. Everything that gives or takes tensors speaks in arrays:
// generators, .npy files, launches, comparisons. Elements are bits here; what number they are is
// element.hpp's.
#pragma once

#include "base/dtype.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tmemc::runtime {

struct Array {
    base::Dtype dtype{};
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
    [[nodiscard]] std::int64_t elements() const;
    /// The bits of element `index` (row-major), in the low bits.
    [[nodiscard]] std::uint32_t get(std::int64_t index) const;
    void set(std::int64_t index, std::uint32_t bits);
    bool operator==(const Array&) const = default;
};
[[nodiscard]] Array make_array(base::Dtype dtype, std::vector<std::int64_t> shape); // zeros
[[nodiscard]] std::string to_string(base::Dtype dtype,
                                    const std::vector<std::int64_t>& shape); // "f16[128, 8]"

} // namespace tmemc::runtime
