// The shapes of tcgen05.ld and tcgen05.st as the compiler knows them, one row each (shapes.cpp): how many
// registers, lanes and columns one message moves and which thread's register meets which cell. A message of
// shape .xN is N tiles side by side; the row describes one tile, by the step that each bit of the thread and
// of the register number makes in (lane, column). Example: 32x32b, thread bits step lanes 1, 2, 4, 8, 16;
// registers step columns. Source: PTX ISA 9.7.16.8 (tcgen05.ld), figures "matrix fragment". Not here: the
// emulator's formulas, which are written separately so that each can judge the other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tmemc::atlas {

/// A lane and a column, or a step in them.
struct Step {
    int lane = 0;
    int column = 0;
    bool operator==(const Step&) const = default;
};

enum class Shape : std::uint8_t { s32x32b, s16x64b, s16x128b, s16x256b, s16x32bx2 };

struct ShapeRow {
    Shape shape{};
    std::string_view name; // "32x32b"
    int registers = 1;     // per thread in one tile
    int columns = 1;       // cells in one tile (of each half, for 16x32bx2)
    int lanes = 32;     // that one message touches in a warp (16x32bx2: each half); it starts at a multiple
    int max_num = 128;  // largest legal .xN; N is a power of two
    bool split = false; // two halves, the second at an address of its own (immHalfSplitoff)
    std::array<Step, 5> thread_bits{};   // step of bit i of the thread in its warp
    std::array<Step, 2> register_bits{}; // step of bit i of the register in its tile
    std::string_view source;             // where the fact stands
};

[[nodiscard]] std::span<const ShapeRow> shape_rows();
[[nodiscard]] const ShapeRow& row(Shape shape);
[[nodiscard]] std::optional<Shape> shape_named(std::string_view name);

/// The cell that register `reg` of thread `thread` of the warp meets in an .xN message, relative to its
/// address (without packing; the second half of a split shape relative to that half's own address).
[[nodiscard]] Step cell_of(const ShapeRow& row, int thread, int reg);

} // namespace tmemc::atlas
