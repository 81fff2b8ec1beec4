// Tile maps: where elements of 8, 16 and 32 bits end up, and what is no map.
#include "layout/tile_map.hpp"

#include <doctest/doctest.h>

using namespace tmemc::layout;

namespace {

constexpr Axis tid = Axis::tid_in_wg, m = Axis::m, TLane = Axis::TLane, TCol = Axis::TCol;

MapProblem slot_problem(const Layout& layout, int rows, int cols, int bits) {
    auto answer = slot_map(layout, rows, cols, bits);
    REQUIRE(std::holds_alternative<MapProblem>(answer));
    return std::get<MapProblem>(answer);
}
MapProblem cell_problem(const Layout& layout, int rows, int cols, int bits) {
    auto answer = cell_map(layout, rows, cols, bits);
    REQUIRE(std::holds_alternative<MapProblem>(answer));
    return std::get<MapProblem>(answer);
}

} // namespace

TEST_CASE("elements below 32 bits share a register, the lower slot in the lower bits") {
    const Layout rows{{{128, 1, tid}, {8, 1, m}}, {}, {}};
    const auto f32 = std::get<SlotMap>(slot_map(rows, 128, 8, 32));
    CHECK(f32.words == 8);
    CHECK(f32.at(5, 3) == Slot{5, 3, 0});
    const auto f16 = std::get<SlotMap>(slot_map(rows, 128, 8, 16));
    CHECK(f16.words == 4);
    CHECK(f16.at(5, 5) == Slot{5, 2, 16});
    const auto u8 = std::get<SlotMap>(slot_map(rows, 128, 8, 8));
    CHECK(u8.words == 2);
    CHECK(u8.at(127, 7) == Slot{127, 1, 24});
}

TEST_CASE("the thread is the sum of the thread axes") {
    const Layout parts{{{2, 2, Axis::wid_in_wg}, {16, 2, Axis::laneid}, {2, 1, tid}, {4, 1, m}}, {}, {}};
    const auto map = std::get<SlotMap>(slot_map(parts, 64, 4, 32));
    CHECK(map.at(32, 0) == Slot{64, 0, 0});
    CHECK(map.at(63, 3) == Slot{64 + 30 + 1, 3, 0});
}

TEST_CASE("columns of a buffer are counted in elements") {
    const Layout unpacked{{{128, 1, TLane}, {8, 2, TCol}}, {}, {}};
    const auto map = std::get<CellMap>(cell_map(unpacked, 128, 8, 16));
    CHECK(map.words == 8);
    CHECK(map.at(9, 5) == Cell{9, 5, 0});
    const Layout dense{{{128, 1, TLane}, {8, 1, TCol}}, {}, {}};
    CHECK(std::get<CellMap>(cell_map(dense, 128, 8, 16)).at(9, 5) == Cell{9, 2, 16});
}

TEST_CASE("copies of an element stand side by side") {
    Layout twice{{{64, 1, TLane}, {4, 1, TCol}}, {{2, 64, TLane}}, {}};
    const auto map = std::get<CellMap>(cell_map(twice, 64, 4, 32));
    CHECK(map.copies == 2);
    CHECK(map.at(10, 3, 0) == Cell{10, 3, 0});
    CHECK(map.at(10, 3, 1) == Cell{74, 3, 0});
}

TEST_CASE("the digits must count the tile's elements") {
    const Layout rows{{{128, 1, tid}, {8, 1, m}}, {}, {}};
    const MapProblem problem = slot_problem(rows, 128, 16, 32);
    CHECK(problem.what == MapProblem::What::size);
    CHECK(problem.found == 1024);
    CHECK(problem.wanted == 2048);
    CHECK(slot_problem({{{-128, 1, tid}, {-8, 1, m}}, {}, {}}, 128, 8, 32).what == MapProblem::What::size);
    CHECK(slot_problem({{{128, 1, tid}, {8, 1, m}}, {{0, 1, m}}, {}}, 128, 8, 32).what ==
          MapProblem::What::size);
}

