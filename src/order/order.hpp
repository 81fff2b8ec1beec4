// In which order things happen. A load or store of tensor memory is complete only at a wait of its kind, and
// what one warpgroup did, another may rely on only behind a `sync` that follows that wait. So two accesses to
// a cell, one of them a store, are in conflict until a wait (and a sync) stands between them:
//
//     copy_async T <- X;      the store of T is outstanding
//     copy_async Y <- T;      TM0501: it loads columns 0..7 of `T`, whose store has not been waited for
//
// Conflicts are found cell by cell and warp by warp (conflicts.hpp), so that disjoint slices, pipeline slots
// and the two sub-slabs never meet. The program writes its waits; with `automatic` the fewest that are
// missing are added, each as late as it may stand (waits.hpp). What is read and never written, and what is
// written and never read, is found on the way (usage.hpp). Source of the rules: PTX ISA 9.7.16.6. Not here:
// which columns a buffer gets (space), and the barrier in front of the deallocation (lower).
#pragma once

#include "base/diagnostics.hpp"
#include "sema/program.hpp"

#include <optional>
#include <vector>

namespace tmemc::order {

enum class WaitKind : std::uint8_t { ld, st };

struct ScheduledWait {
    /// Stands before this statement of the kernel, in place of it when that is a written wait.
    std::size_t before = 0;
    WaitKind kind{};
    bool inserted = false;          // by the compiler, not the program
    std::optional<int> warpgroup{}; // that waits; nothing: every warpgroup
    bool operator==(const ScheduledWait&) const = default;
};
struct KernelSchedule {
    std::vector<ScheduledWait> waits; // in program order
    bool operator==(const KernelSchedule&) const = default;
};
struct Schedule {
    std::vector<KernelSchedule> kernels; // parallel to sema::Program::kernels
    bool operator==(const Schedule&) const = default;
};

struct Options {
    bool automatic = false; // --auto-wait
};
struct OrderResult {
    Schedule schedule;
    base::Diagnostics diagnostics;
};

/// Every copy of the program is one that match accepts.
[[nodiscard]] OrderResult order(const sema::Program& program, const Options& options = {});

} // namespace tmemc::order
