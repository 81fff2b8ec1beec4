// The targets that code is made for, one row each (targets.def), with the PTX version from which each is
// known and whether it has tcgen05: only the `a` and `f` targets of compute capability 10 and 11 do. The
// others are for programs that keep tensor memory elsewhere. Source: PTX ISA release notes 6.3 to 9.0,
// checked against ptxas 13.0 (tests/unit/ptx/opcodes_test.cpp).
#pragma once

#include "ptx/module.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::ptx {

struct TargetRow {
    std::string_view name;      // "sm_100a"
    int capability = 0;         // times 10: 100 is compute capability 10.0
    Version since;              // lowest .version that takes the target, and tcgen05 where it has that
    bool tensor_memory = false; // has tcgen05
    bool load_reduce = false;   // has tcgen05.ld.red
};

[[nodiscard]] std::span<const TargetRow> target_rows();
/// The row, or null for a target that is unknown.
[[nodiscard]] const TargetRow* target(std::string_view name);
/// Every name, or those with tensor memory, for "did you mean" and for lists in diagnostics.
[[nodiscard]] std::vector<std::string> target_names(bool only_with_tensor_memory);

} // namespace tmemc::ptx
