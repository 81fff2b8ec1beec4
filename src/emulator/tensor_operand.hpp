// What the tcgen05 operations have in common: they need all 32 threads of the warp, and operands that agree
// in them.
#pragma once

#include "emulator/warp.hpp"

#include <optional>
#include <string_view>

namespace tmemc::emulator {

/// False, and a fault, unless all 32 threads of the warp take part; those that exited count against it.
[[nodiscard]] bool whole_warp(Warp& warp, const Instruction& instruction, Mask mask);
/// The value that in[operand] has in every lane; a fault when lanes differ. `what` names it.
[[nodiscard]] std::optional<std::uint32_t> uniform_operand(Warp& warp, const Instruction& instruction,
                                                           Mask mask, std::size_t operand,
                                                           std::string_view what);

// operations_allocate.cpp
void allocate_columns(Warp& warp, const Instruction& instruction, Mask mask);
void free_columns(Warp& warp, const Instruction& instruction, Mask mask);
void relinquish_permit(Warp& warp, const Instruction& instruction, Mask mask);

} // namespace tmemc::emulator
