// Rectangles first, then maps, element by element.
#include "order/tensor_meetings.hpp"

#include "sema/indices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tmemc::order {
namespace {

constexpr auto load = sema::GlobalCopy::Op::load;
constexpr int warp_threads = 32;

/// The fragment's element that meets the one (row, col) from the corner of the tensor's region.
sema::Spot spot(const sema::GlobalCopy& copy, std::int64_t row, std::int64_t col) {
    if (copy.tensor.rows != copy.fragment.rows) std::swap(row, col); // one dimension, along a row
    return {copy.fragment.row + static_cast<int>(row), copy.fragment.col + static_cast<int>(col)};
}

/// Whether the two move in the same way from CTA to CTA.
bool alike(const sema::GlobalCopy& a, const sema::GlobalCopy& b) {
    return a.tensor.row_base.step == b.tensor.row_base.step &&
           a.tensor.col_base.step == b.tensor.col_base.step;
}

/// Whether one does what the other did, with another fragment of the same kind at most.
bool same(const sema::Kernel& kernel, const sema::GlobalCopy& a, const sema::GlobalCopy& b) {
    const sema::Region &x = a.tensor, &y = b.tensor;
    return a.op == b.op && x.row == y.row && x.col == y.col && x.rows == y.rows && x.cols == y.cols &&
           alike(a, b) && a.fragment.row == b.fragment.row && a.fragment.col == b.fragment.col &&
           kernel.fragments[a.fragment.object].image == kernel.fragments[b.fragment.object].image;
}

/// Warpgroups that run the one and the other, two different ones if there are such. The turns of a store that
/// each warpgroup does for itself are left alone: the last one of any of them leaves the same.
std::pair<int, int> groups(const sema::Kernel& kernel, const sema::Statement& later,
                           const sema::Statement& earlier) {
    if (later.warpgroup && earlier.warpgroup) return {*later.warpgroup, *earlier.warpgroup};
    const bool lone_store = later.span == earlier.span && later.warpgroup == earlier.warpgroup &&
                            std::get<sema::GlobalCopy>(later.what).op != load;
    const int one = (later.warpgroup ? later.warpgroup : earlier.warpgroup).value_or(0);
    const int other = kernel.warpgroups == 1 || lone_store ? one : one == 0 ? 1 : 0;
    return later.warpgroup ? std::pair(one, other) : std::pair(other, one);
}

/// How many copies of an element a copy moves.
int moved(const sema::GlobalCopy& copy, const layout::SlotMap& slots) {
    return copy.op == load ? slots.copies : 1;
}

} // namespace

bool TensorMeetings::Bounds::meets(const Bounds& other) const {
    return row < other.last_row && other.row < last_row && col < other.last_col && other.col < last_col;
}

TensorMeetings::TensorMeetings(const sema::Kernel& kernel) : kernel_(kernel) {
    const auto& grid = kernel.grid;
    steps_[0] = sema::values_in(kernel, {0, 0, 0});
    steps_[1] = sema::values_in(kernel, {grid[0] - 1, grid[1] - 1, grid[2] - 1});
}

const sema::GlobalCopy& TensorMeetings::copy(std::size_t statement) const {
    return std::get<sema::GlobalCopy>(kernel_.statements[statement].what);
}

TensorMeetings::Bounds TensorMeetings::bounds(const sema::GlobalCopy& copy, std::size_t cta) const {
    const sema::Region& region = copy.tensor;
    const auto value = [&](const sema::Base& base) { return base.step == 0 ? 0 : steps_[cta].at(base.step); };
    Bounds made{region.row + value(region.row_base), region.col + value(region.col_base), 0, 0};
    made.last_row = made.row + region.rows;
    made.last_col = made.col + region.cols;
    return made;
}

