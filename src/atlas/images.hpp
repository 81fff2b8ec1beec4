// Layouts with names. A datapath (A to G) is where the tensor core leaves an accumulator tile; an atom image
// is how a fragment spreads over threads so that a message of that shape moves it. Both are written down as
// digits of a Layout, as rows with their source (images.cpp), for a tile of N 32-bit words per row. The row
//     datapath B, 64 rows:  row 64:1@TLane;  word 2:64@TLane, rest:1@TCol
// says that N/2 words stay in the row's lane and the other half lies 64 lanes on; for 16-bit elements, two to
// a word, it becomes S[(64, 2, N/2, 2) : (1@TLane, 64@TLane, 2@TCol, 1@TCol)]. One function turns every row
// into its layout; no datapath and no atom has code of its own.
#pragma once

#include "layout/layout.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::atlas {

/// As an extent: as many words as the other word digits leave.
inline constexpr int rest = 0;
/// As a stride: behind all that the image's other digits put on the axis. The second 16-row slab of a 128-row
/// fragment has its registers behind the first's, however many those are.
inline constexpr int behind = 0;

/// A digit of an image's row or word coordinate.
struct ImageDigit {
    int extent = rest;
    int stride = behind; // in threads, lanes, or words
    layout::Axis axis{};
    bool operator==(const ImageDigit&) const = default;
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

/// Words per row of a tile of `cols` elements: 32-bit registers or cells; 0 when they do not fill whole
/// words.
[[nodiscard]] int words_per_row(int cols, int bits, bool unpacked = false);

/// The image as a layout of a rows x cols tile of `bits`-bit elements, whose words per row are a multiple of
/// word_multiple.
/// `unpacked` (16-bit buffers) gives every element a cell of its own. `sub_slab` 1 adds 16 lanes.
[[nodiscard]] layout::Layout layout_of(const ImageRow& row, int cols, int bits, bool unpacked = false,
                                       int sub_slab = 0);

} // namespace tmemc::atlas
