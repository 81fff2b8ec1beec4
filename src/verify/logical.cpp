// The meaning of each kind of statement.
#include "verify/logical.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace tmemc::verify {

using Op = sema::TmemCopy::Op;

namespace {

/// Row `r` of a region.
template <class Place>
Elements<Place> row_of(const layout::TileMap<Place>& map, const sema::Region& region, int r,
                       std::span<const std::uint32_t> values) {
    return {&map.at(region.row + r, region.col), map.copies, map.bits, values};
}

/// The lowest bytes of each tag, the first byte the lowest, here as there.
void write(std::span<const std::uint32_t> tags, std::size_t bytes, std::byte* to) {
    if (bytes == sizeof tags[0]) {
        std::memcpy(to, tags.data(), tags.size_bytes());
        return;
    }
    for (std::size_t i = 0; i < tags.size(); ++i) std::memcpy(to + i * bytes, &tags[i], bytes);
}

/// A row's number: each thread folds what it holds in the order of its registers, those at even places and
/// those at odd ones, then threads fold with their neighbours.
std::uint32_t folded(const layout::SlotMap& slots, const sema::Reduction& reduction, int r, base::Dtype dtype,
                     const std::vector<std::uint32_t>& values) {
    std::map<int, std::map<std::pair<int, int>, std::uint32_t>> threads; // by register and bit
    std::map<int, int> first_column;
    for (int c = 0; c < reduction.over.cols; ++c)
        for (int k = 0; k < slots.copies; ++k) {
            const layout::Slot& slot = slots.at(reduction.over.row + r, reduction.over.col + c, k);
            first_column.emplace(slot.thread, c);
            threads[slot.thread][{slot.reg, slot.bit}] = values[static_cast<std::size_t>(c)];
        }
    std::vector<std::uint32_t> results;
    std::set<int> seen;
    for (const auto& [thread, mine] : threads) {
        if (!seen.insert(first_column[thread]).second) continue; // a copy of another thread's
        std::array<std::vector<std::uint32_t>, 2> places;
        for (const auto& [slot, value] : mine)
            places[(places[0].size() + places[1].size()) % 2].push_back(value);
        std::vector<std::uint32_t> both;
        for (std::vector<std::uint32_t>& each : places)
            if (!each.empty()) both.push_back(fold(reduction.what, dtype, std::move(each)));
        results.push_back(fold(reduction.what, dtype, std::move(both)));
    }
    return fold(reduction.what, dtype, std::move(results));
}

} // namespace

/// A bijection of 32-bit words whose every bit depends on all.
std::span<const std::uint32_t> Logical::next_tags(int count, int bits) {
    tags_.resize(static_cast<std::size_t>(count));
    const std::uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
    const std::uint32_t first = count_ + 1;
    for (std::size_t i = 0; i < tags_.size(); ++i) {
        std::uint32_t x = first + static_cast<std::uint32_t>(i);
        for (int round = 0; round < 2; ++round) {
            x ^= x >> 16;
            x *= 0x9E3779B1U;
        }
        tags_[i] = (x ^ x >> 15) & mask;
    }
    count_ += static_cast<std::uint32_t>(count);
    return tags_;
}

void Logical::before(const sema::TmemCopy& copy, int warpgroup) {
    const sema::Buffer& buffer = kernel_.buffers[copy.buffer.object];
    const sema::Fragment& fragment = kernel_.fragments[copy.fragment.object];
    const layout::CellMap& cells = kernel_.cells(buffer);
    const layout::SlotMap& slots = kernel_.slots(fragment);
    const int base = first_column(buffer);
    for (int r = 0; r < copy.fragment.rows; ++r) {
        const auto tags = next_tags(copy.fragment.cols, slots.bits);
        if (copy.fold) {
            // Rows below 0 tell kinds of numbers apart.
            const std::uint32_t sign = r % 2 == 1 ? 0x80000000 : 0;
            for (std::uint32_t& tag : tags_) tag = plausible(fragment.dtype, tag) | sign;
            expect_fold(copy, r, warpgroup);
        }
        const Slots slot_row = row_of(slots, copy.fragment, r, tags);
        const Cells::Row cell_row = row_of(cells, copy.buffer, r, tags);
        if (copy.op == Op::st) {
            registers_.tag(copy.fragment.object, warpgroup, slot_row);
            cells_.expect(base, cell_row);
        } else {
            registers_.expect(copy.fragment.object, warpgroup, slot_row);
            cells_.tag(base, cell_row);
        }
    }
    if (copy.op == Op::ld) cells_.mark_touched_as_written();
}

