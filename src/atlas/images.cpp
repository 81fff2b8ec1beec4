// The rows of images.hpp and the one function that reads them. A row coordinate and a word coordinate are
// split into digits and every digit steps along an axis; the elements that share a word are one more digit
// below.
#include "atlas/images.hpp"

#include "base/invariant.hpp"

#include <algorithm>

namespace tmemc::atlas {

namespace {

using enum layout::Axis;

// clang-format off
const std::vector<ImageRow> datapaths{
    // name rows words slab  row digits                        word digits
    {"A", 128, 1, false, {{128, 1, TLane}},                 {{rest, 1, TCol}},                "PTX ISA 9.7.16.10.5, layout A: M=256, cta_group 2"},
    {"B", 64,  2, false, {{64, 1, TLane}},                  {{2, 64, TLane}, {rest, 1, TCol}}, "PTX ISA 9.7.16.10.5, layout B: M=128, cta_group 2, dense"},
    {"C", 64,  1, true,  {{4, 32, TLane}, {16, 1, TLane}},  {{rest, 1, TCol}},                "PTX ISA 9.7.16.10.5, layout C: M=128, cta_group 2, sparse"},
    {"D", 128, 1, false, {{128, 1, TLane}},                 {{rest, 1, TCol}},                "PTX ISA 9.7.16.10.5, layout D: M=128, cta_group 1"},
    {"E", 64,  2, false, {{64, 1, TLane}},                  {{2, 64, TLane}, {rest, 1, TCol}}, "PTX ISA 9.7.16.10.5, layout E: M=64, .ws"},
    {"F", 64,  1, true,  {{4, 32, TLane}, {16, 1, TLane}},  {{rest, 1, TCol}},                "PTX ISA 9.7.16.10.5, layout F: M=64, cta_group 1"},
    {"G", 32,  4, false, {{32, 1, TLane}},                  {{4, 32, TLane}, {rest, 1, TCol}}, "PTX ISA 9.7.16.10.5, layout G: M=32, .ws"},
};

// The 16-row atoms hold 16 rows as the figures of tcgen05.ld do: row a of the slab has its low three bits in thread
// bits 2..4. With 64 rows each warp holds one slab, with 128 rows two, the second's registers behind the first's.
const std::vector<ImageRow> atoms{
    // name       rows words slab  row digits                                                          word digits
    {"32x32b",   128, 1, false, {{128, 1, tid_in_wg}},                                            {{rest, 1, m}},                                    "PTX ISA 9.7.16.8, .32x32b: one row per thread"},
    {"32x32b",   64,  2, false, {{64, 1, tid_in_wg}},                                             {{2, 64, tid_in_wg}, {rest, 1, m}},                "what .32x32b delivers of datapath B or E"},
    {"32x32b",   32,  4, false, {{32, 1, tid_in_wg}},                                             {{4, 32, tid_in_wg}, {rest, 1, m}},                "what .32x32b delivers of datapath G"},
    {"16x64b",   128, 2, false, {{4, 1, wid_in_wg}, {2, behind, m}, {2, 1, laneid}, {8, 4, laneid}}, {{rest, 1, m}, {2, 2, laneid}},                 "PTX ISA 9.7.16.8, .16x64b: two slabs"},
    {"16x64b",   64,  2, false, {{4, 1, wid_in_wg}, {2, 1, laneid}, {8, 4, laneid}},              {{rest, 1, m}, {2, 2, laneid}},                    "PTX ISA 9.7.16.8, .16x64b"},
    {"16x128b",  128, 4, false, {{4, 1, wid_in_wg}, {2, behind, m}, {2, 1, m}, {8, 4, laneid}},   {{rest, 2, m}, {4, 1, laneid}},                    "PTX ISA 9.7.16.8, .16x128b: two slabs"},
    {"16x128b",  64,  4, false, {{4, 1, wid_in_wg}, {2, 1, m}, {8, 4, laneid}},                   {{rest, 2, m}, {4, 1, laneid}},                    "PTX ISA 9.7.16.8, .16x128b"},
    {"16x256b",  128, 8, false, {{4, 1, wid_in_wg}, {2, behind, m}, {2, 2, m}, {8, 4, laneid}},   {{rest, 4, m}, {4, 1, laneid}, {2, 1, m}},         "PTX ISA 9.7.16.8, .16x256b: two slabs"},
    {"16x256b",  64,  8, false, {{4, 1, wid_in_wg}, {2, 2, m}, {8, 4, laneid}},                   {{rest, 4, m}, {4, 1, laneid}, {2, 1, m}},         "PTX ISA 9.7.16.8, .16x256b"},
    {"16x32bx2", 64,  2, false, {{4, 1, wid_in_wg}, {16, 1, laneid}},                             {{2, 16, laneid}, {rest, 1, m}},                   "PTX ISA 9.7.16.8, .16x32bx2, the halves N/2 columns apart"},
};
// clang-format on

const ImageRow* find(const std::vector<ImageRow>& table, std::string_view name, int rows) {
    for (const ImageRow& row : table)
        if (row.name == name && row.rows == rows) return &row;
    return nullptr;
}

/// Words are counted along these axes; along the others, threads and lanes.
bool counts_words(layout::Axis axis) { return axis == m || axis == TCol; }

/// The digits of a row and its words with all extents and strides known, for `words` words per row.
std::vector<layout::Digit> resolve(const ImageRow& row, int words) {
    std::vector<layout::Digit> digits;
    for (const ImageDigit& each : row.row_digits) digits.push_back({each.extent, each.stride, each.axis});
    int named = 1;
    for (const ImageDigit& each : row.word_digits) named *= each.extent == rest ? 1 : each.extent;
    for (const ImageDigit& each : row.word_digits)
        digits.push_back({each.extent == rest ? words / named : each.extent, each.stride, each.axis});
    for (layout::Digit& last : digits) {
        if (last.stride != behind) continue;
        std::int64_t span = 1;
        for (const layout::Digit& other : digits)
            if (other.axis == last.axis) span += (other.extent - 1) * other.stride;
        last.stride = span;
    }
    return digits;
}

} // namespace

std::span<const ImageRow> datapath_rows() { return datapaths; }
std::span<const ImageRow> atom_rows() { return atoms; }
const ImageRow* datapath(std::string_view name, int rows) { return find(datapaths, name, rows); }
const ImageRow* atom(std::string_view name, int rows) { return find(atoms, name, rows); }

int words_per_row(int cols, int bits, bool unpacked) {
    if (unpacked) return cols;
    const int per_word = 32 / bits;
    return cols % per_word == 0 ? cols / per_word : 0;
}

layout::Layout layout_of(const ImageRow& row, int cols, int bits, bool unpacked, int sub_slab) {
    const int words = words_per_row(cols, bits, unpacked);
    base::invariant(words > 0 && words % row.word_multiple == 0, "atlas: the columns do not fit the image");
    base::invariant(sub_slab == 0 || row.sub_slab, "atlas: this image has no sub-slab");
    const int slots = 32 / bits; // of an element's size in a word; an unpacked word uses the first only
    layout::Layout result;
    result.shard = resolve(row, words);
    for (layout::Digit& digit : result.shard)
        if (counts_words(digit.axis)) digit.stride *= slots;
    if (slots > 1 && !unpacked) {
        const auto along = row.word_digits.front();
        const bool buffer = along.axis == TLane || along.axis == TCol;
        result.shard.push_back({slots, 1, buffer ? TCol : m});
    }
    result.offset[TLane] = std::int64_t{16} * sub_slab;
    return result;
}

} // namespace tmemc::atlas
