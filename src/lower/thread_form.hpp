// A fragment's map turned round: for every slot of a thread's registers, the element that lies there, as a
// formula in the bits of the thread number. Images are made of such formulas, and addresses are computed from
// them. In the 16x256b image of a 64 x 8 tile the slots are registers 0 to 3 and
//
//     row = 16*t6t5 + t4t3t2 (+ 8 in registers 2 and 3),   column = 2*t1t0 (+ 1 in registers 1 and 3)
//
// so thread bit 0 adds (0, 2), bit 2 adds (1, 0), bit 5 adds (16, 0). A literal may write down a map that no
// single formula covers; then the threads are halved until one covers each part, and a kernel gets a set of
// accesses for each. Not here: bytes and pointers (global_access.hpp).
#pragma once

#include "layout/tile_map.hpp"
#include "lower/linear_form.hpp"

#include <vector>

namespace tmemc::lower {

/// A row and a column, or a step in them.
struct Place {
    int row = 0, col = 0;
    friend Place operator+(Place a, Place b) { return {a.row + b.row, a.col + b.col}; }
    friend Place operator-(Place a, Place b) { return {a.row - b.row, a.col - b.col}; }
    bool operator==(const Place&) const = default;
};

using SlotForm = LinearSlot<Place>;
using ThreadForm = LinearForm<Place>;

/// The forms of an image: disjoint sets of threads, most often one of all. With `every_copy` false only the
/// first copy of each element counts.
[[nodiscard]] std::vector<ThreadForm> thread_forms(const layout::SlotMap& slots, bool every_copy);

/// The part of a form whose elements lie in rows x cols from `from`, counted from there.
[[nodiscard]] ThreadForm restricted(const ThreadForm& form, Place from, int rows, int cols);

} // namespace tmemc::lower
