// Every shape row against the table of (thread, register) to (lane, column), for .x1 and .x2, packed and not.
// The rows are values, so that a changed row can be shown to fail.
#include "atlas/shapes.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace tmemc::atlas;

namespace {

/// The fields of each line behind the heading, the first as text and the others as numbers.
struct Line {
    std::string shape;
    std::vector<int> numbers;
};
std::vector<Line> read(const std::string& path) {
    std::ifstream file(path);
    std::vector<Line> lines;
    std::string text;
    std::getline(file, text);
    while (std::getline(file, text)) {
        std::istringstream fields(text);
        Line line;
        std::getline(fields, line.shape, ',');
        for (std::string field; std::getline(fields, field, ',');) line.numbers.push_back(std::stoi(field));
        lines.push_back(line);
    }
    return lines;
}

/// In the tables the second half of a split shape lies behind the first, N columns on.
int second_half(const ShapeRow& row, int num, int thread) { return row.split && thread >= 16 ? num : 0; }

/// Entries of the tables with which `row` disagrees. The plain table: num, thread, reg, lane, column.
int wrong_entries(const ShapeRow& row, const std::vector<Line>& plain, const std::vector<Line>& packed) {
    int wrong = 0;
    for (const Line& line : plain) {
        if (line.shape != row.name) continue;
        const auto& n = line.numbers;
        const Step cell = cell_of(row, n[1], n[2]);
        if (cell.lane != n[3] || cell.column + second_half(row, n[0], n[1]) != n[4]) ++wrong;
    }
    // num, thread, reg, half of the register, lane, column, half of the cell: always the low one.
    for (const Line& line : packed) {
        if (line.shape != row.name) continue;
        const auto& n = line.numbers;
        const Step cell = cell_of(row, n[1], n[2]);
        const int column = 2 * cell.column + n[3] + 2 * second_half(row, n[0], n[1]);
        if (cell.lane != n[4] || column != n[5] || n[6] != 0) ++wrong;
    }
    return wrong;
}

const std::vector<Line>& plain_table() {
    static const std::vector<Line> table = read("data/atom_maps.csv");
    return table;
}
const std::vector<Line>& packed_table() {
    static const std::vector<Line> table = read("data/atom_maps_pack16.csv");
    return table;
}
int wrong_entries(const ShapeRow& row) { return wrong_entries(row, plain_table(), packed_table()); }

} // namespace

TEST_CASE("every shape row agrees with the tables of maps") {
    CHECK(plain_table().size() == 864);
    CHECK(packed_table().size() == 1728);
    for (const ShapeRow& row : shape_rows()) {
        CAPTURE(row.name);
        CHECK(wrong_entries(row) == 0);
    }
}

TEST_CASE("the tables hold each shape's registers and columns") {
    for (const ShapeRow& row : shape_rows()) {
        CAPTURE(row.name);
        std::set<int> registers, columns, lanes;
        for (const Line& line : plain_table()) {
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

TEST_CASE("a row with one step changed disagrees") {
    for (const ShapeRow& original : shape_rows()) {
        CAPTURE(original.name);
        for (std::size_t bit = 0; bit < original.thread_bits.size(); ++bit) {
            ShapeRow lane = original, column = original;
            ++lane.thread_bits[bit].lane;
            ++column.thread_bits[bit].column;
            CHECK(wrong_entries(lane) > 0);
            CHECK(wrong_entries(column) > 0);
        }
        for (std::size_t bit = 0; 1 << bit < original.registers; ++bit) {
            ShapeRow lane = original, column = original;
            ++lane.register_bits[bit].lane;
            ++column.register_bits[bit].column;
            CHECK(wrong_entries(lane) > 0);
            CHECK(wrong_entries(column) > 0);
        }
        ShapeRow wider = original;
        ++wider.columns;
        CHECK(wrong_entries(wider) > 0);
        ShapeRow more = original;
        more.registers *= 2;
        CHECK(wrong_entries(more) > 0);
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
