// What the lanes of a warp exchange. The machine runs them in step, so a missing barrier does no harm there;
// it is looked for in the text. In the order of the text, each warpgroup by itself:
//
//     st.shared ...  bar.warp.sync  ld.shared ...  bar.warp.sync  st.shared     the next copy's writes must
//                                                                               not overtake the reads
//     st.global [B], staged   bar.warp.sync   ld.global [B], direct             another lane's element
//     st.global [B], direct   bar.warp.sync   ld.global [B], direct             where the maps say so
//
// A barrier of the CTA orders the lanes too. Not here: whether the data are right (play.cpp).
#include "verify/outline.hpp"
#include "verify/state.hpp"

#include <fmt/format.h>

#include <map>

namespace tmemc::verify {
namespace {

using sema::GlobalCopy;

/// What a warpgroup's lanes did since their last barrier.
struct Since {
    bool wrote = false, read = false;            // shared memory
    std::map<std::size_t, bool> stored;          // tensors, and whether by way of shared memory
    std::vector<const sema::GlobalCopy*> direct; // the others
};

/// Whether lanes of one warp meet in an element that both take in the first CTA, each another's.
bool meet_in_lanes(const sema::Kernel& kernel, const Cta& cta, const sema::GlobalCopy& a,
                   const sema::GlobalCopy& b) {
    const Rectangle x = rectangle(kernel, cta, a), y = rectangle(kernel, cta, b);
    const auto threads = [&](const sema::GlobalCopy& copy, std::int64_t r, std::int64_t c) {
        if (copy.tensor.rows != copy.fragment.rows) std::swap(r, c);
        const layout::SlotMap& slots = kernel.slots(kernel.fragments[copy.fragment.object]);
        const int copies = copy.op == GlobalCopy::Op::load ? slots.copies : 1;
        std::vector<int> list;
        list.reserve(static_cast<std::size_t>(copies));
        for (int k = 0; k < copies; ++k)
            list.push_back(
                slots.at(copy.fragment.row + static_cast<int>(r), copy.fragment.col + static_cast<int>(c), k)
                    .thread);
        return list;
    };
    const auto outside = [](const Rectangle& all, std::int64_t r, std::int64_t c) { // where a mask lets it
        return all.masked && (r < 0 || c < 0 || r >= all.tensor.rows || c >= all.tensor.cols);
    };
    for (std::int64_t r = std::max(x.row, y.row); r < std::min(x.row + x.rows, y.row + y.rows); ++r)
        for (std::int64_t c = std::max(x.col, y.col); c < std::min(x.col + x.cols, y.col + y.cols); ++c) {
            if (outside(x, r, c) || outside(y, r, c)) continue;
            for (const int t : threads(a, r - x.row, c - x.col))
                for (const int u : threads(b, r - y.row, c - y.col))
                    if (t != u && t / lanes_per_warp == u / lanes_per_warp) return true;
        }
    return false;
}

class Lanes {
  public:
    Lanes(const Outline& outline, const sema::Kernel& kernel)
        : outline_(outline), kernel_(kernel), first_(cta_of(kernel, {0, 0, 0})),
          since_(static_cast<std::size_t>(kernel.warpgroups)) {
        for (Since& each : since_) each.read = kernel.function; // in the call before this one
    }

    std::optional<Mismatch> check() {
        std::uint32_t next = 0;
        for (std::size_t s = 0; s < outline_.statements.size() && !found_; ++s) {
            const Stretch& stretch = outline_.statements[s];
            if (stretch.empty()) continue;
            barriers(next, stretch.first);
            next = stretch.last;
            if (std::holds_alternative<sema::Sync>(kernel_.statements[s].what)) barriers(stretch.first, next);
            if (const auto* copy = std::get_if<GlobalCopy>(&kernel_.statements[s].what)) {
                const std::optional<int> only = kernel_.statements[s].warpgroup;
                for (std::size_t w = 0; w < since_.size() && !found_; ++w)
                    if (!only || *only == static_cast<int>(w)) statement(s, *copy, since_[w]);
            }
        }
        return found_;
    }

  private:
    /// Of the whole CTA, in front of or between statements.
    void barriers(std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t i = first; i < last; ++i)
            if (outline_.code[i]->name == "bar.sync" && !outline_.code[i]->guard)
                since_.assign(since_.size(), {});
    }

    void statement(std::size_t s, const GlobalCopy& copy, Since& since) {
        const Stretch& stretch = outline_.statements[s];
        bool staged = false;
        for (std::uint32_t i = stretch.first; i < stretch.last; ++i)
            staged = staged || starts_with(outline_.code[i]->name, "st.shared");
        for (std::uint32_t i = stretch.first; i < stretch.last && !found_; ++i) {
            const ptx::Instruction& is = *outline_.code[i];
            if (starts_with(is.name, "bar.warp")) {
                const std::vector<ptx::Operand> all{ptx::Immediate{~std::uint64_t{0}}};
                if (is.guard || is.operands != all) fail(s, i, "not all lanes come to this barrier");
                since = {};
            } else if (starts_with(is.name, "st.shared")) {
                if (since.read) fail(s, i, "overwrites what other lanes have read, with no barrier between");
                since.wrote = true;
            } else if (starts_with(is.name, "ld.shared")) {
                if (since.wrote) fail(s, i, "reads what other lanes have written, with no barrier between");
                since.read = true;
            } else if (starts_with(is.name, "ld.global") || starts_with(is.name, "st.global")) {
                const auto stored = since.stored.find(copy.tensor.object);
                if (stored != since.stored.end() && (stored->second || staged))
                    fail(s, i, "meets what another lane has stored, with no barrier between");
            }
        }
        if (!staged) meet(s, copy, since);
        if (copy.op == GlobalCopy::Op::load) return;
        bool& by_another = since.stored[copy.tensor.object];
        by_another = by_another || staged;
    }

    /// Two direct copies of a tensor, one of them a store.
    void meet(std::size_t s, const GlobalCopy& copy, Since& since) {
        for (const GlobalCopy* earlier : since.direct) {
            const bool loads = copy.op == GlobalCopy::Op::load && earlier->op == GlobalCopy::Op::load;
            if (loads || earlier->tensor.object != copy.tensor.object) continue;
            if (meet_in_lanes(kernel_, first_, copy, *earlier))
                fail(s, outline_.statements[s].first,
                     "meets what another lane took, with no barrier between");
        }
        const auto& tensor = std::get<sema::Tensor>(kernel_.parameters[copy.tensor.object]);
        if (tensor.direction != sema::Direction::in) since.direct.push_back(&copy);
    }

    void fail(std::size_t s, std::uint32_t i, std::string_view what) {
        found_ = mismatch_at(outline_, i, fmt::format("`{}` {}", outline_.code[i]->name, what));
        found_->statement = kernel_.statements[s].span;
    }

    const Outline& outline_;
    const sema::Kernel& kernel_;
    Cta first_;
    std::vector<Since> since_; // by warpgroup
    std::optional<Mismatch> found_;
};

} // namespace

std::optional<Mismatch> unordered_lanes(const Outline& outline, const sema::Kernel& kernel) {
    return Lanes(outline, kernel).check();
}

} // namespace tmemc::verify
