// Every image row against the formulas of the language reference, over widths and element sizes.
#include "atlas/images.hpp"

#include "atlas/limits.hpp"
#include "layout/tile_map.hpp"
#include "tmem_oracle.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tmemc;
using namespace tmemc::atlas;

namespace {

struct Sort { // of elements
    int bits;
    bool unpacked;
};
constexpr Sort sorts[] = {{32, false}, {16, false}, {16, true}, {8, false}};

/// Elements that a datapath row puts elsewhere than the formula does, over some widths; -1 when it is no map.
int wrong_elements(const ImageRow& row, Sort sort, int words, int sub_slab) {
    const int per_word = sort.unpacked ? 1 : 32 / sort.bits;
    const int cols = words * per_word;
    const auto map =
        layout::cell_map(layout_of(row, cols, sort.bits, sort.unpacked, sub_slab), row.rows, cols, sort.bits);
    const auto* cells = std::get_if<layout::CellMap>(&map);
    if (cells == nullptr) return -1;
    int wrong = 0;
    for (int r = 0; r < row.rows; ++r)
        for (int c = 0; c < cols; ++c) {
            const oracle::Cell cell = oracle::datapath_cell(row.name[0], sub_slab, words, r, c / per_word);
            const layout::Cell& got = cells->at(r, c);
            if (got.lane != cell.lane || got.column != cell.column || got.bit != c % per_word * sort.bits)
                ++wrong;
        }
    return wrong;
}

int wrong_slots(const ImageRow& row, int bits, int words) {
    const int per_word = 32 / bits;
    const int cols = words * per_word;
    const auto map = layout::slot_map(layout_of(row, cols, bits), row.rows, cols, bits);
    const auto* slots = std::get_if<layout::SlotMap>(&map);
    if (slots == nullptr) return -1;
    int wrong = 0;
    for (int r = 0; r < row.rows; ++r)
        for (int c = 0; c < cols; ++c) {
            const oracle::Slot slot =
                oracle::atom_slot(std::string(row.name), row.rows, words, r, c / per_word);
            const layout::Slot& got = slots->at(r, c);
            if (got.thread != slot.thread || got.reg != slot.reg || got.bit != c % per_word * bits) ++wrong;
        }
    return wrong;
}

} // namespace

TEST_CASE("every datapath is where the formulas say, in all element sizes and both sub-slabs") {
    int compared = 0;
    for (const ImageRow& row : datapath_rows())
        for (const Sort& sort : sorts)
            for (int sub_slab = 0; sub_slab <= (row.sub_slab ? 1 : 0); ++sub_slab)
                for (int words = row.word_multiple; words <= 64; words += row.word_multiple, ++compared) {
                    CAPTURE(row.name);
                    CAPTURE(sort.bits);
                    CAPTURE(words);
                    REQUIRE(wrong_elements(row, sort, words, sub_slab) == 0);
                }
    CHECK(compared == 4 * (2 * 64 + 2 * 32 + 4 * 64 + 16)); // A D, B E, C F twice, G
}

TEST_CASE("every fragment image is where the formulas say, in all element sizes") {
    int compared = 0;
    for (const ImageRow& row : atom_rows())
        for (int bits : {32, 16, 8})
            for (int words = row.word_multiple; words <= 128; words += row.word_multiple, ++compared) {
                CAPTURE(row.name);
                CAPTURE(row.rows);
                CAPTURE(bits);
                CAPTURE(words);
                REQUIRE(wrong_slots(row, bits, words) == 0);
            }
    CHECK(compared == 3 * (128 + 64 + 32 + 2 * (64 + 32 + 16) + 64));
}

TEST_CASE("the widest tiles are maps") {
    CHECK(wrong_elements(*datapath("D", 128), {32, false}, 512, 0) == 0);
    CHECK(wrong_elements(*datapath("B", 64), {8, false}, 1024, 0) == 0);
    CHECK(wrong_elements(*datapath("G", 32), {16, true}, 2048, 0) == 0);
    CHECK(wrong_elements(*datapath("D", 128), {32, false}, 513, 0) == -1);
}

TEST_CASE("a fragment fills its registers from 0 without gaps") {
    for (const ImageRow& row : atom_rows()) {
        CAPTURE(row.name);
        CAPTURE(row.rows);
        const int words = 8 * row.word_multiple;
        const auto map = layout::slot_map(layout_of(row, words, 32), row.rows, words, 32);
        CHECK(std::get<layout::SlotMap>(map).words == row.rows * words / 128);
    }
}

TEST_CASE("images are found by name and rows") {
    CHECK(datapath("D", 128) != nullptr);
    CHECK(datapath("D", 64) == nullptr);
    CHECK(datapath("H", 128) == nullptr);
    CHECK(atom("16x256b", 64) != atom("16x256b", 128));
    CHECK(atom("16x32bx2", 128) == nullptr);
    for (const ImageRow& row : datapath_rows()) CHECK(row.rows == oracle::datapath_rows(row.name[0]));
}

TEST_CASE("columns that fill no whole words have no width in words") {
    CHECK(words_per_row(8, 32) == 8);
    CHECK(words_per_row(8, 16) == 4);
    CHECK(words_per_row(8, 16, true) == 8);
    CHECK(words_per_row(7, 16) == 0);
    CHECK(words_per_row(6, 8) == 0);
    CHECK(words_per_row(7, 16, true) == 7);
}

TEST_CASE("the register cap shares out the register file") {
    CHECK(register_cap(128) == 255);
    CHECK(register_cap(256) == 255);
    CHECK(register_cap(384) == 168);
    CHECK(register_cap(512) == 128);
    CHECK(register_cap(640) == 96);
    CHECK(register_cap(1024) == 64);
}
