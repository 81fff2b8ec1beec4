// Each kind of mistake has a function that begins its diagnostic; the earlier places are labelled afterwards.
#include "order/hazards.hpp"

#include "order/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tmemc::order {

namespace {

namespace catalogue = base::catalogue;

/// A conflict with what it lacks.
struct Hazard {
    Conflict conflict;
    Missing missing{};
};

std::string_view word(WaitKind kind) { return kind == WaitKind::ld ? "ld" : "st"; }
std::string_view noun(WaitKind kind) { return kind == WaitKind::ld ? "load" : "store"; }

class HazardReport {
  public:
    HazardReport(const sema::Kernel& kernel, Footprints& footprints, sema::Reports& reports)
        : kernel_(kernel), footprints_(footprints), reports_(reports) {}

    /// Hazards of one later statement, all of one kind of mistake.
    void report(const std::vector<Hazard>& hazards) {
        const Hazard& first = hazards.front();
        const sema::Statement& later = at(first.conflict);
        reports_.set_place(later.iteration, later.calls);
        base::Diagnostic& diagnostic = begin(hazards, later.span);
        std::vector<base::Span> labelled;
        for (const Hazard& hazard : hazards) {
            const base::Span where = kernel_.statements[hazard.conflict.earlier].span;
            const bool again = std::find(labelled.begin(), labelled.end(), where) != labelled.end();
            if (again || labelled.size() == most_labels) continue;
            labelled.push_back(where);
            if (first.conflict.rule != Rule::end)
                diagnostic.label(where, fmt::format("the {} is here{}", noun(hazard.conflict.kind),
                                                    where == later.span ? ", in an earlier turn" : ""));
        }
        help(diagnostic, first);
    }

    [[nodiscard]] base::Span place(const Conflict& conflict) const { return at(conflict).span; }

    void report_shared_store(const sema::Statement& statement, const sema::TmemCopy& copy) {
        reports_.set_place(statement.iteration, statement.calls);
        reports_
            .report(catalogue::store_by_every_warpgroup, statement.span, kernel_.warpgroups,
                    cells_phrase(kernel_, copy.buffer, footprints_.cells(copy)))
            .help("let one of them do it: on warpgroup 0 { … }");
    }

  private:
    static constexpr std::size_t most_labels = 3;

    /// The statement to blame: the later one, or at the end of the kernel the one that is outstanding.
    const sema::Statement& at(const Conflict& conflict) const {
        return kernel_.statements[conflict.rule == Rule::end ? conflict.earlier : conflict.later];
    }

    base::Diagnostic& begin(const std::vector<Hazard>& hazards, base::Span span) {
        const Conflict& conflict = hazards.front().conflict;
        switch (conflict.rule) {
        case Rule::end:
            return reports_.report(catalogue::outstanding_at_end, span, kernel_.name, noun(conflict.kind));
        case Rule::overwrite:
            return reports_.report(catalogue::overwritten_while_loading, span, fragment_of(conflict));
        case Rule::read: return reports_.report(catalogue::unwaited_read, span, fragment_of(conflict));
        case Rule::cells: break;
        }
        const std::string cells = cells_of(hazards);
        if (conflict.warpgroup != conflict.later_warpgroup) return between(hazards.front(), cells, span);
        if (load(conflict.later)) return reports_.report(catalogue::load_of_unwaited_store, span, cells);
        return conflict.kind == WaitKind::ld
                   ? reports_.report(catalogue::store_over_unwaited_load, span, cells)
                   : reports_.report(catalogue::store_over_unwaited_store, span, cells);
    }

    /// Two warpgroups.
    base::Diagnostic& between(const Hazard& hazard, const std::string& cells, base::Span span) {
        const Conflict& c = hazard.conflict;
        const std::string does = load(c.later) ? "loads" : "stores to";
        const std::string did = c.kind == WaitKind::ld ? "loads" : "stores to";
        switch (hazard.missing) {
        case Missing::sync:
            return reports_.report(catalogue::missing_sync, span, c.later_warpgroup, does, cells, c.warpgroup,
                                   did);
        case Missing::sync_behind:
            return reports_.report(catalogue::sync_ahead_of_wait, span, c.later_warpgroup, does, cells,
                                   c.warpgroup, did, word(c.kind));
        default:
            return reports_.report(catalogue::missing_wait_and_sync, span, c.later_warpgroup, does, cells,
                                   c.warpgroup, did, word(c.kind));
        }
    }

