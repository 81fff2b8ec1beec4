// Why a copy is no sequence of messages, in numbers: the first place at which it fails. refuse.cpp turns it
// into the program's words. Everything is counted from 0; row and col count inside the copy's region.
#pragma once

#include "atlas/shapes.hpp"

#include <cstdint>

namespace tmemc::match {

struct Obstacle {
    enum class What : std::uint8_t {
        reach,       // `thread` holds (row, col), whose cell (lane, column) its warp does not reach
        two_writers, // `thread`'s `reg` and `other_thread`'s `other_reg` would both write (lane, column)
        part_word,   // `reg` of `thread` is in the copy, but its bits from `bit` on are not
        mixed_word,  // the elements of `reg` of `thread` do not fill a cell, nor the low halves of two
                     // neighbours
        part_warp,   // `reg` is in the copy for some threads of the warp, but not for `thread`
        pattern,     // the cells of `reg` of the warp of `thread` are no shape's; the warp's first element is
                     // (row, col)
        part_unit,   // `shape` moves `reg` together with one that meets (lane, column); the copy has none
        odd_column,  // a packing message would start at (lane, column), an odd column of the allocation
        upper_half,  // storing `reg` of `thread` unpacked would overwrite what the upper half of (lane,
                     // column) holds
        too_wide,    // `shape` moves `reg` registers at once, and fewer are allowed
    };
    What what{};
    int row = 0, col = 0;
    int thread = 0, reg = 0, bit = 0;
    int lane = 0, column = 0;
    int other_thread = 0, other_reg = 0;
    atlas::Shape shape{};
    bool operator==(const Obstacle&) const = default;
};

} // namespace tmemc::match