Encounter TensorMeetings::worst(std::size_t statement) {
    const auto known = since_.find(copy(statement).tensor.object);
    if (known == since_.end() || (copy(statement).op == load && !known->second.stored)) return {};
    const std::array<Bounds, 2> where{bounds(copy(statement), 0), bounds(copy(statement), 1)};
    const bool all_alike =
        known->second.alike && alike(copy(statement), copy(known->second.copies.front().statement));
    if (all_alike && !where[0].meets(known->second.all[0])) return {};
    Encounter worst;
    for (const Past& past : known->second.copies) {
        if (copy(statement).op == load && copy(past.statement).op == load) continue;
        const Encounter found = meet(statement, where, past);
        if (found.how > worst.how) worst = found;
        if (worst.how == Meeting::across_warps) break;
    }
    return worst;
}

Encounter TensorMeetings::meet(std::size_t statement, const std::array<Bounds, 2>& where, const Past& past) {
    Encounter worst;
    for (std::size_t cta = 0; cta < where.size(); ++cta)
        if (where[cta].meets(past.where[cta])) {
            const Encounter found = in_cta(statement, past, where[cta], past.where[cta]);
            if (found.how > worst.how) worst = found;
        }
    const bool same_way = alike(copy(statement), copy(past.statement));
    if (!same_way && worst.how < Meeting::in_warp) worst.how = Meeting::in_warp; // perhaps, in another CTA
    return worst;
}

Encounter TensorMeetings::in_cta(std::size_t statement, const Past& past, const Bounds& here,
                                 const Bounds& there) {
    const sema::GlobalCopy &a = copy(statement), &b = copy(past.statement);
    Bounds both{std::max(here.row, there.row), std::max(here.col, there.col),
                std::min(here.last_row, there.last_row), std::min(here.last_col, there.last_col)};
    if (a.masked || b.masked) { // nobody takes what lies outside
        const auto& tensor = std::get<sema::Tensor>(kernel_.parameters[a.tensor.object]);
        both.row = std::max<std::int64_t>(both.row, 0);
        both.col = std::max<std::int64_t>(both.col, 0);
        both.last_col = std::min(both.last_col, tensor.extents.back());
        if (tensor.extents.size() == 2 && !tensor.extent_from)
            both.last_row = std::min(both.last_row, tensor.extents.front());
    }
    if (both.row >= both.last_row || both.col >= both.last_col) return {};
    const auto& of_a = kernel_.fragments[a.fragment.object];
    const auto& of_b = kernel_.fragments[b.fragment.object];
    // Of two warpgroups, elements of any two threads meet.
    const std::pair<int, int> ran =
        groups(kernel_, kernel_.statements[statement], kernel_.statements[past.statement]);
    const sema::Spot first_a = spot(a, both.row - here.row, both.col - here.col),
                     first_b = spot(b, both.row - there.row, both.col - there.col);
    const Key key{static_cast<std::int64_t>(of_a.image),
                  static_cast<std::int64_t>(of_b.image),
                  first_a.row,
                  first_a.col,
                  first_b.row,
                  first_b.col,
                  both.last_row - both.row,
                  both.last_col - both.col,
                  (a.op == load ? 1 : 0) + (b.op == load ? 2 : 0),
                  (a.tensor.rows != a.fragment.rows ? 1 : 0) + (b.tensor.rows != b.fragment.rows ? 2 : 0),
                  ran.first,
                  ran.second};
    auto [known, fresh] = known_.try_emplace(key);
    Encounter& found = known->second;
    const layout::SlotMap &slots_a = kernel_.slots(of_a), &slots_b = kernel_.slots(of_b);
    const auto look = [&](std::int64_t r, std::int64_t c) {
        const sema::Spot at_a = spot(a, both.row + r - here.row, both.col + c - here.col);
        const sema::Spot at_b = spot(b, both.row + r - there.row, both.col + c - there.col);
        for (int i = 0; i < moved(a, slots_a); ++i)
            for (int j = 0; j < moved(b, slots_b); ++j) {
                const int x = slots_a.at(at_a.row, at_a.col, i).thread,
                          y = slots_b.at(at_b.row, at_b.col, j).thread;
                const int warp = ran.first * 4 + x / warp_threads,
                          earlier_warp = ran.second * 4 + y / warp_threads;
                const Meeting how = warp != earlier_warp ? Meeting::across_warps
                                    : x != y             ? Meeting::in_warp
                                                         : Meeting::in_thread;
                if (how > found.how) found = {how, r, c, warp, earlier_warp, 0};
            }
    };
    for (std::int64_t r = 0; fresh && r < both.last_row - both.row; ++r)
        for (std::int64_t c = 0; c < both.last_col - both.col && found.how != Meeting::across_warps; ++c)
            look(r, c);
    Encounter here_too = found;
    here_too.row += both.row;
    here_too.col += both.col;
    here_too.earlier = past.statement;
    return here_too;
}

