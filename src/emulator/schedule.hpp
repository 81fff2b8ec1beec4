// The order of execution. Inside a warp: groups of lanes that diverge at branches and meet again (warp.hpp).
// Between warps: one runs until it waits at a barrier, waits for columns, exits or has used up its slice;
// then the next. A CTA in which every warp waits is deadlocked.
#pragma once

#include "emulator/warp.hpp"

namespace tmemc::emulator {

/// Warp instructions between two looks at the clock and the step limit.
inline constexpr std::uint64_t slice_steps = 1 << 16;
/// The same where lanes of one warp take turns, for they may spin until one of them goes on.
inline constexpr std::uint64_t turn_steps = 1 << 8;

/// Sends the lanes of the mask to instruction `target`.
void branch(Warp& warp, std::uint32_t target, Mask mask);
/// Sends each lane of the mask to the instruction that `targets` has for it.
void branch_each(Warp& warp, const std::array<std::uint32_t, warp_size>& targets, Mask mask);
/// Ends the lanes of the mask.
void leave(Warp& warp, const Instruction& instruction, Mask mask);
/// What a thread does when it has arrived: it waits, goes on and never waits, or may wait later on.
enum class AtBarrier : std::uint8_t { wait, pass, wait_later };
enum class BarrierReduction : std::uint8_t { none, popc, all, any }; // Instruction::detail of a barrier
struct Arrival {
    std::uint32_t number = 0;
    std::uint32_t threads = 0; // that it waits for; 0: all that have not exited
    AtBarrier then = AtBarrier::wait;
    std::uint32_t ayes = 0, noes = 0; // of the lanes' predicates
};
void arrive(Warp& warp, const Instruction& instruction, Mask mask, const Arrival& arrival);
/// Lets the other lanes and warps have a turn: for lanes that spin.
void yield(Warp& warp);

/// The lanes of the mask, among those that run, wait until barrier `number` lets them go on.
void wait_at_barrier(Warp& warp, Mask mask, std::uint32_t number);
/// Lanes of the warp have been let go on by a barrier.
void resume(Warp& warp);

/// Runs the warp until something stops it.
void run_warp(Warp& warp);

/// Gives an outstanding load's registers their values, now.
void deliver_load(Warp& warp, std::size_t index);
/// Lets every outstanding store of the warp take effect, now.
void land_stores(Warp& warp);

} // namespace tmemc::emulator