TEST_CASE("each kind of object has its own axes") {
    CHECK(slot_problem({{{128, 1, TLane}, {8, 1, m}}, {}, {}}, 128, 8, 32).axis == TLane);
    const MapProblem problem = cell_problem({{{128, 1, TLane}, {8, 1, m}}, {}, {}}, 128, 8, 32);
    CHECK(problem.what == MapProblem::What::axis);
    CHECK(problem.axis == m);
    Layout moved{{{128, 1, TLane}, {8, 1, TCol}}, {}, {}};
    moved.offset[tid] = 1;
    CHECK(cell_problem(moved, 128, 8, 32).axis == tid);
    // What moves nothing says nothing.
    const Layout idle{{{128, 1, TLane}, {1, 5, m}, {8, 1, TCol}}, {}, {}};
    CHECK(std::holds_alternative<CellMap>(cell_map(idle, 128, 8, 32)));
}

TEST_CASE("a place outside names the first element there") {
    Layout moved{{{128, 1, TLane}, {8, 1, TCol}}, {}, {}};
    moved.offset[TLane] = 16;
    const MapProblem lane = cell_problem(moved, 128, 8, 32);
    CHECK(lane.what == MapProblem::What::range);
    CHECK(lane.axis == TLane);
    CHECK(lane.row == 112);
    CHECK(lane.col == 0);
    CHECK(lane.found == 128);
    CHECK(lane.wanted == 128);
    // 512 cells are 1024 elements of 16 bits.
    const Layout wide{{{2, 1, TLane}, {1025, 1, TCol}}, {}, {}};
    const MapProblem column = cell_problem(wide, 2, 1025, 16);
    CHECK(column.axis == TCol);
    CHECK(column.col == 1024);
    CHECK(column.wanted == 1024);
    CHECK(std::holds_alternative<CellMap>(cell_map({{{2, 1, TLane}, {1024, 1, TCol}}, {}, {}}, 2, 1024, 16)));
    const MapProblem registers = slot_problem({{{128, 1, tid}, {513, 1, m}}, {}, {}}, 128, 513, 32);
    CHECK(registers.axis == m);
    CHECK(registers.col == 512);
    const MapProblem negative = slot_problem({{{128, 1, tid}, {8, -1, m}}, {}, {}}, 128, 8, 32);
    CHECK(negative.found == -1);
    CHECK(negative.col == 1);
}

TEST_CASE("two elements in one place are named") {
    const MapProblem problem = slot_problem({{{128, 1, tid}, {4, 2, m}, {2, 2, m}}, {}, {}}, 128, 8, 32);
    CHECK(problem.what == MapProblem::What::collision);
    CHECK(problem.row == 0);
    CHECK(problem.col == 1);
    CHECK(problem.other_row == 0);
    CHECK(problem.other_col == 2);
    const MapProblem itself = slot_problem({{{128, 1, tid}}, {{2, 0, m}}, {}}, 128, 1, 32);
    CHECK(itself.what == MapProblem::What::collision);
    CHECK(itself.col == itself.other_col);
}

TEST_CASE("absurd numbers end in a problem, not in an overflow") {
    const std::int64_t huge = std::int64_t{1} << 62;
    CHECK(slot_problem({{{128, huge, Axis::wid_in_wg}, {8, 1, m}}, {}, {}}, 128, 8, 32).what ==
          MapProblem::What::range);
    Layout moved{{{128, 1, tid}, {8, 1, m}}, {}, {}};
    moved.offset[tid] = -huge;
    moved.offset[Axis::wid_in_wg] = huge / 32;
    CHECK(slot_problem(moved, 128, 8, 32).what == MapProblem::What::range);
    // As many replicas as there are numbers: the second one collides or leaves.
    const MapProblem many = slot_problem({{{128, 1, tid}}, {{huge, 0, m}}, {}}, 128, 1, 32);
    CHECK(many.what == MapProblem::What::collision);
}
