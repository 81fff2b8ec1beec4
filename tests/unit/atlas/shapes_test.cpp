// Every shape row against the table of (thread, register) to (lane, column), for .x1 and .x2, packed and not.
// That every changed row fails is shown by tests/unit/match/shape_mutants_test.cpp.
#include "atlas/shapes.hpp"

#include "tmem_maps.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace tmemc::atlas;
using namespace tmemc::testing;

TEST_CASE("every shape row agrees with the tables of maps") {
    CHECK(plain_maps().size() == 864);
    CHECK(packed_maps().size() == 1728);
    for (const ShapeRow& row : shape_rows()) {
        CAPTURE(row.name);
        CHECK(wrong_entries(row) == 0);
    }
}

TEST_CASE("the tables hold each shape's registers and columns") {
    for (const ShapeRow& row : shape_rows()) {
        CAPTURE(row.name);
        std::set<int> registers, columns, lanes;
        for (const MapLine& line : plain_maps()) {
            if (line.shape != row.name || line.numbers[0] != 2) continue;
            registers.insert(line.numbers[2]);
            lanes.insert(line.numbers[3]);
            columns.insert(line.numbers[4]);
        }
        CHECK(static_cast<int>(registers.size()) == 2 * row.registers);
        CHECK(static_cast<int>(columns.size()) == 2 * row.columns * (row.split ? 2 : 1));
        CHECK(static_cast<int>(lanes.size()) == row.lanes);
    }
}

TEST_CASE("a message moves at most 128 registers, and .xN is legal up to that") {
    for (const ShapeRow& row : shape_rows()) {
        CAPTURE(row.name);
        CHECK(row.max_num * row.registers == 128);
        CHECK(row.lanes * row.columns * (row.split ? 2 : 1) == 32 * row.registers);
        CHECK_FALSE(row.source.empty());
    }
}

TEST_CASE("shapes have names") {
    CHECK(shape_rows().size() == 5);
    for (const ShapeRow& each : shape_rows()) {
        CHECK(shape_named(each.name) == each.shape);
        CHECK(&row(each.shape) == &each);
    }
    CHECK_FALSE(shape_named("16x512b"));
}
