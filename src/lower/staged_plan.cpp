// Window by window: the fragment's side, the walk, and a place in a round.
#include "lower/staged_plan.hpp"

#include "atlas/costs.hpp"
#include "atlas/limits.hpp"

#include <algorithm>
#include <set>

namespace tmemc::lower {
namespace {

constexpr int lanes = atlas::lanes_per_warp;

/// A window with its measures.
struct Part {
    const sema::GlobalCopy& copy;
    const sema::Tensor& tensor;
    const WarpTiles& tiles;
    Window window;
    int rows = 0;    // that the warp's part has room for
    int element = 0; // bytes
    int area = 0;    // where in the warp's part the piece begins, a multiple of its size

    [[nodiscard]] int row_bytes() const { return window.count * element; }
    [[nodiscard]] int bytes() const { return rows * row_bytes(); }
    [[nodiscard]] std::uint32_t at(int row, int byte) const {
        return static_cast<std::uint32_t>(area) ^ swizzled(row, byte, row_bytes());
    }
};

/// Places in the lists of a warp's rows and columns; -1: not among them.
struct Numbers {
    std::array<std::vector<int>, warps> row, col;
    Numbers(const WarpTiles& tiles, int rows, int cols) {
        for (std::size_t w = 0; w < warps; ++w) {
            row[w].assign(static_cast<std::size_t>(rows), -1);
            col[w].assign(static_cast<std::size_t>(cols), -1);
            int next = 0;
            for (const int each : tiles[w].rows) row[w][static_cast<std::size_t>(each)] = next++;
            next = 0;
            for (const int each : tiles[w].cols) col[w][static_cast<std::size_t>(each)] = next++;
        }
    }
};

/// The largest power of two of at most a chunk that divides what every thread bit contributes.
int alignment(const StagedBits& bits) {
    std::uint32_t all = chunk_bytes;
    for (const XorBytes& each : bits) all |= each.value;
    return static_cast<int>(all & -all);
}

/// The columns of the window, of all its warps.
std::set<int> columns(const Part& part) {
    std::set<int> all;
    for (std::size_t w = 0; w < warps; ++w)
        if (part.window.in[w]) {
            const auto first = part.tiles[w].cols.begin() + part.window.first;
            all.insert(first, first + part.window.count);
        }
    return all;
}

std::vector<StagedGroup> fragment_side(const Part& part, const layout::SlotMap& slots,
                                       const Numbers& numbers) {
    const sema::Region& region = part.copy.fragment;
    const int copies = part.copy.op == sema::GlobalCopy::Op::load ? slots.copies : 1;
    SlotTable<XorBytes> table;
    const std::set<int> cols = columns(part);
    for (int row = region.row; row < region.row + region.rows; ++row)
        for (const int col : cols)
            for (int k = 0; k < copies; ++k) {
                const layout::Slot& slot = slots.at(row, col, k);
                const auto warp = static_cast<std::size_t>(slot.thread / lanes);
                const int place = numbers.col[warp][static_cast<std::size_t>(col)] - part.window.first;
                if (!part.window.in[warp] || place < 0 || place >= part.window.count) continue;
                SlotValues<XorBytes>& into = table[{slot.reg, slot.bit}];
                into.threads.set(slot.thread);
                into.values[slot.thread] = {
                    part.at(numbers.row[warp][static_cast<std::size_t>(row)], place * part.element)};
            }
    std::vector<StagedGroup> groups;
    for (const LinearForm<XorBytes>& form : linear_forms(table)) {
        std::vector<Piece> pieces;
        pieces.reserve(form.slots.size());
        for (const LinearSlot<XorBytes>& slot : form.slots)
            pieces.push_back({slot.threads, slot.constant.value, slot.reg, slot.bit});
        groups.push_back({form.bits, gather(pieces, part.element, alignment(form.bits))});
    }
    return groups;
}

/// The walk of units of so many bytes: unit j is that of lane j % 32 in step j / 32.
SlotTable<Place> walk_table(const Part& part, int unit) {
    const int in_row = part.row_bytes() / unit, registers = std::max(unit / 4, 1);
    SlotTable<Place> table;
    for (std::size_t w = 0; w < warps; ++w) {
        if (!part.window.in[w]) continue;
        const WarpTile& tile = part.tiles[w];
        for (int j = 0; j < static_cast<int>(tile.rows.size()) * in_row; ++j)
            for (int byte = 0; byte < unit; byte += part.element) {
                const int reg = j / lanes * registers + byte / 4;
                const auto thread = static_cast<std::size_t>(j % lanes) + w * lanes;
                const int col = part.window.first + (j % in_row * unit + byte) / part.element;
                SlotValues<Place>& into = table[{reg, byte % 4 * 8}];
                into.threads.set(thread);
                into.values[thread] = {tile.rows[static_cast<std::size_t>(j / in_row)],
                                       tile.cols[static_cast<std::size_t>(col)]};
            }
    }
    return table;
}

/// Units as large as memory allows in every access.
void add_walk(const Part& part, StagedPiece& piece) {
    int unit = std::min(chunk_bytes, part.row_bytes());
    if (unit < 4) unit = part.element;
    while (true) {
        piece.walk = accesses(part.copy, part.tensor, linear_forms(walk_table(part, unit)), chunk_bytes);
        const bool fits = std::all_of(piece.walk.begin(), piece.walk.end(), [&](const AccessGroup& group) {
            return std::all_of(group.accesses.begin(), group.accesses.end(),
                               [&](const Access& access) { return access.bytes >= unit; });
        });
        if (fits || unit <= part.element) break;
        unit = unit > 4 ? unit / 2 : part.element;
    }
    for (AccessGroup& group : piece.walk)
        for (Access& access : group.accesses) access.fills_register = true; // it is the walk's own
    const int in_row = part.row_bytes() / unit, registers = std::max(unit / 4, 1);
    const auto place = [&](int j) { return part.at(j / in_row, j % in_row * unit); };
    for (std::size_t bit = 0; bit < 5; ++bit) piece.walk_bits[bit] = {place(1 << bit) ^ place(0)};
    for (int reg = 0; reg * lanes < part.rows * in_row * registers; ++reg)
        piece.walk_offsets.push_back(place(reg / registers * lanes) ^
                                     static_cast<std::uint32_t>(reg % registers * 4));
}

} // namespace

StagedPlan plan_staged(const sema::GlobalCopy& copy, const sema::Tensor& tensor, const layout::SlotMap& slots,
                       const WarpTiles& tiles, int most_bytes) {
    const Numbers numbers(tiles, slots.rows, slots.cols);
    const int rows = staged_rows(tiles), element = base::bytes(tensor.dtype);
    const int most = std::max(1, std::min(atlas::staged_row_bytes, most_bytes / rows) / element);
    StagedPlan plan;
    int used = 0;
    for (const Window& window :
         windows(tiles, copy.fragment.col, copy.fragment.col + copy.fragment.cols, most)) {
        Part part{copy, tensor, tiles, window, rows, element, 0};
        part.area = (used + part.bytes() - 1) / part.bytes() * part.bytes();
        if (plan.rounds.empty() || part.area + part.bytes() > most_bytes) {
            plan.rounds.emplace_back();
            part.area = 0;
        }
        used = part.area + part.bytes();
        plan.bytes = std::max(plan.bytes, used);
        StagedPiece& piece = plan.rounds.back().emplace_back();
        piece.fragment = fragment_side(part, slots, numbers);
        add_walk(part, piece);
    }
    return plan;
}

} // namespace tmemc::lower
