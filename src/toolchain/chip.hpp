// Which code runs on which chip. A name such as sm_103a is a compute capability, 10.3, and perhaps a letter:
//
//     PTX sm_90      runs on 9.0 and on every later chip, once it is assembled for it
//     PTX sm_100f    runs on the chips of its family: 10.0, 10.3
//     sm_100a        runs on 10.0 and nowhere else, PTX and machine code alike
//     cubin sm_80    runs on 8.0, 8.6, 8.9: the chips of the same first number that are not older
//
// Source: CUDA C++ Programming Guide, "Compute capabilities" and "Feature set compiler targets". Not here:
// which of them have tensor memory (ptx/targets.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tmemc::toolchain {

struct Chip {
    int capability = 0; // times 10: 103 is 10.3
    char suffix = 0;    // 'a', 'f' or none
    bool operator==(const Chip&) const = default;
};

[[nodiscard]] std::optional<Chip> chip_named(std::string_view name);
[[nodiscard]] std::string to_string(const Chip& chip);     // "sm_103a"
[[nodiscard]] std::string capability_text(int capability); // "10.3"

/// `capability` is of the GPU.
[[nodiscard]] bool machine_code_runs(const Chip& code, int capability);
[[nodiscard]] bool ptx_runs(const Chip& text, int capability);
/// What PTX for `text` is assembled for, to run on the GPU.
[[nodiscard]] Chip assembled_for(const Chip& text, int capability);

} // namespace tmemc::toolchain
