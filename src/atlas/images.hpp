// Layouts with names. A datapath (A to G) is where the tensor core leaves an accumulator tile; an atom image is how a
// fragment spreads over threads so that a message of that shape moves it. Both are written down as digits of a
// Layout, as rows with their source (datapaths.def, atoms.def), for a tile of N 32-bit words per row. The row
//     datapath B, 64 rows:  rows 64:1@TLane, halves 2:64@TLane, words N/2:1@TCol
// becomes S[(64, 2, N/2 * 2) : (1@TLane, 64@TLane, 1@TCol)] for N words of two 16-bit elements each.
// Columns of 8- and 16-bit elements stay dense: 32/bits of them share a word.
#pragma once

#include "layout/layout.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::atlas {

/// A digit of an image's row or word coordinate. extent 0 stands for "all words that the other digits leave".
struct ImageDigit {
    int extent = 0;
    int stride = 0; // in threads, lanes, or words
    layout::Axis axis{};
};

/// One named image: the digits of the row, then those of the word column, most significant first.
struct ImageRow {
    std::string_view name; // "D", "16x256b"
    int rows = 0;          // 128, 64 or 32
    int word_multiple = 1; // words per row must be a multiple of this
    bool sub_slab = false; // may be moved by 16 lanes
    std::vector<ImageDigit> row_digits;
    std::vector<ImageDigit> word_digits;
    std::string_view source;
};

[[nodiscard]] std::span<const ImageRow> datapath_rows();
[[nodiscard]] std::span<const ImageRow> atom_rows(); // the fragment images, one per (name, rows)

/// The row named `name` with `rows` rows, or null.
[[nodiscard]] const ImageRow* datapath(std::string_view name, int rows);
[[nodiscard]] const ImageRow* atom(std::string_view name, int rows);

/// The image as a layout of a rows x cols tile of `bits`-bit elements; cols*bits/32 is a multiple of word_multiple.
/// `unpacked` (16-bit buffers) gives every element a cell of its own. `sub_slab` 1 adds 16 lanes.
[[nodiscard]] layout::Layout layout_of(const ImageRow& row, int cols, int bits, bool unpacked = false, int sub_slab = 0);

} // namespace tmemc::atlas
