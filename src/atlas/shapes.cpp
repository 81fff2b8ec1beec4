// The rows of shapes.hpp. Thread bits step (lane, column) as in the table "bit-linear form" of the facts; the
// same steps can be read off the figures "matrix fragment" of each shape in PTX ISA 9.7.16.8. The limits .xN
// stand in the table of 9.7.16.8: no message moves more than 128 registers per thread.
#include "atlas/shapes.hpp"

#include "base/invariant.hpp"

namespace tmemc::atlas {

namespace {

// clang-format off
constexpr std::array<ShapeRow, 5> rows{{
    // shape             name      regs cols lanes num  split  thread bits 0..4                              register bits      source
    {Shape::s32x32b,   "32x32b",   1, 1, 32, 128, false, {{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}}, {{{}, {}}},         "PTX ISA 9.7.16.8, figure for .32x32b"},
    {Shape::s16x64b,   "16x64b",   1, 2, 16, 128, false, {{{8, 0}, {0, 1}, {1, 0}, {2, 0}, {4, 0}}},  {{{}, {}}},         "PTX ISA 9.7.16.8, figure for .16x64b"},
    {Shape::s16x128b,  "16x128b",  2, 4, 16, 64,  false, {{{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}}},  {{{8, 0}, {}}},     "PTX ISA 9.7.16.8, figure for .16x128b"},
    {Shape::s16x256b,  "16x256b",  4, 8, 16, 32,  false, {{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},  {{{0, 1}, {8, 0}}}, "PTX ISA 9.7.16.8, figure for .16x256b"},
    {Shape::s16x32bx2, "16x32bx2", 1, 1, 16, 128, true,  {{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {}}},      {{{}, {}}},         "PTX ISA 9.7.16.8, figure for .16x32bx2"},
}};
// clang-format on

} // namespace

std::span<const ShapeRow> shape_rows() { return rows; }

const ShapeRow& row(Shape shape) {
    for (const ShapeRow& each : rows)
        if (each.shape == shape) return each;
    throw base::InternalError("atlas: a shape without a row");
}

std::optional<Shape> shape_named(std::string_view name) {
    for (const ShapeRow& each : rows)
        if (each.name == name) return each.shape;
    return std::nullopt;
}

Step cell_of(const ShapeRow& row, int thread, int reg) {
    Step cell{0, reg / row.registers * row.columns};
    auto add = [&cell](const Step& step) {
        cell.lane += step.lane;
        cell.column += step.column;
    };
    for (std::size_t bit = 0; bit < row.thread_bits.size(); ++bit)
        if ((thread >> bit & 1) != 0) add(row.thread_bits[bit]);
    const int in_tile = reg % row.registers;
    for (std::size_t bit = 0; bit < row.register_bits.size(); ++bit)
        if ((in_tile >> bit & 1) != 0) add(row.register_bits[bit]);
    return cell;
}

} // namespace tmemc::atlas
