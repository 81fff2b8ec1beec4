// One kernel's text, played through once per CTA that matters. Warps stop in front of every statement and
// behind it. At a statement exactly the warps it belongs to must stand there; each warpgroup of them runs its
// lines alone (all together when it is `sync`), and is compared. In the gaps they run on to the next stop,
// and must have met exactly the waits that the schedule inserts there.
#pragma once

#include "emulator/machine.hpp"
#include "verify/outline.hpp"

#include <memory>

namespace tmemc::verify {

struct Score {
    const sema::Kernel& kernel;
    const order::KernelSchedule& schedule;
    const space::KernelSpace& space;
    const lower::KernelTrace& trace;
    const Outline& outline;
    std::shared_ptr<const emulator::Executable> executable;
    const emulator::KernelSignature& signature;
    Memory memory{};
};

/// The first mismatch.
[[nodiscard]] std::optional<Mismatch> play(const Score& score);

} // namespace tmemc::verify
