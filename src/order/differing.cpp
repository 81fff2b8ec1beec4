// A store to a tensor outside of `on` is executed by every warpgroup. Where they hold the same in their
// fragments, as after a load outside of `on`, that is waste and no more; where a block of `on warpgroup` has
// filled the fragment, each stores something else to the same elements, and which one stays is chance:
//
//     on warpgroup 0 { copy X <- A[0:128, :]; }
//     on warpgroup 1 { copy X <- A[128:256, :]; }
//     copy B <- X;                                    TM0514
//
// A fragment counts as a whole, and what two blocks write counts as different.
#include "order/tensor_meetings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::order {

namespace {

class Differing {
  public:
    Differing(const sema::Kernel& kernel, sema::Reports& reports)
        : kernel_(kernel), reports_(reports), filled_(kernel.fragments.size()) {}

    void walk() {
        for (const sema::Statement& statement : kernel_.statements) {
            const auto* copy = std::get_if<sema::GlobalCopy>(&statement.what);
            if (copy && copy->op == sema::GlobalCopy::Op::store && !statement.warpgroup)
                store(statement, *copy);
            follow(statement);
        }
    }

  private:
    void store(const sema::Statement& statement, const sema::GlobalCopy& copy) {
        const auto& filled = filled_[copy.fragment.object];
        if (!filled) return;
        const auto& tensor = std::get<sema::Tensor>(kernel_.parameters[copy.tensor.object]);
        const std::string place = tensor.extents.size() == 2
                                      ? fmt::format("row {}, column {}", copy.tensor.row, copy.tensor.col)
                                      : fmt::format("element {}", copy.tensor.col);
        const int warp = copy_warp(copy);
        reports_.set_place(statement.iteration, statement.calls);
        reports_
            .report(base::catalogue::unsynchronized_element, statement.span, warp + 4, "stores", place,
                    tensor.name, warp, "stores")
            .label(*filled, fmt::format("`{}` differs between the warpgroups from here on",
                                        kernel_.fragments[copy.fragment.object].name))
            .note(fmt::format("each of the {} warpgroups executes this store", kernel_.warpgroups))
            .help("let one of them store, on warpgroup 0 { … }, or each to rows of its own");
    }
    /// The warp of a warpgroup that holds the first element.
    [[nodiscard]] int copy_warp(const sema::GlobalCopy& copy) const {
        const layout::SlotMap& slots = kernel_.slots(kernel_.fragments[copy.fragment.object]);
        return slots.at(copy.fragment.row, copy.fragment.col).thread / 32;
    }

    /// What a statement makes of the fragment that it writes.
    void follow(const sema::Statement& statement) {
        const std::vector<sema::FragmentAccess> accesses = sema::fragment_accesses(statement);
        std::optional<base::Span> source;
        if (statement.warpgroup) source = statement.span;
        for (const sema::FragmentAccess& each : accesses)
            if (!each.writes && !source) source = filled_[each.region->object];
        for (const sema::FragmentAccess& each : accesses) {
            if (!each.writes) continue;
            const sema::Fragment& fragment = kernel_.fragments[each.region->object];
            const bool whole = each.region->rows == fragment.rows && each.region->cols == fragment.cols;
            if (whole || source) filled_[each.region->object] = source;
        }
    }

    const sema::Kernel& kernel_;
    sema::Reports& reports_;
    std::vector<std::optional<base::Span>> filled_; // by fragment, the statement that made it differ
};

} // namespace

void report_differing(const sema::Kernel& kernel, sema::Reports& reports) {
    if (kernel.warpgroups > 1) Differing(kernel, reports).walk();
}

} // namespace tmemc::order
