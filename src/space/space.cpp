// First fit, among the groups that live at the same time. Fixed groups have their columns already; every
// other one takes the lowest place on a 4-column boundary where it meets no group that it lives with. Groups
// that do not fit are placed all the same, beyond the end, so that the error can say how many columns would
// be needed.
#include "space/space.hpp"

#include "atlas/limits.hpp"
#include "space/lifetimes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace tmemc::space {

namespace {

/// With more groups than that only one order is tried, and groups that have ended are forgotten.
constexpr std::size_t few_groups = 512;

/// Columns [first, last) of a group that has its place.
struct Taken {
    std::size_t group = 0;
    int first = 0, last = 0;
};

/// What an allocation can be: a power of two.
int rounded(int needed) {
    int columns = atlas::min_allocation;
    while (columns < needed) columns *= 2;
    return columns;
}

class Placer {
  public:
    Placer(const sema::Kernel& kernel, const std::vector<Lifetime>& lives, const order::Timeline& timeline)
        : kernel_(kernel), lives_(lives), timeline_(timeline) {}

    /// Places the groups in that order, which holds those without a fixed place.
    KernelSpace place(const std::vector<std::size_t>& order) {
        KernelSpace space;
        space.group_columns.assign(kernel_.groups.size(), 0);
        const auto take = [&](std::size_t group, int first) {
            const int last = first + kernel_.groups[group].columns;
            space.group_columns[group] = first;
            space.needed = std::max(space.needed, last);
            const auto behind = [](int column, const Taken& taken) { return column < taken.first; };
            taken_.insert(std::upper_bound(taken_.begin(), taken_.end(), first, behind),
                          {group, first, last});
        };
        for (std::size_t i = 0; i < kernel_.groups.size(); ++i)
            if (kernel_.groups[i].fixed) take(i, *kernel_.groups[i].fixed);
        for (const std::size_t group : order) {
            forget_ended(group);
            take(group, first_fit(group));
        }
        if (space.needed > 0) space.columns = rounded(space.needed);
        return space;
    }

  private:
    /// `taken_` ascends, so the first gap between groups that live with this one is the answer.
    [[nodiscard]] int first_fit(std::size_t group) const {
        constexpr int granule = atlas::placement_granule;
        int first = 0;
        for (const Taken& taken : taken_) {
            if (apart(taken.group, group)) continue;
            if (first + kernel_.groups[group].columns <= taken.first) break;
            first = std::max(first, (taken.last + granule - 1) / granule * granule);
        }
        return first;
    }
    [[nodiscard]] bool apart(std::size_t a, std::size_t b) const {
        return ends_before(lives_[a], lives_[b], timeline_) || ends_before(lives_[b], lives_[a], timeline_);
    }

    /// Groups come in the order of their first access when there are many: what has ended before this one
    /// has ended before all that follow, as long as the accesses of all warpgroups have.
    void forget_ended(std::size_t group) {
        if (kernel_.groups.size() <= few_groups) return;
        Lifetime from_here = lives_[group];
        if (!from_here.used) return;
        std::fill(from_here.begin.begin(), from_here.begin.end(), from_here.first);
        const auto ended = [&](const Taken& taken) {
            return ends_before(lives_[taken.group], from_here, timeline_);
        };
        taken_.erase(std::remove_if(taken_.begin(), taken_.end(), ended), taken_.end());
    }

