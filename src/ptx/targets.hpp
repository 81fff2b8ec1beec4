// The targets that have tcgen05, one row each (targets.def), and the PTX version from which each is known.
// Source: PTX ISA release notes 8.6 to 9.0, checked against ptxas 13.0 (tests/unit/ptx/opcodes_test.cpp).
#pragma once

#include "ptx/module.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::ptx {

struct TargetRow {
    std::string_view name;    // "sm_100a"
    int capability = 0;       // times 10: 100 is compute capability 10.0
    Version tcgen05_since;    // lowest .version with which this target takes tcgen05.ld and st
    bool load_reduce = false; // has tcgen05.ld.red
};

[[nodiscard]] std::span<const TargetRow> target_rows();
/// The row, or null for a target that is unknown or has no tensor memory.
[[nodiscard]] const TargetRow* target(std::string_view name);
/// Every name, for "did you mean" and for lists in diagnostics: sm_100a, sm_100f, ...
[[nodiscard]] std::vector<std::string> target_names();

} // namespace tmemc::ptx
