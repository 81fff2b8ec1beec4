// The observer of races. Two warps that touch the same bytes of shared memory or the same cells of tensor
// memory, one of them to write, must be ordered: the first did something that the second has heard of since.
// Each warp has a clock that ticks when it releases a sync point, and knows of every other warp how far it
// had come when it last heard of it, directly or through others (vector clocks; knowledge.hpp):
//
//     warp 0: st.shared [A]; bar.sync 0                      the barrier carries "warp 0 has come to 1"
//     warp 1:                bar.sync 0; ld.shared [A]       written at 0 by warp 0, known up to 1: fine
//
// Of tensor memory a warp must also have waited for its access, and what it hears counts only between
// tcgen05.fence::before_thread_sync on the one side and ::after_thread_sync on the other. A deallocation
// needs all accesses to be waited for and the barrier, but no fences. The lanes of one warp are ordered.
// Source: PTX ISA 8 (memory consistency model), 9.7.16.6 (tcgen05). Not here: global memory; messages of one
// warp that have not been waited for (hazards.hpp).
#pragma once

#include "emulator/observer.hpp"

#include <memory>

namespace tmemc::emulator {

[[nodiscard]] std::unique_ptr<Observer> make_races();

} // namespace tmemc::emulator
