// What a launch does with a CTA. It is prepared once for each worker, and then begun and run for each CTA
// that the worker takes: its warps have turns, one instruction at a time, until all have ended, one has a
// fault, or none can go on. A warp may also wait for columns of tensor memory, so the scheduler asks here
// whether the allocation would now find room. Not here: which lanes of a warp go on together (schedule.hpp).
#pragma once

#include "emulator/warp.hpp"

namespace tmemc::emulator {

struct GridResult {
    std::optional<Fault> fault; // of the lowest CTA that has one
    std::uint64_t thread_instructions = 0;
};
/// Runs every CTA of the launch (schedule_grid.cpp).
[[nodiscard]] GridResult run_grid(Run& run);

/// Makes the warps, registers and memories of a CTA, once per worker of a launch.
void prepare_cta(Cta& cta, Run& run);
/// Runs CTA number `id` to its end, or to its first fault, which it leaves in cta.fault.
void run_cta(Cta& cta, Dimensions id);
/// The two halves of it: before the first instruction, and one turn of a warp that can go on; false when the
/// CTA is over with it.
void begin_cta(Cta& cta, Dimensions id);
[[nodiscard]] bool turn(Warp& warp);
/// True when nothing but itself keeps the warp from going on.
[[nodiscard]] bool can_run(const Warp& warp);

// operations_allocate.cpp
/// Whether the allocation that the warp waits for would now find room.
[[nodiscard]] bool can_allocate(const Warp& warp);
void raise_no_room(Warp& warp, const Instruction& instruction);
/// At the end of a CTA: every column must have been deallocated.
void raise_if_leaked(Cta& cta);

} // namespace tmemc::emulator
