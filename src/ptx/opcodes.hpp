// The instructions that the compiler emits, one row each (opcodes.def), with what they need. A module's
// .version is the lowest that its target and its instructions take, so that an older driver or ptxas is
// refused only what it really lacks: a kernel whose accesses are all 16 bytes wide is PTX 8.6 on sm_100a,
// with ld.global.v8.b32 it is 8.8.
#pragma once

#include "ptx/module.hpp"
#include "ptx/targets.hpp"

#include <span>
#include <string_view>

namespace tmemc::ptx {

/// sm_100: compute capability 10.0 or later, and so on.
enum class Feature : std::uint8_t { any, sm_80, sm_89, sm_90, sm_100, tensor_memory, load_reduce };

struct OpcodeRow {
    std::string_view name; // "(a|b)" stands for either
    Version since;
    Feature feature{};
    std::string_view section; // of the PTX ISA
    std::string_view probe;   // an example that assembles
};

[[nodiscard]] std::span<const OpcodeRow> opcode_rows();
/// The row that a full name belongs to, or null.
[[nodiscard]] const OpcodeRow* opcode(std::string_view name);
/// Whether code for the target may hold what needs the feature.
[[nodiscard]] bool has(const TargetRow& target, Feature feature);
/// The lowest .version for the module's target and instructions; both must have rows.
[[nodiscard]] Version required_version(const Module& module);

} // namespace tmemc::ptx
