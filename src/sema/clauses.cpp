// The clauses behind a kernel's parameters: grid, warpgroups, cta_group.
#include "sema/parameters.hpp"

#include "atlas/limits.hpp"
#include "sema/constants.hpp"

#include <fmt/format.h>

#include <array>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr std::array<std::int64_t, 3> max_grid{2147483647, 65535, 65535};
constexpr int max_threads_per_cta = 1024;
constexpr int max_warpgroups = max_threads_per_cta / atlas::warpgroup_threads;

void grid(Draft& draft, const ast::Clause& clause) {
    if (clause.values.size() > max_grid.size())
        draft.env.reports.report(catalogue::grid_dimensions, clause.place, clause.values.size());
    for (std::size_t i = 0; i < clause.values.size() && i < max_grid.size(); ++i) {
        draft.env.names.in_grid = true;
        const auto extent = evaluate(draft.env, clause.values[i]);
        draft.env.names.in_grid = false;
        if (!extent) continue;
        draft.kernel.grid[i] = *extent;
        if (*extent < 1 || *extent > max_grid[i])
            draft.env.reports.report(catalogue::grid_extent, clause.values[i].place, *extent, "xyz"[i],
                                     max_grid[i]);
    }
}

void warpgroups(Draft& draft, const ast::Clause& clause) {
    const auto count = evaluate(draft.env, clause.values.front());
    draft.warpgroups_known = count && *count >= 1 && *count <= max_warpgroups;
    if (!count) return;
    if (!draft.warpgroups_known)
        draft.env.reports
            .report(catalogue::bad_warpgroups, clause.values.front().place, *count, max_warpgroups)
            .note(fmt::format("a warpgroup is {} threads, and a CTA has at most {}", atlas::warpgroup_threads,
                              max_threads_per_cta));
    else
        draft.kernel.warpgroups = static_cast<int>(*count);
}

void cta_group(Draft& draft, const ast::Clause& clause) {
    const auto size = evaluate(draft.env, clause.values.front());
    if (!size || *size == 1) return;
    draft.env.reports.report(catalogue::cta_group_reserved, clause.place, *size)
        .help("leave the clause out: a kernel runs in CTAs of their own (`cta_group 1`)");
}

} // namespace

void check_clauses(Draft& draft, const std::vector<ast::Clause>& clauses) {
    for (std::size_t i = 0; i < clauses.size(); ++i) {
        const ast::Clause& clause = clauses[i];
        std::size_t first = 0;
        while (clauses[first].word.text != clause.word.text) ++first;
        if (first != i)
            draft.env.reports.report(catalogue::given_twice, clause.place, clause.word.text)
                .label(clauses[first].place, "first here");
        else if (clause.word.text == "grid")
            grid(draft, clause);
        else if (clause.word.text == "warpgroups")
            warpgroups(draft, clause);
        else
            cta_group(draft, clause);
    }
}

} // namespace tmemc::sema
