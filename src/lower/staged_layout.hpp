// A warp's part of shared memory, on the way between its fragment and global memory. It holds some of the
// warp's columns, all its rows below each other. The chunks of 16 bytes of a row change places: of C chunks a
// row, chunk c of row r lies at r*C + (c ^ (r mod 8)), here for C = 8 chunks:
//
//     row 0    0 1 2 3 4 5 6 7        A thread that owns a row reads one chunk after the other, and the 8
//     row 1    1 0 3 2 5 4 7 6        threads of a phase read the same chunk of 8 rows: a column of the
//     row 2    2 3 0 1 6 7 4 5        picture, in which no two lie below each other, so no two in one
//     row 3    3 2 1 0 7 6 5 4        group of banks. The other side walks the rows from left to right,
//     ...                             16 bytes a thread, which has no conflict either.
//
// Rows of 2 or 4 chunks change by the line of 128 bytes in which they lie, r / (8/C) mod C. An address is the
// exclusive or of what the bits of row and byte contribute, so that of what the bits of the thread number
// contribute (linear_form.hpp). Rows and columns here are places in the lists of those that the warp holds,
// of the 64-row image of 32x32b, say, rows 0 to 31 and the columns of one half; a fragment of which some warp
// holds anything but rows by columns cannot be staged. Conflicts: two lanes meet in a bank of 16x64b and of
// 16x256b, nowhere else (tests/unit/lower/global_path_test.cpp counts them). Measured on an H200: 97 to 99%
// of the speed of cudaMemcpy for all of these from 64 bytes a row on. Not here: accesses (staged_plan.hpp).
#pragma once

#include "atlas/limits.hpp"
#include "layout/tile_map.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <variant>
#include <vector>

namespace tmemc::lower {

inline constexpr int warps = atlas::warps_per_group;
inline constexpr int chunk_bytes = 16; // what moves as one

/// A number whose sum is the exclusive or.
struct XorBytes {
    std::uint32_t value = 0;
    friend XorBytes operator+(XorBytes a, XorBytes b) { return {a.value ^ b.value}; }
    friend XorBytes operator-(XorBytes a, XorBytes b) { return {a.value ^ b.value}; }
    bool operator==(const XorBytes&) const = default;
};
/// Where byte `byte` of row `row` lies; a row has `row_bytes` bytes, a power of two.
[[nodiscard]] std::uint32_t swizzled(int row, int byte, int row_bytes);

/// The rows and columns of which a warp holds every element, ascending; none when it holds nothing.
struct WarpTile {
    std::vector<int> rows, cols;
    bool operator==(const WarpTile&) const = default;
};
using WarpTiles = std::array<WarpTile, warps>;
/// Or else the first warp that holds something else. With `every_copy` false only the first copy of each
/// element counts.
[[nodiscard]] std::variant<WarpTiles, int> warp_tiles(const layout::SlotMap& slots, bool every_copy);
/// The next power of two from the longest list of rows on.
[[nodiscard]] int staged_rows(const WarpTiles& tiles);

/// Places [first, first + count) in the lists of columns of some warps: consecutive columns of theirs, all
/// inside the region; `count` is a power of two and divides `first`.
struct Window {
    int first = 0, count = 0;
    std::bitset<warps> in; // warps
    bool operator==(const Window&) const = default;
};
/// All that lies in columns [from, to), in windows of at most `most` columns.
[[nodiscard]] std::vector<Window> windows(const WarpTiles& tiles, int from, int to, int most);

} // namespace tmemc::lower
