// Columns of new fragments, and what they stand for.
#include "verify/fusions.hpp"

#include <algorithm>
#include <map>

namespace tmemc::verify {
namespace {

using What = sema::Step::What;

/// What a column of a fragment holds: in each of the rows, of these columns of that row of `object`, the
/// greatest or least.
struct Meaning {
    bool greatest = false, absolute = false;
    std::size_t object = 0;
    std::optional<int> warpgroup;
    int row = 0, rows = 0;
    std::vector<int> columns;
};

class Walk {
  public:
    Walk(const sema::Kernel& written, const sema::Kernel& fused) : written_(written), fused_(fused) {}

    std::optional<std::size_t> first_wrong() {
        for (std::size_t s = 0; s < written_.statements.size(); ++s) {
            const sema::Statement& now = fused_.statements[s];
            if (!same(written_.statements[s], now)) return s;
            for (const sema::FragmentAccess& access : sema::fragment_accesses(now))
                if (access.writes) forget(*access.region);
            const auto* copy = std::get_if<sema::TmemCopy>(&now.what);
            if (copy != nullptr && copy->fold && !note(*copy, now.warpgroup)) return s;
        }
        return std::nullopt;
    }

  private:
    using Column = std::pair<std::size_t, int>; // of a fragment

    void forget(const sema::Region& region) {
        for (auto each = meanings_.begin(); each != meanings_.end();) {
            const Meaning& meaning = each->second;
            const bool of_it = meaning.object == region.object &&
                               std::any_of(meaning.columns.begin(), meaning.columns.end(), [&](int c) {
                                   return region.col <= c && c < region.col + region.cols;
                               });
            each = of_it ? meanings_.erase(each) : std::next(each);
        }
    }

    /// Row r of the load's fragment must be row r of the new one, and the numbers be of one kind.
    bool note(const sema::TmemCopy& copy, const std::optional<int>& warpgroup) {
        const sema::LoadFold& fold = *copy.fold;
        const sema::Region& from = copy.fragment;
        const sema::Region& into = fold.into;
        if (copy.op != sema::TmemCopy::Op::ld || into.object < written_.fragments.size() ||
            into.row != from.row || into.rows != from.rows ||
            fused_.fragments[into.object].dtype != fused_.fragments[from.object].dtype ||
            fold.columns.size() != static_cast<std::size_t>(into.cols))
            return false;
        for (std::size_t i = 0; i < fold.columns.size(); ++i) {
            for (const int c : fold.columns[i])
                if (c < from.col || c >= from.col + from.cols) return false;
            meanings_[{into.object, into.col + static_cast<int>(i)}] = {
                fold.greatest, fold.absolute, from.object, warpgroup, from.row, from.rows, fold.columns[i]};
        }
        return true;
    }

    [[nodiscard]] bool same(const sema::Statement& before, const sema::Statement& now) const {
        if (before == now) return true;
        sema::Statement plain = now;
        if (auto* copy = std::get_if<sema::TmemCopy>(&plain.what)) copy->fold.reset();
        if (const auto* reduced = std::get_if<sema::Compute>(&now.what))
            if (const auto* compute = std::get_if<sema::Compute>(&before.what)) {
                if (!stands_for(*reduced, *compute, now.warpgroup)) return false;
                plain.what = *compute;
            }
        return plain == before;
    }

    [[nodiscard]] bool stands_for(const sema::Compute& now, const sema::Compute& before,
                                  const std::optional<int>& warpgroup) const {
        if (!now.reduction || !before.reduction || now.target != before.target ||
            now.reduction->what != before.reduction->what || !elements_of(now, 1))
            return false;
        const bool absolute = before.steps.back().what == What::absolute;
        if (!elements_of(before, absolute ? 2 : 1)) return false;
        const sema::Region& from = now.reduction->over;
        const sema::Region& over = before.reduction->over;
        if (from.row != over.row || from.rows != over.rows) return false;
        std::vector<int> columns, wanted;
        for (int c = from.col; c < from.col + from.cols; ++c) {
            const auto known = meanings_.find({from.object, c});
            if (known == meanings_.end()) return false;
            const Meaning& meaning = known->second;
            if (over.row < meaning.row || meaning.row + meaning.rows < over.row + over.rows) return false;
            if (meaning.object != over.object || meaning.absolute != absolute ||
                meaning.greatest != (now.reduction->what == What::maximum) ||
                (meaning.warpgroup && meaning.warpgroup != warpgroup))
                return false;
            columns.insert(columns.end(), meaning.columns.begin(), meaning.columns.end());
        }
        std::sort(columns.begin(), columns.end());
        for (int c = over.col; c < over.col + over.cols; ++c) wanted.push_back(c);
        return columns == wanted;
    }

    /// Whether it folds a fragment's elements, or in two steps those without their signs.
    [[nodiscard]] bool elements_of(const sema::Compute& compute, std::size_t steps) const {
        const sema::Step& first = compute.steps.front();
        return compute.steps.size() == steps && first.what == What::fragment &&
               first.spread == sema::Spread::each &&
               first.fragment.object == compute.reduction->over.object &&
               first.fragment.row == compute.reduction->over.row &&
               first.fragment.col == compute.reduction->over.col &&
               first.dtype == compute.steps.back().dtype &&
               first.dtype == fused_.fragments[first.fragment.object].dtype;
    }

    const sema::Kernel& written_;
    const sema::Kernel& fused_;
    std::map<Column, Meaning> meanings_;
};

} // namespace

std::optional<Mismatch> misfused(const sema::Kernel& written, const sema::Kernel& fused) {
    if (written == fused) return std::nullopt;
    sema::Kernel rest = fused; // new fragments stand behind the others
    rest.statements = written.statements;
    rest.fragments.resize(std::min(rest.fragments.size(), written.fragments.size()));
    rest.fragment_images.resize(std::min(rest.fragment_images.size(), written.fragment_images.size()));
    Mismatch made;
    made.what = "what is lowered is another program than the one that is written";
    if (rest != written || fused.statements.size() != written.statements.size()) return made;
    const auto wrong = Walk(written, fused).first_wrong();
    if (!wrong) return std::nullopt;
    made.statement = written.statements[*wrong].span;
    return made;
}

} // namespace tmemc::verify