    const sema::Kernel& kernel_;
    const std::vector<Lifetime>& lives_;
    const order::Timeline& timeline_;
    std::vector<Taken> taken_;
};

/// The best of a few orders: of declaration, widest first, of first access; among equals the first of these.
KernelSpace best_place(const sema::Kernel& kernel, const std::vector<Lifetime>& lives,
                       const order::Timeline& timeline) {
    std::vector<std::size_t> declared;
    for (std::size_t i = 0; i < kernel.groups.size(); ++i)
        if (!kernel.groups[i].fixed) declared.push_back(i);
    std::vector<std::size_t> accessed = declared, wide = declared;
    std::stable_sort(accessed.begin(), accessed.end(),
                     [&](std::size_t a, std::size_t b) { return lives[a].first < lives[b].first; });
    std::stable_sort(wide.begin(), wide.end(), [&](std::size_t a, std::size_t b) {
        return kernel.groups[a].columns > kernel.groups[b].columns;
    });
    // What counts is what must be allocated or, where too much is needed, how much that is.
    const auto size = [](const KernelSpace& space) { return std::max(space.columns, space.needed); };
    KernelSpace best = Placer(kernel, lives, timeline).place(accessed);
    if (kernel.groups.size() > few_groups) return best;
    for (const auto* order : {&wide, &declared}) {
        KernelSpace other = Placer(kernel, lives, timeline).place(*order);
        if (size(other) <= size(best)) best = std::move(other);
    }
    return best;
}

/// "live from line 9 to line 14"
std::string life_phrase(const sema::Kernel& kernel, const Lifetime& life, const base::Source& source) {
    if (!life.used) return "never used, so kept for the whole kernel";
    const auto line = [&](std::size_t statement) {
        const std::size_t index = std::min(statement, kernel.statements.size() - 1);
        return source.position(kernel.statements[index].span.begin).line;
    };
    return fmt::format("live from line {} to line {}", line(life.first), line(life.last));
}

/// "`T`: 256 columns, live from line 9 to line 14", "`V`: inside `T`", with how often when a loop declares
/// it.
std::vector<std::string> shares(const sema::Kernel& kernel, const std::vector<Lifetime>& lives,
                                const base::Source& source) {
    struct Share {
        std::string text;
        int times = 0;
    };
    std::vector<Share> list;
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> seen; // by place of the declaration and text
    for (std::size_t i = 0; i < kernel.buffers.size(); ++i) {
        const sema::Buffer& buffer = kernel.buffers[i];
        const sema::AliasGroup& group = kernel.groups[buffer.group];
        const std::string text =
            group.owner == i
                ? fmt::format("`{}`: {} columns, {}", buffer.name, group.columns,
                              life_phrase(kernel, lives[buffer.group], source))
                : fmt::format("`{}`: inside `{}`", buffer.name, kernel.buffers[group.owner].name);
        const auto [at, is_new] = seen.try_emplace({buffer.span.begin, text}, list.size());
        if (is_new) list.push_back({text});
        ++list[at->second].times;
    }
    std::vector<std::string> texts;
    texts.reserve(list.size());
    for (const Share& share : list)
        texts.push_back(share.times == 1 ? share.text : fmt::format("{}, {} times", share.text, share.times));
    return texts;
}

/// The first buffer, in the order of declaration, whose group ends beyond the last column.
const sema::Buffer& first_outside(const sema::Kernel& kernel, const KernelSpace& space) {
    std::size_t group = 0;
    while (space.group_columns[group] + kernel.groups[group].columns <= atlas::columns) ++group;
    return kernel.buffers[kernel.groups[group].owner];
}

void report_too_many(const sema::Kernel& kernel, const KernelSpace& space, const std::vector<Lifetime>& lives,
                     const order::KernelSchedule& schedule, const base::Source& source,
                     base::Diagnostics& out) {
    base::Diagnostic& error = out.report(base::catalogue::too_many_columns, first_outside(kernel, space).span,
                                         kernel.name, space.needed, atlas::columns);
    for (std::string& share : shares(kernel, lives, source)) error.note(std::move(share));
    const bool added = std::any_of(schedule.waits.begin(), schedule.waits.end(),
                                   [](const order::ScheduledWait& wait) { return wait.inserted; });
    if (added)
        error.help(
            "added waits stand as late as they may; a written one behind a buffer's last use ends its life "
            "sooner");
    error.help("buffers share columns when the waits of one stand before the first use of the other");
}

} // namespace

PlaceResult place(const sema::Program& program, const order::Schedule& schedule, const base::Source& source) {
    PlaceResult result;
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
        const sema::Kernel& kernel = program.kernels[k];
        if (kernel.function) { // each parameter has an address of its own
            result.space.kernels.push_back({0, 0, std::vector<int>(kernel.groups.size(), 0)});
            continue;
        }
        const order::Timeline timeline(kernel, schedule.kernels.at(k));
        const std::vector<Lifetime> lives = lifetimes(kernel, timeline);
        result.space.kernels.push_back(best_place(kernel, lives, timeline));
        const KernelSpace& space = result.space.kernels.back();
        if (space.needed > atlas::columns)
            report_too_many(kernel, space, lives, schedule.kernels.at(k), source, result.diagnostics);
    }
    return result;
}

} // namespace tmemc::space