/// What a load of row `r` gives beside its elements, which are the latest tags.
void Logical::expect_fold(const sema::TmemCopy& copy, int r, int warpgroup) {
    const sema::LoadFold& fold = *copy.fold;
    const base::Dtype dtype = kernel_.fragments[copy.fragment.object].dtype;
    const sema::Step::What what = fold.greatest ? sema::Step::What::maximum : sema::Step::What::minimum;
    std::vector<std::uint32_t> results;
    results.reserve(fold.columns.size());
    for (const std::vector<int>& columns : fold.columns) {
        std::vector<std::uint32_t> values;
        values.reserve(columns.size());
        for (const int c : columns) {
            const std::uint32_t tag = tags_.at(static_cast<std::size_t>(c - copy.fragment.col));
            values.push_back(fold.absolute ? tag & 0x7fffffff : tag); // of f32 alone
        }
        results.push_back(verify::fold(what, dtype, std::move(values)));
    }
    registers_.expect(fold.into.object, warpgroup, row_of(slots_of(fold.into), fold.into, r, results));
}

/// What a masked load has outside the tensor is zero, what a store has there goes nowhere.
void Logical::before(const sema::GlobalCopy& copy, int warpgroup) {
    const bool load = copy.op == sema::GlobalCopy::Op::load;
    const Rectangle all = rectangle(kernel_, cta_, copy);
    const layout::SlotMap& slots = slots_of(copy.fragment);
    const auto bytes = static_cast<std::uint32_t>(slots.bits) / 8;
    // A row of the fragment is a row of the tensor, or else (a one-dimensional fragment lies along a column)
    // element by element.
    const bool across = copy.tensor.rows != copy.fragment.rows;
    const int together = across ? 1 : copy.fragment.cols;
    const std::vector<std::uint32_t> zeros(static_cast<std::size_t>(together));
    for (int r = 0; r < copy.fragment.rows; ++r)
        for (int from = 0; from < copy.fragment.cols; from += together) {
            const int row = across ? from : r, col = across ? r : from;
            const auto [first, last] = all.inside(row, col, together);
            const auto part = [&](int begin, std::span<const std::uint32_t> values) {
                return Slots{&slots.at(copy.fragment.row + r, copy.fragment.col + from + begin), slots.copies,
                             slots.bits, values};
            };
            const auto tags = next_tags(together, slots.bits);
            if (!load) registers_.tag(copy.fragment.object, warpgroup, part(0, tags));
            const auto outside = [&](int begin, int end) { // zero, whatever was there
                const auto count = static_cast<std::size_t>(end - begin);
                if (!load || count == 0) return;
                registers_.tag(copy.fragment.object, warpgroup, part(begin, tags.first(count)));
                registers_.expect(copy.fragment.object, warpgroup,
                                  part(begin, std::span<const std::uint32_t>(zeros).first(count)));
            };
            outside(0, first);
            outside(last, together);
            if (first == last) continue;
            const auto inside =
                tags.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
            const std::uint32_t size = bytes * static_cast<std::uint32_t>(last - first);
            const std::uint64_t where = tensors_.base(copy.tensor.object) +
                                        static_cast<std::uint64_t>(all.element(row, col + first)) * bytes;
            Tensors::Range range = tensors_.at(where, size);
            write(inside, bytes, range.expected);
            if (!load) {
                bytes_.push_back({where, size});
                continue;
            }
            registers_.expect(copy.fragment.object, warpgroup, part(first, inside));
            std::memset(range.written, 1, size);
            readable_.emplace_back(range.written, size);
            std::memcpy(range.real, range.expected, size);
        }
}

void Logical::before(const sema::Fill& fill, int warpgroup) {
    const layout::SlotMap& slots = kernel_.slots(kernel_.fragments[fill.fragment.object]);
    const std::vector<std::uint32_t> values(static_cast<std::size_t>(fill.fragment.cols), fill.bits);
    for (int r = 0; r < fill.fragment.rows; ++r)
        registers_.expect(fill.fragment.object, warpgroup, row_of(slots, fill.fragment, r, values));
}

void Logical::before(const sema::Compute& compute, int warpgroup) {
    const std::vector<sema::Step>& steps = compute.steps;
    // Operands first, all of them: a fragment may be read by several steps.
    for (const sema::Step& step : steps)
        if (step.what == sema::Step::What::fragment) tag_operand(step, warpgroup);
    slack_.assign(static_cast<std::size_t>(compute.target.rows), 0);
    std::vector<std::vector<std::uint32_t>> results; // a target may be its own operand
    results.reserve(static_cast<std::size_t>(compute.target.rows));
    for (int r = 0; r < compute.target.rows; ++r) results.push_back(row_of_target(compute, warpgroup, r));
    for (int r = 0; r < compute.target.rows; ++r)
        registers_.expect(
            compute.target.object, warpgroup,
            row_of(slots_of(compute.target), compute.target, r, results[static_cast<std::size_t>(r)]));
}

std::vector<std::uint32_t> Logical::row_of_target(const sema::Compute& compute, int warpgroup, int r) {
    auto values = evaluate(compute.steps, operands(compute, warpgroup, r));
    if (!compute.reduction) return values;
    const base::Dtype dtype = compute.steps.back().dtype;
    if (compute.reduction->what == sema::Step::What::add)
        slack_[static_cast<std::size_t>(r)] = slack(dtype, values);
    return {folded(slots_of(compute.reduction->over), *compute.reduction, r, dtype, values)};
}

