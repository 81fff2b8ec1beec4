// The order of execution. Inside a warp: groups of lanes that diverge at branches and meet again (warp.hpp).
// Between warps: one runs until it waits at a barrier, waits for columns, exits or has used up its slice;
// then the next. A CTA in which every warp waits is deadlocked.
#pragma once

#include "emulator/warp.hpp"

namespace tmemc::emulator {

/// Warp instructions between two looks at the clock and the step limit.
inline constexpr std::uint64_t slice_steps = 1 << 16;

/// Sends the lanes of the mask to instruction `target`.
void branch(Warp& warp, std::uint32_t target, Mask mask);
/// Ends the lanes of the mask.
void leave(Warp& warp, const Instruction& instruction, Mask mask);
/// The warp comes to a barrier and waits there until `threads` threads have (0: all that have not exited).
void arrive(Warp& warp, std::uint32_t number, std::uint32_t threads);

/// Runs the warp until something stops it.
void run_warp(Warp& warp);

/// Gives an outstanding load's registers their values, now.
void deliver_load(Warp& warp, std::size_t index);
/// Lets every outstanding store of the warp take effect, now.
void land_stores(Warp& warp);

} // namespace tmemc::emulator
