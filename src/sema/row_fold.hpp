// How threads make one number of a row. `M = row_max(X);` with X in the 16x256b image of 64 rows: row 5 lies
// in the quad of threads 20 to 23, two columns of every eight in each. So
//
//     each thread folds its own elements of the row, in the order of its registers: the 1st, 3rd, 5th and the
//     2nd, 4th, 6th by themselves, neighbours first, then the two results;
//     threads t and t^1 exchange what they have, and fold; then t and t^2.
//
// The order matters for row_sum alone. A thread that holds whole rows, as in 32x32b, has nobody to exchange
// with. All threads execute the same instructions, so the elements of a row must lie in registers that
// correspond in all threads, and rows within a warp, in lanes whose numbers differ in whole bits.
#pragma once

#include "sema/program.hpp"
#include "sema/slot_pairs.hpp"

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tmemc::sema {

struct RowFold {
    /// For each slot of the target, by register and bit, its thread's elements of the row.
    std::map<std::pair<int, int>, std::vector<RegisterSlot>> elements;
    std::vector<int> exchanges; // distances of threads, powers of two, ascending
    bool operator==(const RowFold&) const = default;
};

/// Why it does not go: "row 3 is held by threads 3 and 67, in two warps".
struct Scattered {
    std::string reason;
    bool operator==(const Scattered&) const = default;
};

/// `target_region` is a column of as many rows as `over`.
[[nodiscard]] std::variant<RowFold, Scattered> row_fold(const layout::SlotMap& map, const Region& over,
                                                        const layout::SlotMap& target,
                                                        const Region& target_region);

} // namespace tmemc::sema
