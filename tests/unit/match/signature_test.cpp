// Which shape a register is, and how registers make tiles; the registers come from the formulas of the
// oracle.
#include "match/tiles.hpp"

#include "tmem_oracle.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace tmemc;
using namespace tmemc::match;

namespace {

/// Register q of a message in warp `warp`.
RegisterCells register_of(const std::string& shape, int warp, int row, int column, int q, bool pack = false,
                          int half_split = 0) {
    RegisterCells cells{warp, q, pack};
    for (int l = 0; l < 32; ++l) {
        const auto cell = oracle::message_cell(shape, row, column, pack, half_split, l, q);
        cells.cells[static_cast<std::size_t>(l)] = {32 * warp + cell.lane, cell.column};
    }
    return cells;
}

const Signatures& signatures() {
    static const Signatures all(atlas::shape_rows());
    return all;
}

std::string name_of(const RegisterCells& cells) {
    const auto signature = signatures().find(cells);
    return signature ? std::string(signature->row->name) : "none";
}

std::vector<SignedRegister> signed_registers(const std::vector<RegisterCells>& all) {
    std::vector<SignedRegister> list;
    list.reserve(all.size());
    for (const RegisterCells& each : all) list.push_back({*signatures().find(each), each.reg, each.pack});
    return list;
}

} // namespace

TEST_CASE(
    "every register of every message is known by its cells, packed or not, in either half of the warp") {
    for (const char* shape : {"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"})
        for (const bool pack : {false, true})
            for (int row : {0, 16})
                for (int warp : {0, 3})
                    for (int q = 0; q < 8; ++q) {
                        if (row == 16 && std::string(shape) == "32x32b") continue;
                        const RegisterCells cells = register_of(shape, warp, row, 6, q, pack, 10);
                        CAPTURE(shape);
                        CAPTURE(q);
                        REQUIRE(name_of(cells) == shape);
                        const auto signature = signatures().find(cells);
                        CHECK(signature->first.lane == cells.cells[0].lane - 32 * warp);
                        CHECK(signature->half_split == (signature->row->split ? 10 : 0));
                    }
}

TEST_CASE("a register with one thread elsewhere has no shape") {
    std::mt19937 random(3);
    for (const char* shape : {"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"})
        for (int trial = 0; trial < 200; ++trial) {
            RegisterCells cells = register_of(shape, 1, 0, 0, 0, false, 5);
            atlas::Step& cell = cells.cells[random() % 32];
            (random() % 2 == 0 ? cell.lane : cell.column) += 1;
            CHECK(name_of(cells) == "none");
        }
}

TEST_CASE("a register in a lane where no message starts has no shape") {
    for (const char* shape : {"16x64b", "16x32bx2"}) {
        CHECK(name_of(register_of(shape, 0, 8, 0, 0, false, 5)) == "none");
        CHECK(name_of(register_of(shape, 0, 4, 0, 0, false, 5)) == "none");
    }
    CHECK(name_of(register_of("16x128b", 0, 4, 0, 0)) == "none");
    CHECK(name_of(register_of("16x256b", 0, 1, 0, 2)) == "none");
}

TEST_CASE("a register that leaves its warp's lanes has no shape") {
    RegisterCells cells = register_of("32x32b", 1, 0, 0, 0);
    cells.warp = 0;
    CHECK(name_of(cells) == "none");
    const auto answer = signatures().compare(cells, 0);
    REQUIRE(std::holds_alternative<Misfit>(answer));
    CHECK(std::get<Misfit>(answer).why == Misfit::Why::reach);
}

TEST_CASE("the halves of a split shape lie anywhere but on the same cells") {
    CHECK(name_of(register_of("16x32bx2", 0, 0, 8, 0, false, -3)) == "16x32bx2");
    CHECK(name_of(register_of("16x32bx2", 0, 16, 8, 0, false, -16 * 65536)) == "16x32bx2");
    CHECK(name_of(register_of("16x32bx2", 0, 0, 8, 0, false, 16 * 65536 + 2)) == "16x32bx2");
    CHECK(name_of(register_of("16x32bx2", 0, 0, 8, 0, false, 0)) == "none");
    // Side by side in one column they are the shape of 32 lanes.
    CHECK(name_of(register_of("16x32bx2", 0, 0, 8, 0, false, 16 * 65536)) == "32x32b");
    const auto signature = signatures().find(register_of("16x32bx2", 2, 16, 8, 0, false, -16 * 65536 + 4));
    REQUIRE(signature);
    CHECK(signature->half_split == -16 * 65536 + 4);
}