void TensorMeetings::remember(std::size_t statement) {
    const sema::GlobalCopy& done = copy(statement);
    const auto [known, fresh] = since_.try_emplace(done.tensor.object);
    Tensor& tensor = known->second;
    const std::array<Bounds, 2> where{bounds(done, 0), bounds(done, 1)};
    // A turn of a loop that does what one of the last did meets what that one met.
    constexpr std::ptrdiff_t looked_at = 8;
    const auto last = tensor.copies.rbegin();
    const auto end = last + std::min(looked_at, static_cast<std::ptrdiff_t>(tensor.copies.size()));
    if (std::any_of(last, end, [&](const Past& past) {
            return same(kernel_, done, copy(past.statement)) &&
                   kernel_.statements[past.statement].warpgroup == kernel_.statements[statement].warpgroup;
        }))
        return;
    tensor.alike = tensor.alike && (fresh || alike(done, copy(tensor.copies.front().statement)));
    tensor.copies.push_back({statement, where});
    tensor.stored = tensor.stored || done.op != load;
    for (std::size_t cta = 0; cta < where.size(); ++cta) {
        Bounds& all = tensor.all[cta];
        if (fresh) all = where[cta];
        all = {std::min(all.row, where[cta].row), std::min(all.col, where[cta].col),
               std::max(all.last_row, where[cta].last_row), std::max(all.last_col, where[cta].last_col)};
    }
}

void report_unsynchronized(const sema::Kernel& kernel, sema::Reports& reports) {
    TensorMeetings meetings(kernel);
    for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
        const sema::Statement& statement = kernel.statements[s];
        if (std::holds_alternative<sema::Sync>(statement.what)) meetings.forget();
        const auto* copy = std::get_if<sema::GlobalCopy>(&statement.what);
        if (copy == nullptr) continue;
        const Encounter met = meetings.worst(s);
        meetings.remember(s);
        if (met.how != Meeting::across_warps) continue;
        const sema::Statement& earlier = kernel.statements[met.earlier];
        const bool was_load = std::get<sema::GlobalCopy>(earlier.what).op == load;
        const auto& tensor = std::get<sema::Tensor>(kernel.parameters[copy->tensor.object]);
        const std::string place = tensor.extents.size() == 2
                                      ? fmt::format("row {}, column {}", met.row, met.col)
                                      : fmt::format("element {}", met.col);
        reports.set_iteration(statement.iteration);
        reports
            .report(base::catalogue::unsynchronized_element, statement.span, met.warp,
                    copy->op == load ? "loads" : "stores", place, tensor.name, met.earlier_warp,
                    was_load ? "loads" : "stores")
            .label(earlier.span, fmt::format("the {} is here{}", was_load ? "load" : "store",
                                             earlier.span == statement.span ? ", in an earlier turn" : ""))
            .help(kernel.function
                      ? "end the function here, and let the caller put its barrier between two calls"
                  : statement.warpgroup ? "end the block of `on`, put `sync;` behind it, and begin another"
                                        : "put `sync;` between the two");
    }
}

} // namespace tmemc::order
