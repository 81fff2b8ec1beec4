// One tcgen05.ld or st as the hardware sees it: which cell each register of each thread meets. A shape is a
// small tile, described here by two formulas of thread and register; .xN repeats the tile N times along the
// columns, .pack::16b and .unpack::16b spread the halves of a register over two neighbouring columns. For
// example, register 2 of thread 5 of a 16x256b message meets lane 5/4 + 8*1 and column 2*(5 mod 4). Source:
// PTX ISA 9.7.16.8 (tcgen05.ld) and 9.7.16.2 (matrix fragments of the shapes). Written for the emulator
// alone, so that it and the compiler's own table can judge each other.
#pragma once

#include "emulator/load_reduction.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tmemc::emulator {

struct ShapeRow {
    std::string_view name;
    int registers = 1; // of a thread in one tile
    int columns = 1;   // of one tile (of each half, when split)
    int lanes = 32;    // of the warp's slice that one message (or half) touches
    int max_num = 128;
    bool split = false;   // threads 16 to 31 have an address of their own
    bool reduces = false; // ld.red has it
    int (*lane)(int thread, int reg) = nullptr;
    int (*column)(int thread, int reg) = nullptr;
};

[[nodiscard]] std::span<const ShapeRow> shape_rows();
/// The row named `name`, or null.
[[nodiscard]] const ShapeRow* shape_row(std::string_view name);

/// A shape with its modifiers, ready to run.
struct Message {
    const ShapeRow* shape = nullptr;
    int num = 1;
    bool packed = false;                      // .pack::16b or .unpack::16b
    std::uint32_t half_split = 0;             // added to the address for threads 16 to 31
    bool repeats_register = false;            // a load that names one register twice
    bool in_order = false;                    // each register meets 32 neighbouring cells, thread for thread
    const LoadReduction* reduction = nullptr; // of ld.red, whose result is the vector's last register
    std::uint32_t reduced_bits = 0xffffffff;  // of each value; .abs leaves the sign out
    /// cell[r][thread]: of register r of one tile, from the message's first cell, in cells of a slice
    /// (column*32 + lane).
    std::array<std::array<std::uint16_t, 32>, 4> cell{};

    [[nodiscard]] int registers() const { return shape->registers * num; }
    [[nodiscard]] int columns() const { return shape->columns * num * (packed ? 2 : 1); } // of each half
    /// The distance from one tile to the next, in cells of a slice.
    [[nodiscard]] int tile_step() const { return shape->columns * (packed ? 2 : 1) * 32; }
};

[[nodiscard]] Message make_message(const ShapeRow& shape, int num, bool packed, std::uint32_t half_split);

} // namespace tmemc::emulator
