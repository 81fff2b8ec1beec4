// Elements to words. A register holds 1, 2 or 4 elements, and so does a cell; a message exchanges whole
// registers with whole cells, or, when it packs (.pack::16b, .unpack::16b), each half of a register with the
// low half of a cell of its own. So the parts of a register must fill one cell in the same order, or the low
// halves of two neighbouring cells; and all 32 threads of the warp must do the same. Example: f16 columns 2
// and 3 in register 1 meet cell 1 of a dense tile, or the low halves of cells 2 and 3 of an unpacked one.
// Columns 1 and 2 never share a register with a cell: the slice [:, 1:3] is refused here.
#pragma once

#include "match/compose.hpp"

#include <array>
#include <variant>
#include <vector>

namespace tmemc::match {

/// A register of one warp and the cell that each of its threads meets: for a packed one, the first of two
/// neighbours.
struct RegisterCells {
    int warp = 0, reg = 0;
    bool pack = false;
    std::array<atlas::Step, 32> cells{}; // lanes of the CTA, 0..127
};

/// The copy's registers in the order of `pairs`, or the first that is no word.
[[nodiscard]] std::variant<std::vector<RegisterCells>, Obstacle> words_of(const Pairs& pairs);

} // namespace tmemc::match
