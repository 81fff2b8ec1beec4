// The two maps of a copy composed: for every register of the fragment's region, warp by warp, the cells its
// 32 threads must exchange with. Instructions move whole registers of whole warps, so this is all that the
// rest of the matcher looks at; rows and columns are forgotten here and only come back when a refusal is put
// into words.
//
// Example: 16-bit columns 0 and 1 of row 5 of a plain tile share register 0 of thread 5, so part 0 of that
// register meets the low half of (lane 5, column 0), part 1 its upper half. A copy of column 1 alone leaves
// part 0 empty.
//
// Replicas pair up by reach. A load fills every copy in the fragment from the first copy in the buffer that
// its warp reaches (choose.hpp may then prefer another). A store writes every copy in the buffer once, from
// the copy in the warp that reaches it, so one register may be stored to several cells: it then stands here
// once for each of the copies in its warp's lanes, the first of them in every thread's element together, the
// second, and so on, in the order of the layout's replicas. Stores that would need the second of one thread
// together with the first of another are refused; no two threads are tried in other orders.
#pragma once

#include "layout/tile_map.hpp"
#include "match/obstacle.hpp"

#include <optional>
#include <vector>

namespace tmemc::match {

/// Row and column where a region starts in its object.
struct Corner {
    int row = 0, col = 0;
    bool operator==(const Corner&) const = default;
};

/// A copy without names: two maps and a window of `rows x cols` elements on each.
struct Copy {
    const layout::SlotMap& slots;
    const layout::CellMap& cells;
    Corner in_slots, in_cells;
    int rows = 0, cols = 0;
    bool store = false;
    /// No element of the buffer lies in the upper half of a cell; sema calls it unpacked.
    bool spare_halves = false;
    int base = 0; // column of cells' first in the allocation, as far as its parity
};

/// A register of one warp that takes part.
struct WarpRegister {
    int warp = 0, reg = 0;
    bool operator==(const WarpRegister&) const = default;
};

struct Pairs {
    int parts = 1;                       // elements that share a register
    std::vector<WarpRegister> registers; // in the order in which the region's rows meet them
    std::vector<layout::Cell> cells;     // [(register * 32 + thread in warp) * parts + part]
    std::vector<std::uint8_t>
        present; // [register * 32 + thread in warp]: a bit for each part that is in the copy
    std::optional<Obstacle> obstacle; // the first element out of reach, or written twice

    [[nodiscard]] std::size_t word(std::size_t index, int thread) const {
        return index * 32 + static_cast<std::size_t>(thread);
    }
    /// The cell of a part that is present.
    [[nodiscard]] const layout::Cell& at(std::size_t index, int thread, int part) const {
        return cells[word(index, thread) * static_cast<std::size_t>(parts) + static_cast<std::size_t>(part)];
    }
};

/// Pairs every register with its cells. Elements out of reach are paired too, so that a refusal can go on to
/// compare.
[[nodiscard]] Pairs compose(const Copy& copy);

} // namespace tmemc::match