    static void help(base::Diagnostic& diagnostic, const Hazard& hazard) {
        const std::string wait = fmt::format("`wait {};`", word(hazard.conflict.kind));
        if (hazard.conflict.rule == Rule::end)
            diagnostic.help(fmt::format("put {} behind it, or compile with --auto-wait", wait));
        else if (hazard.conflict.warpgroup == hazard.conflict.later_warpgroup)
            diagnostic.help(fmt::format("put {} between the two, or compile with --auto-wait", wait));
        else if (hazard.missing == Missing::sync)
            diagnostic.help("put `sync;` between them, behind the wait if there is one, and outside of `on`");
        else
            diagnostic.help(fmt::format("warpgroup {} has to wait, {}, and then all have to meet, `sync;`",
                                        hazard.conflict.warpgroup, wait));
    }

    [[nodiscard]] bool load(std::size_t statement) const {
        return std::get<sema::TmemCopy>(kernel_.statements[statement].what).op == sema::TmemCopy::Op::ld;
    }

    std::string cells_of(const std::vector<Hazard>& hazards) {
        const auto copy = [&](std::size_t statement) -> const sema::TmemCopy& {
            return std::get<sema::TmemCopy>(kernel_.statements[statement].what);
        };
        const sema::TmemCopy& later = copy(hazards.front().conflict.later);
        Footprint cells;
        for (const Hazard& hazard : hazards)
            for (const Run& run :
                 common(footprints_.cells(copy(hazard.conflict.earlier)), footprints_.cells(later)))
                cells.push_back(run);
        return cells_phrase(kernel_, later.buffer, std::move(cells));
    }

    std::string_view fragment_of(const Conflict& conflict) const {
        return kernel_
            .fragments[std::get<sema::TmemCopy>(kernel_.statements[conflict.earlier].what).fragment.object]
            .name;
    }

    const sema::Kernel& kernel_;
    Footprints& footprints_;
    sema::Reports& reports_;
};

/// A store that every one of several warpgroups executes; what follows from it is not reported as well.
bool shared_store(const sema::Kernel& kernel, std::size_t statement) {
    if (kernel.warpgroups == 1 || statement == kernel.statements.size()) return false;
    const auto* copy = std::get_if<sema::TmemCopy>(&kernel.statements[statement].what);
    return copy && copy->op == sema::TmemCopy::Op::st && !kernel.statements[statement].warpgroup;
}

/// Hazards with the same key are one diagnostic: a wait, and between warpgroups what is missing, mends all.
using Kind = std::tuple<Rule, WaitKind, int, int, Missing>;
Kind kind_of(const Hazard& hazard) {
    const Conflict& conflict = hazard.conflict;
    return {conflict.rule, conflict.kind, conflict.warpgroup, conflict.later_warpgroup, hazard.missing};
}

/// The waits that have been asked for: of which access, made by which warpgroup; by what came next.
using Awaited = std::map<std::pair<std::size_t, int>, std::pair<base::Span, Rule>>;

/// A wait ahead of what came next serves all that comes later, of the same kind and at the end; other turns
/// of the same statement are told.
bool asked_for(const Conflict& conflict, base::Span later, const Awaited& awaited) {
    const auto found = awaited.find({conflict.earlier, conflict.warpgroup});
    if (conflict.warpgroup != conflict.later_warpgroup || found == awaited.end()) return false;
    const auto& [place, rule] = found->second;
    return place != later && (rule == conflict.rule || conflict.rule == Rule::end);
}

} // namespace

void report_hazards(const sema::Kernel& kernel, const std::vector<Conflict>& conflicts,
                    const Timeline& timeline, bool automatic, Footprints& footprints,
                    sema::Reports& reports) {
    HazardReport report(kernel, footprints, reports);
    for (std::size_t i = 0; i < kernel.statements.size(); ++i)
        if (shared_store(kernel, i))
            report.report_shared_store(kernel.statements[i],
                                       std::get<sema::TmemCopy>(kernel.statements[i].what));
    Awaited awaited;
    for (auto first = conflicts.begin(); first != conflicts.end();) {
        const auto last =
            std::find_if(first, conflicts.end(), [&](const Conflict& c) { return c.later != first->later; });
        std::map<Kind, std::vector<Hazard>> hazards;
        for (; first != last; ++first) {
            const bool between = first->warpgroup != first->later_warpgroup;
            Hazard hazard{*first, timeline.missing(*first)};
            // Where a sync stood, the wait would have been added.
            if (automatic && between && hazard.missing == Missing::wait) hazard.missing = Missing::sync;
            if (hazard.missing == Missing::nothing || (first->rule == Rule::read && automatic)) continue;
            if (between && (shared_store(kernel, first->earlier) || shared_store(kernel, first->later)))
                continue;
            const base::Span later = report.place(hazard.conflict);
            if (asked_for(hazard.conflict, later, awaited)) continue;
            hazards[kind_of(hazard)].push_back(hazard);
            if (first->rule != Rule::read) // a warning, which may be off
                awaited.emplace(std::pair(first->earlier, first->warpgroup), std::pair(later, first->rule));
        }
        for (const auto& [kind, list] : hazards) report.report(list);
    }
}

} // namespace tmemc::order
