// Intervals and the points that stab them.
#include "order/waits.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tmemc::order {

namespace {

std::size_t first_from(const std::vector<std::size_t>& ascending, std::size_t position, std::size_t never) {
    const auto found = std::lower_bound(ascending.begin(), ascending.end(), position);
    return found == ascending.end() ? never : *found;
}

/// For one warpgroup and kind: by the last position at which a wait may stand, the last statement that it
/// must stand behind.
using Intervals = std::map<std::size_t, std::size_t>;

std::vector<std::size_t> syncs_of(const sema::Kernel& kernel) {
    std::vector<std::size_t> syncs;
    for (std::size_t i = 0; i < kernel.statements.size(); ++i)
        if (std::holds_alternative<sema::Sync>(kernel.statements[i].what)) syncs.push_back(i);
    return syncs;
}

/// The last position for a wait that keeps the conflict apart, or nothing where only a sync could.
std::optional<std::size_t> last_position(const Conflict& conflict, const Timeline& written) {
    if (conflict.rule == Rule::read) return std::nullopt;
    if (conflict.warpgroup == conflict.later_warpgroup) return conflict.later;
    return written.last_sync_between(conflict.earlier, conflict.later);
}

/// Positions to add for one warpgroup and kind.
std::vector<std::size_t> stab(const Intervals& intervals, const Timeline& written, int warpgroup,
                              WaitKind kind) {
    std::vector<std::size_t> added;
    for (const auto& [last, behind] : intervals) {
        const bool has_added = !added.empty() && added.back() > behind;
        if (!has_added && written.wait_after(warpgroup, kind, behind) > last) added.push_back(last);
    }
    return added;
}

bool stands_before(const ScheduledWait& a, const ScheduledWait& b) {
    return std::tie(a.before, a.kind, a.warpgroup) < std::tie(b.before, b.kind, b.warpgroup);
}

} // namespace

Timeline::Timeline(const sema::Kernel& kernel, const KernelSchedule& schedule)
    : never_(kernel.statements.size() + 1), waits_(static_cast<std::size_t>(kernel.warpgroups) * 2),
      syncs_(syncs_of(kernel)) {
    for (const ScheduledWait& wait : schedule.waits)
        for (int group = 0; group < kernel.warpgroups; ++group)
            if (!wait.warpgroup || *wait.warpgroup == group)
                waits_[static_cast<std::size_t>(group) * 2 + static_cast<std::size_t>(wait.kind)].push_back(
                    wait.before);
}

std::size_t Timeline::wait_after(int warpgroup, WaitKind kind, std::size_t statement) const {
    return first_from(waits(warpgroup, kind), statement + 1, never_);
}

std::size_t Timeline::sync_from(std::size_t statement) const { return first_from(syncs_, statement, never_); }

std::optional<std::size_t> Timeline::last_sync_between(std::size_t earlier, std::size_t later) const {
    const auto behind = std::lower_bound(syncs_.begin(), syncs_.end(), later);
    if (behind == syncs_.begin() || *std::prev(behind) < earlier) return std::nullopt;
    return *std::prev(behind);
}

Missing Timeline::missing(const Conflict& conflict) const {
    const std::size_t wait = wait_after(conflict.warpgroup, conflict.kind, conflict.earlier);
    if (wait > conflict.later) return Missing::wait;
    if (conflict.warpgroup == conflict.later_warpgroup) return Missing::nothing;
    if (sync_from(wait) < conflict.later) return Missing::nothing;
    return sync_from(conflict.earlier) < conflict.later ? Missing::sync_behind : Missing::sync;
}

KernelSchedule written_waits(const sema::Kernel& kernel) {
    KernelSchedule schedule;
    for (std::size_t i = 0; i < kernel.statements.size(); ++i) {
        const sema::Statement& statement = kernel.statements[i];
        const auto* wait = std::get_if<sema::Wait>(&statement.what);
        if (wait == nullptr) continue;
        if (wait->ld) schedule.waits.push_back({i, WaitKind::ld, false, statement.warpgroup});
        if (wait->st) schedule.waits.push_back({i, WaitKind::st, false, statement.warpgroup});
    }
    return schedule;
}

KernelSchedule fewest_waits(const sema::Kernel& kernel, const std::vector<Conflict>& conflicts) {
    KernelSchedule schedule = written_waits(kernel);
    const Timeline written(kernel, schedule);

    std::map<std::pair<int, WaitKind>, Intervals> intervals;
    for (const Conflict& conflict : conflicts)
        if (const auto last = last_position(conflict, written)) {
            std::size_t& behind = intervals[{conflict.warpgroup, conflict.kind}][*last];
            behind = std::max(behind, conflict.earlier);
        }

    // Where every warpgroup needs a wait, it is one wait for all.
    std::map<std::pair<std::size_t, WaitKind>, std::vector<int>> needed;
    for (const auto& [who, of_one] : intervals)
        for (const std::size_t position : stab(of_one, written, who.first, who.second))
            needed[{position, who.second}].push_back(who.first);
    for (const auto& [where, groups] : needed) {
        if (static_cast<int>(groups.size()) == kernel.warpgroups)
            schedule.waits.push_back({where.first, where.second, true, std::nullopt});
        else
            for (const int group : groups) schedule.waits.push_back({where.first, where.second, true, group});
    }
    std::stable_sort(schedule.waits.begin(), schedule.waits.end(), stands_before);
    return schedule;
}

} // namespace tmemc::order