/// What the fragments and scalars hold for row `r` of the elements.
Values Logical::operands(const sema::Compute& compute, int warpgroup, int r) const {
    const int cols = compute.elements().cols;
    Values values(compute.steps.size(), std::vector<std::uint32_t>(static_cast<std::size_t>(cols)));
    for (std::size_t i = 0; i < compute.steps.size(); ++i) {
        const sema::Step& step = compute.steps[i];
        if (step.what == sema::Step::What::scalar)
            std::fill(values[i].begin(), values[i].end(), cta_.scalars[step.parameter]);
        if (step.what != sema::Step::What::fragment) continue;
        const layout::SlotMap& slots = slots_of(step.fragment);
        const auto read = [&](const layout::Slot& first, std::span<std::uint32_t> into) {
            registers_.read(step.fragment.object, warpgroup, {&first, slots.copies, slots.bits, into}, into);
        };
        if (step.spread == sema::Spread::each) {
            read(slots.at(step.fragment.row + r, step.fragment.col), values[i]);
            continue;
        }
        for (int c = 0; c < cols; ++c) {
            const sema::Spot spot = sema::operand_spot(step, r, c);
            read(slots.at(spot.row, spot.col), {&values[i][static_cast<std::size_t>(c)], 1});
        }
    }
    return values;
}

void Logical::tag_operand(const sema::Step& step, int warpgroup) {
    const sema::Region& region = step.fragment;
    for (int r = 0; r < region.rows; ++r) {
        next_tags(region.cols, 32);
        for (std::uint32_t& tag : tags_) tag = plausible(step.dtype, tag);
        registers_.tag(region.object, warpgroup, row_of(slots_of(region), region, r, tags_));
    }
}

/// Results of functions that PTX only approximates are right when they are near, and NaNs whatever their
/// bits.
void Logical::settle(const sema::Compute& compute, int warpgroup) {
    const bool near = approximates(compute.steps);
    const layout::SlotMap& slots = slots_of(compute.target);
    const base::Dtype dtype = kernel_.fragments[compute.target.object].dtype;
    for (int r = 0; r < compute.target.rows; ++r)
        for (int c = 0; c < compute.target.cols; ++c)
            for (int k = 0; k < slots.copies; ++k)
                registers_.let_pass(
                    compute.target.object, warpgroup,
                    slots.at(compute.target.row + r, compute.target.col + c, k), slots.bits,
                    [=, slack = slack_[static_cast<std::size_t>(r)]](std::uint32_t a, std::uint32_t b) {
                        return both_nan(dtype, a, b) || (near && close(dtype, a, b, slack));
                    });
}

void Logical::before(const sema::Statement& statement, int warpgroup) {
    registers_.forget_touched();
    cells_.forget_touched();
    bytes_.clear();
    for (const auto& [written, size] : readable_) std::memset(written, 0, size);
    readable_.clear();
    std::visit([&](const auto& what) { before(what, warpgroup); }, statement.what);
}

void Logical::touched(const emulator::Log& log) {
    for (const emulator::Log::Cells& each : log.cells)
        if (each.store) cells_.touch(each.where.columns.first, each.where.columns.count);
    for (const emulator::Log::Bytes& each : log.bytes)
        if (!cells_.touch_bytes(true, each.address, each.address + each.bytes)) bytes_.push_back(each);
    for (const emulator::Log::Shared& each : log.shared) cells_.touch_bytes(false, each.first, each.last);
}

/// A store to an unpacked buffer leaves the upper halves of its cells to chance.
void Logical::settle(const sema::TmemCopy& copy) {
    const sema::Buffer& buffer = kernel_.buffers[copy.buffer.object];
    if (copy.op != Op::st || !kernel_.buffer_images[buffer.image].unpacked) return;
    const layout::CellMap& cells = kernel_.cells(buffer);
    for (int r = 0; r < copy.buffer.rows; ++r)
        for (int c = 0; c < copy.buffer.cols; ++c)
            for (int k = 0; k < cells.copies; ++k) {
                const layout::Cell& cell = cells.at(copy.buffer.row + r, copy.buffer.col + c, k);
                cells_.any_upper_half(cell.lane, first_column(buffer) + cell.column);
            }
}

std::optional<Mismatch> Logical::mismatch(const sema::Statement& statement, int warpgroup) {
    if (const auto* copy = std::get_if<sema::TmemCopy>(&statement.what)) settle(*copy);
    const auto* compute = std::get_if<sema::Compute>(&statement.what);
    if (compute != nullptr && registers_.compare(warpgroup)) settle(*compute, warpgroup);
    if (const auto wrong = registers_.compare(warpgroup)) return wrong_register(statement, *wrong);
    if (const auto wrong = cells_.compare()) return wrong_cell(statement, *wrong);
    for (const emulator::Log::Bytes& each : bytes_)
        if (auto wrong = wrong_byte(each.address, each.bytes)) return wrong;
    return std::nullopt;
}

} // namespace tmemc::verify
