// The tables of tests/data that say which cell each thread's register meets, for .x1 and .x2 of every shape,
// plain and packing; and how many of their entries a shape row of the compiler contradicts. The tables were
// worked out from the figures of PTX ISA 9.7.16.8 and know nothing of the rows. Example, a line of the plain
// table: "16x256b,1,5,2,9,2": register 2 of thread 5 meets lane 9, column 2 of a message .x1.
// Not here: formulas that do the same for any .xN (tmem_oracle.hpp), and what is legal (tmem_legal.hpp).
#pragma once

#include "atlas/shapes.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tmemc::testing {

/// The fields of a line behind the heading, the first as text and the others as numbers.
struct MapLine {
    std::string shape;
    std::vector<int> numbers;
};

inline std::vector<MapLine> read_maps(const std::string& path) {
    std::ifstream file(path);
    std::vector<MapLine> lines;
    std::string text;
    std::getline(file, text);
    while (std::getline(file, text)) {
        std::istringstream fields(text);
        MapLine line;
        std::getline(fields, line.shape, ',');
        for (std::string field; std::getline(fields, field, ',');) line.numbers.push_back(std::stoi(field));
        lines.push_back(line);
    }
    return lines;
}

/// num, thread, reg, lane, column
inline const std::vector<MapLine>& plain_maps() {
    static const std::vector<MapLine> table = read_maps("data/atom_maps.csv");
    return table;
}
/// num, thread, reg, half of the register, lane, column, half of the cell: always the low one
inline const std::vector<MapLine>& packed_maps() {
    static const std::vector<MapLine> table = read_maps("data/atom_maps_pack16.csv");
    return table;
}

/// Entries of the tables with which `row` disagrees. In the tables the second half of a split shape lies N
/// columns behind the first.
inline int wrong_entries(const atlas::ShapeRow& row) {
    const auto far = [&row](int num, int thread) { return row.split && thread >= 16 ? num : 0; };
    int wrong = 0;
    for (const MapLine& line : plain_maps()) {
        if (line.shape != row.name) continue;
        const auto& n = line.numbers;
        const atlas::Step cell = atlas::cell_of(row, n[1], n[2]);
        if (cell.lane != n[3] || cell.column + far(n[0], n[1]) != n[4]) ++wrong;
    }
    for (const MapLine& line : packed_maps()) {
        if (line.shape != row.name) continue;
        const auto& n = line.numbers;
        const atlas::Step cell = atlas::cell_of(row, n[1], n[2]);
        const int column = 2 * cell.column + n[3] + 2 * far(n[0], n[1]);
        if (cell.lane != n[4] || column != n[5] || n[6] != 0) ++wrong;
    }
    return wrong;
}

} // namespace tmemc::testing
