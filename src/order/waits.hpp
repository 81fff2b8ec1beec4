// Where waits stand, and whether they keep conflicts apart. A wait of the earlier access's kind, by its
// warpgroup, must stand between the two; when another warpgroup's access is the later one, a `sync` must
// follow that wait. So each conflict is an interval of the program that a wait must hit, and stabbing the
// intervals greedily, each at its end, gives the fewest waits and the latest places. Example:
//
//     0: ld T    1: st U    2: st T        the interval of (ld T, st T) ends right before 2: `wait ld` there
//
// Written waits are kept and count; a sync is never added. Not here: finding the conflicts (conflicts.hpp).
#pragma once

#include "order/conflicts.hpp"

namespace tmemc::order {

/// What is missing between the two accesses of a conflict.
enum class Missing : std::uint8_t {
    nothing,
    wait,        // no wait at all; between warpgroups there may or may not be a sync
    sync,        // a wait, and no sync behind the earlier access
    sync_behind, // a wait and a sync, but the sync stands ahead of the wait
};

/// A kernel's waits and barriers by position: a wait at position p stands right before statement p.
class Timeline {
  public:
    Timeline(const sema::Kernel& kernel, const KernelSchedule& schedule);

    [[nodiscard]] Missing missing(const Conflict& conflict) const;
    /// The first wait of that kind by that warpgroup at a position after `statement`; the number of
    /// statements plus one when there is none.
    [[nodiscard]] std::size_t wait_after(int warpgroup, WaitKind kind, std::size_t statement) const;
    /// The first sync at or after `statement`, or the number of statements plus one.
    [[nodiscard]] std::size_t sync_from(std::size_t statement) const;
    [[nodiscard]] std::optional<std::size_t> last_sync_between(std::size_t earlier, std::size_t later) const;

  private:
    [[nodiscard]] const std::vector<std::size_t>& waits(int warpgroup, WaitKind kind) const {
        return waits_[static_cast<std::size_t>(warpgroup) * 2 + static_cast<std::size_t>(kind)];
    }

    std::size_t never_;
    std::vector<std::vector<std::size_t>> waits_; // by warpgroup and kind, ascending
    std::vector<std::size_t> syncs_;
};

/// The waits that the program writes.
[[nodiscard]] KernelSchedule written_waits(const sema::Kernel& kernel);

/// The written waits and the fewest more that keep every conflict apart, but for those that only miss a sync
/// and those of Rule::read.
[[nodiscard]] KernelSchedule fewest_waits(const sema::Kernel& kernel, const std::vector<Conflict>& conflicts);

} // namespace tmemc::order