TEST_CASE("the parts of a register fill one cell in order, or the low halves of two neighbours") {
    // One register of warp 0 whose parts lie where `place` says, thread by thread.
    const auto read = [](int parts, auto place) {
        Pairs pairs;
        pairs.parts = parts;
        pairs.registers = {{0, 0}};
        pairs.present.assign(32, static_cast<std::uint8_t>((1 << parts) - 1));
        pairs.cells.reserve(128);
        for (int thread = 0; thread < 32; ++thread)
            for (int part = 0; part < parts; ++part) {
                const auto [lane, column, bit] = place(thread, part);
                pairs.cells.push_back({static_cast<std::uint16_t>(lane), static_cast<std::uint16_t>(column),
                                       static_cast<std::uint8_t>(bit)});
            }
        return words_of(pairs);
    };
    using Place = std::array<int, 3>; // lane, column, bit
    const auto packs = [](const auto& answer) {
        const auto* words = std::get_if<std::vector<RegisterCells>>(&answer);
        return words == nullptr ? "no word" : words->at(0).pack ? "packed" : "dense";
    };
    const auto bytes = [](int t, int part) { return Place{t, 3, 8 * part}; };
    const auto bytes_swapped = [](int t, int part) { return Place{t, 3, 8 * (part ^ 1)}; };
    const auto middle_swapped = [](int t, int part) { return Place{t, 3, 8 * (part % 2 * 2 + part / 2)}; };
    CHECK(packs(read(4, bytes)) == "dense");
    CHECK(packs(read(4, bytes_swapped)) == "no word");
    CHECK(packs(read(4, middle_swapped)) == "no word");
    CHECK(packs(read(2, [](int t, int part) { return Place{t, 3, 16 * part}; })) == "dense");
    CHECK(packs(read(2, [](int t, int part) { return Place{t, 3 + part, 0}; })) == "packed");
    CHECK(packs(read(2, [](int t, int part) { return Place{t, 3 - part, 0}; })) == "no word");
    CHECK(packs(read(2, [](int t, int part) { return Place{t, 3 + part, 16}; })) == "no word");
    CHECK(packs(read(2, [](int t, int part) { return Place{t ^ part, 3, 16 * part}; })) == "no word");
    CHECK(packs(read(2, [](int t, int part) { return Place{t ^ part, 3 + part, 0}; })) == "no word");
    // All threads alike.
    const auto mixed = [](int t, int part) { return t < 8 ? Place{t, 3, 16 * part} : Place{t, 3 + part, 0}; };
    CHECK(packs(read(2, mixed)) == "no word");
}

TEST_CASE("registers of a 16x256b tile look alike, and the leftmost is a tile's first") {
    std::vector<RegisterCells> registers;
    registers.reserve(12);
    for (int q = 0; q < 12; ++q) registers.push_back(register_of("16x256b", 0, 16, 5, q));
    std::mt19937 random(1);
    std::shuffle(registers.begin(), registers.end(), random);
    const auto answer = tiles_of(signed_registers(registers), 0);
    REQUIRE(std::holds_alternative<std::vector<Tile>>(answer));
    const auto& tiles = std::get<std::vector<Tile>>(answer);
    REQUIRE(tiles.size() == 3);
    for (int i = 0; i < 3; ++i) {
        const Tile& tile = tiles[static_cast<std::size_t>(i)];
        CHECK(tile.row == 16);
        CHECK(tile.column == 5 + 8 * i);
        CHECK(tile.registers == std::array{4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
    }
}

TEST_CASE("a tile with a register missing is not whole") {
    for (int absent = 0; absent < 4; ++absent) {
        std::vector<RegisterCells> registers;
        for (int q = 0; q < 4; ++q)
            if (q != absent) registers.push_back(register_of("16x256b", 2, 0, 8, q));
        const auto answer = tiles_of(signed_registers(registers), 2);
        REQUIRE(std::holds_alternative<Obstacle>(answer));
        const auto& obstacle = std::get<Obstacle>(answer);
        CHECK(obstacle.what == Obstacle::What::part_unit);
        CHECK(obstacle.shape == atlas::Shape::s16x256b);
        CHECK(obstacle.thread == 64);
        CHECK(obstacle.lane / 32 == 2);
    }
    // Rows 8..15 alone: what is missing is the half above.
    const auto answer = tiles_of(signed_registers({register_of("16x128b", 0, 0, 4, 1)}), 0);
    REQUIRE(std::holds_alternative<Obstacle>(answer));
    CHECK(std::get<Obstacle>(answer).lane == 0);
    CHECK(std::get<Obstacle>(answer).column == 4);
}

TEST_CASE("two registers may be loaded from the same cells") {
    std::vector<RegisterCells> registers;
    for (int q : {0, 1}) {
        registers.push_back(register_of("16x128b", 0, 0, 0, q));
        registers.push_back(register_of("16x128b", 0, 0, 0, q));
        registers.back().reg = 10 + q;
    }
    const auto answer = tiles_of(signed_registers(registers), 0);
    REQUIRE(std::holds_alternative<std::vector<Tile>>(answer));
    const auto& tiles = std::get<std::vector<Tile>>(answer);
    REQUIRE(tiles.size() == 2);
    CHECK(tiles[0].registers[1] == 1);
    CHECK(tiles[1].registers[0] == 10);
}
