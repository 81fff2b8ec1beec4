// Calls, returns and jumps by table, lane by lane (calls.hpp says how frames lie). Not here: how their text
// is decoded (decode_calls.cpp), how lanes that part meet again (schedule.hpp).
#pragma once

#include "emulator/instruction.hpp"

namespace tmemc::emulator {

/// detail: the call.
void call_function(Warp& warp, const Instruction& instruction, Mask mask);
void return_from_function(Warp& warp, const Instruction& instruction, Mask mask);
/// in[0]: the number of the target; detail and immediate: first and count of the targets.
void branch_by_table(Warp& warp, const Instruction& instruction, Mask mask);

} // namespace tmemc::emulator
