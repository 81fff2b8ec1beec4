// First fit. Fixed groups take their columns first; every other group, in the order of declaration, takes the
// lowest place on a 4-column boundary where it meets nothing. Groups that do not fit are placed all the same,
// beyond the end, so that the error can say how many columns would be needed.
#include "space/space.hpp"

#include "atlas/limits.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace tmemc::space {

namespace {

/// Columns that are taken, [first, last).
struct Taken {
    int first = 0, last = 0;
};

class Placer {
  public:
    explicit Placer(const sema::Kernel& kernel) : kernel_(kernel) {}

    KernelSpace place() {
        KernelSpace space;
        space.group_columns.assign(kernel_.groups.size(), 0);
        for (const bool fixed : {true, false})
            for (std::size_t i = 0; i < kernel_.groups.size(); ++i)
                if (kernel_.groups[i].fixed.has_value() == fixed)
                    space.group_columns[i] = place(kernel_.groups[i]);
        for (const Taken& taken : taken_) space.needed = std::max(space.needed, taken.last);
        if (space.needed > 0) space.columns = rounded(space.needed);
        return space;
    }

  private:
    int place(const sema::AliasGroup& group) {
        const int first = group.fixed ? *group.fixed : first_fit(group.columns);
        const auto behind = [](int column, const Taken& taken) { return column < taken.first; };
        taken_.insert(std::upper_bound(taken_.begin(), taken_.end(), first, behind),
                      {first, first + group.columns});
        return first;
    }

    /// `taken_` ascends and overlaps nowhere, so the first gap that is wide enough is the answer.
    int first_fit(int columns) const {
        constexpr int granule = atlas::placement_granule;
        int first = 0;
        for (const Taken& taken : taken_) {
            if (first + columns <= taken.first) break;
            first = std::max(first, (taken.last + granule - 1) / granule * granule);
        }
        return first;
    }

    /// What an allocation can be: a power of two.
    static int rounded(int needed) {
        int columns = atlas::min_allocation;
        while (columns < needed) columns *= 2;
        return columns;
    }

    const sema::Kernel& kernel_;
    std::vector<Taken> taken_;
};

/// "`T`: 256 columns", "`V`: inside `T`", with how often when a loop declares it.
std::vector<std::string> shares(const sema::Kernel& kernel) {
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
                ? fmt::format("`{}`: {} columns", buffer.name, group.columns)
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

void report_too_many(const sema::Kernel& kernel, const KernelSpace& space, base::Diagnostics& out) {
    base::Diagnostic& error = out.report(base::catalogue::too_many_columns, first_outside(kernel, space).span,
                                         kernel.name, space.needed, atlas::columns);
    for (std::string& share : shares(kernel)) error.note(std::move(share));
    error.help("declare a buffer that is needed later `at` an earlier one: it then shares its columns");
}

} // namespace

PlaceResult place(const sema::Program& program, const order::Schedule&) {
    PlaceResult result;
    for (const sema::Kernel& kernel : program.kernels) {
        result.space.kernels.push_back(Placer(kernel).place());
        const KernelSpace& space = result.space.kernels.back();
        if (space.needed > atlas::columns) report_too_many(kernel, space, result.diagnostics);
    }
    return result;
}

} // namespace tmemc::space
