// The five shapes, a row each, and the tile of a message made from its row.
#include "emulator/message.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

// In the 16-lane shapes a group of four threads shares a lane, as in the fragments of mma.m16n8; threads of
// 32x32b have a lane each; the two halves of 16x32bx2 are 16 threads on 16 lanes.
constexpr ShapeRow shapes[] = {
    {.name = "32x32b",
     .registers = 1,
     .columns = 1,
     .lanes = 32,
     .max_num = 128,
     .reduces = true,
     .lane = [](int thread, int) { return thread; },
     .column = [](int, int reg) { return reg; }},
    {.name = "16x64b",
     .registers = 1,
     .columns = 2,
     .lanes = 16,
     .max_num = 128,
     .lane = [](int thread, int) { return thread / 4 + 8 * (thread % 2); },
     .column = [](int thread, int reg) { return thread / 2 % 2 + 2 * reg; }},
    {.name = "16x128b",
     .registers = 2,
     .columns = 4,
     .lanes = 16,
     .max_num = 64,
     .lane = [](int thread, int reg) { return thread / 4 + 8 * (reg % 2); },
     .column = [](int thread, int reg) { return thread % 4 + 4 * (reg / 2); }},
    {.name = "16x256b",
     .registers = 4,
     .columns = 8,
     .lanes = 16,
     .max_num = 32,
     .lane = [](int thread, int reg) { return thread / 4 + 8 * (reg / 2 % 2); },
     .column = [](int thread, int reg) { return 2 * (thread % 4) + reg % 2 + 8 * (reg / 4); }},
    {.name = "16x32bx2",
     .registers = 1,
     .columns = 1,
     .lanes = 16,
     .max_num = 128,
     .split = true,
     .reduces = true,
     .lane = [](int thread, int) { return thread % 16; },
     .column = [](int, int reg) { return reg; }},
};

} // namespace

std::span<const ShapeRow> shape_rows() { return shapes; }

const ShapeRow* shape_row(std::string_view name) {
    const auto* row =
        std::find_if(std::begin(shapes), std::end(shapes), [&](auto& s) { return s.name == name; });
    return row == std::end(shapes) ? nullptr : row;
}

Message make_message(const ShapeRow& shape, int num, bool packed, std::uint32_t half_split) {
    Message message{.shape = &shape, .num = num, .packed = packed, .half_split = half_split};
    message.in_order = !packed;
    for (int reg = 0; reg < shape.registers; ++reg) {
        for (int thread = 0; thread < 32; ++thread) {
            int column = shape.column(thread, reg) * (packed ? 2 : 1);
            const int cell = column * 32 + shape.lane(thread, reg);
            message.cell[static_cast<std::size_t>(reg)][static_cast<std::size_t>(thread)] =
                static_cast<std::uint16_t>(cell);
            message.in_order = message.in_order && cell == reg * 32 + thread;
        }
    }
    return message;
}

} // namespace tmemc::emulator
