// Forms of layouts against their maps: every atom at every height and width, in 32, 16 and 8 bits, layouts
// written out, and layouts drawn at random, of which those that fill all threads and slots must have a form.
#include "embed/places.hpp"

#include "atlas/images.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace tmemc::embed {

namespace {

using layout::Axis;
using layout::Layout;
using layout::SlotMap;

SlotMap map_of(const Layout& layout, int rows, int cols, int bits) {
    auto map = layout::slot_map(layout, rows, cols, bits);
    REQUIRE(std::holds_alternative<SlotMap>(map));
    return std::get<SlotMap>(map);
}

/// Whether the layout has a form; if so it says where each element lies.
bool check(const Layout& layout, int rows, int cols, int bits) {
    const SlotMap map = map_of(layout, rows, cols, bits);
    const auto form = place_form(layout, map);
    if (!form) return false;
    bool right = true;
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col)
            for (int copy = 0; copy < map.copies; ++copy) {
                const layout::Slot slot = map.at(row, col, copy);
                const int element = slot.reg * 32 / bits + slot.bit / bits;
                right &=
                    form->row.at(slot.thread, element) == row && form->col.at(slot.thread, element) == col;
                right &= form->row.at(slot.thread + 128, element) == row; // of another warpgroup
            }
    CHECK_MESSAGE(right, layout::to_string(layout));
    return true;
}

} // namespace

TEST_SUITE_BEGIN("embed");

TEST_CASE("every atom has a form") {
    int forms = 0;
    for (const atlas::ImageRow& row : atlas::atom_rows())
        for (const int words : {1, 2, 3, 5, 8})
            for (const int bits : {8, 16, 32}) {
                const int cols = words * row.word_multiple * 32 / bits;
                CHECK(check(atlas::layout_of(row, cols, bits), row.rows, cols, bits));
                ++forms;
            }
    CHECK(forms == 150);
}

TEST_CASE("forms in C++") {
    const auto written = [](const char* name, int rows, int cols, int bits) {
        const Layout layout = atlas::layout_of(*atlas::atom(name, rows), cols, bits);
        const auto form = place_form(layout, map_of(layout, rows, cols, bits));
        REQUIRE(form);
        return cpp_expression(form->row) + ", " + cpp_expression(form->col);
    };
    CHECK(written("32x32b", 128, 32, 32) == "thread & 127, i & 31");
    CHECK(written("32x32b", 128, 24, 32) == "thread & 127, i % 24");
    CHECK(written("16x256b", 64, 8, 32) ==
          "((thread >> 2) & 7) + ((thread >> 5) & 3) * 16 + ((i >> 1) & 1) * 8, (thread & 3) * 2 + (i & 1)");
}

TEST_CASE("digits backwards, digits that count rows and columns, and copies") {
    CHECK(check({{{128, 1, Axis::tid_in_wg}, {8, -1, Axis::m}}, {}, {{0, 0, 0, 7, 0, 0}}}, 128, 8, 32));
    CHECK(check({{{8, 1, Axis::m}, {128, -1, Axis::tid_in_wg}}, {}, {{127}}}, 8, 128, 32));
    CHECK(
        check({{{128 * 8, 1, Axis::m}}, {{128, 1, Axis::tid_in_wg}}, {}}, 128, 8, 8)); // all in every thread
    CHECK(check({{{32, 1, Axis::laneid}, {4, 1, Axis::m}}, {{4, 1, Axis::wid_in_wg}}, {}}, 32, 4, 32));
}

TEST_CASE("what leaves threads or slots out has no form") {
    CHECK_FALSE(check({{{64, 1, Axis::tid_in_wg}, {8, 1, Axis::m}}, {}, {}}, 64, 8, 32));
    CHECK_FALSE(check({{{128, 1, Axis::tid_in_wg}, {8, 2, Axis::m}}, {}, {}}, 128, 8, 32));
    CHECK_FALSE(check({{{128, 1, Axis::tid_in_wg}, {7, 1, Axis::m}}, {}, {}}, 128, 7, 16));
}

TEST_CASE("a walk over the elements in C++") {
    const Layout gaps{
        {{32, 2, Axis::tid_in_wg}, {4, 1, Axis::m}}, {{2, 1, Axis::wid_in_wg}}, {{0, 0, 1, 0, 0, 0}}};
    CHECK(cpp_thread(gaps) == "1 + flat / 4 % 32 * 2 + copy % 2 * 32");
    CHECK(cpp_element(gaps) == "flat % 4");
    CHECK(cpp_element({{{128, 1, Axis::tid_in_wg}}, {}, {}}) == "0");
}

TEST_CASE("drawn layouts") {
    std::mt19937 random(11);
    int with_form = 0, without = 0;
    for (int turn = 0; turn < 300; ++turn) {
        // 2^7 threads and 2^4 slots in digits of 2 and 4, shuffled, some backwards.
        Layout layout;
        for (const auto& [axis, total] : {std::pair{Axis::tid_in_wg, 128}, {Axis::m, 16}})
            for (int step = 1; step < total;) {
                const int extent = step * 4 <= total && random() % 2 == 0 ? 4 : 2;
                const bool backwards = random() % 4 == 0;
                layout.shard.push_back({extent, backwards ? -step : step, axis});
                if (backwards) layout.offset[axis] += (extent - 1) * step;
                step *= extent;
            }
        std::shuffle(layout.shard.begin(), layout.shard.end(), random);
        const int rows = 1 << random() % 12;
        ++(check(layout, rows, 2048 / rows, 32) ? with_form : without);
    }
    MESSAGE(with_form << " layouts with a form, " << without << " without");
    CHECK(with_form == 300);
}

TEST_SUITE_END();

} // namespace tmemc::embed
