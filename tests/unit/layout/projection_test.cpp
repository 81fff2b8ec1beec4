// Projections against their meaning: number r lies in exactly the threads that hold a part of row r.
#include "layout/projection.hpp"
#include "layout/tile_map.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace tmemc::layout {

namespace {

constexpr Axis m = Axis::m, lane = Axis::laneid, warp = Axis::wid_in_wg, tid = Axis::tid_in_wg;

std::set<int> threads(const SlotMap& map, int row, int col) {
    std::set<int> found;
    for (int k = 0; k < map.copies; ++k) found.insert(map.at(row, col, k).thread);
    return found;
}

/// Compares the projection with the tile, number by number; how many registers a thread needs.
int check(const Layout& tile, int rows, int cols, Coordinates kept) {
    const SlotMap whole = std::get<SlotMap>(slot_map(tile, rows, cols, 32));
    const auto layout = projected(tile, cols, kept);
    REQUIRE(layout);
    const int length = kept == Coordinates::rows ? rows : cols;
    const auto made = slot_map(*layout, length, 1, 32);
    REQUIRE(std::holds_alternative<SlotMap>(made));
    const auto& map = std::get<SlotMap>(made);
    std::map<int, int> most; // numbers of a thread
    for (int i = 0; i < length; ++i) {
        std::set<int> wanted;
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < cols; ++c)
                if ((kept == Coordinates::rows ? r : c) == i) wanted.merge(threads(whole, r, c));
        CHECK(threads(map, i, 0) == wanted);
        for (const int thread : wanted) ++most[thread];
    }
    for (const auto& [thread, count] : most) CHECK(count == map.words);
    return map.words;
}

} // namespace

TEST_SUITE_BEGIN("layout");

TEST_CASE("rows and columns of a tile are where the tile is") {
    const Layout plain{{{128, 1, tid}, {12, 1, m}}, {}, {}};
    CHECK(check(plain, 128, 12, Coordinates::rows) == 1);
    CHECK(check(plain, 128, 12, Coordinates::columns) == 12);
    const Layout quads{{{4, 1, warp}, {2, 2, m}, {8, 4, lane}, {2, 4, m}, {4, 1, lane}, {2, 1, m}}, {}, {}};
    CHECK(check(quads, 64, 16, Coordinates::rows) == 2);
    CHECK(check(quads, 64, 16, Coordinates::columns) == 4);
    CHECK(to_string(*projected(quads, 16, Coordinates::rows)) ==
          "S[(4, 2, 8) : (1@wid_in_wg, 1, 4@laneid)] + R[(4) : (1@laneid)]");
    const Layout turned{{{8, 1, m}, {128, 1, tid}}, {}, {}};
    CHECK(check(turned, 8, 128, Coordinates::rows) == 8);
    CHECK(check(turned, 8, 128, Coordinates::columns) == 1);
}

TEST_CASE("a digit that counts both is split where a row begins, if it can be") {
    const Layout one{{{16, 1, tid}}, {}, {}};
    CHECK(check(one, 4, 4, Coordinates::rows) == 1);
    CHECK(check(one, 4, 4, Coordinates::columns) == 1);
    const Layout two{{{3, 8, tid}, {8, 1, tid}}, {}, {}};
    CHECK(!projected(two, 6, Coordinates::rows));
    CHECK(!projected(two, 6, Coordinates::columns));
}

TEST_CASE("drawn layouts of bits, their copies included") {
    std::mt19937 random(11);
    int copies = 0, offsets = 0;
    for (int turn = 0; turn < 200; ++turn) {
        // Bits of the thread and of the slot in any order count 32 rows and columns, the rest of the threads
        // repeats.
        std::vector<Digit> digits;
        for (std::int64_t bit = 1; bit < 128; bit *= 2) digits.push_back({2, bit, tid});
        for (std::int64_t bit = 1; bit < 8; bit *= 2) digits.push_back({2, bit, m});
        std::shuffle(digits.begin(), digits.end(), random);
        Layout tile;
        while (digits.size() > 9) {
            if (digits.back().axis == tid && random() % 2 == 0) tile.replica.push_back(digits.back());
            digits.pop_back();
        }
        tile.shard = digits;
        const int cols = 1 << random() % 10, rows = 512 / cols;
        const bool apart = random() % 4 == 0 &&
                           std::none_of(digits.begin(), digits.end(),
                                        [](const Digit& each) { return each.axis == m && each.stride == 4; });
        if (apart) tile.offset[m] = 4;
        copies += tile.replica.empty() ? 0 : 1;
        offsets += apart ? 1 : 0;
        (void)check(tile, rows, cols, Coordinates::rows);
        (void)check(tile, rows, cols, Coordinates::columns);
    }
    MESSAGE("with copies " << copies << ", with an offset " << offsets);
    CHECK(copies > 10);
    CHECK(offsets > 3);
}

TEST_SUITE_END();

} // namespace tmemc::layout
