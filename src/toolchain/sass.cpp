// Opcodes and fields as bit positions.
#include "toolchain/sass.hpp"

#include "toolchain/elf.hpp"

#include <array>

namespace tmemc::toolchain {
namespace {

constexpr std::uint64_t instruction_bytes = 16;
constexpr std::uint64_t ldtm = 0x9ee, ldtm_stat = 0x5ee, sttm = 0x9ed, ldl = 0x983, stl = 0x387,
                        wait_st = 0x3c6, nop = 0x918;

constexpr std::array<std::string_view, 8> shape_names{"16x128b",  "16x256b",  "32x32b", "16x64b",
                                                      "16x32bx2", "16x32bx2", "?",      "?"};

struct Word {
    std::uint64_t low = 0, high = 0;
    [[nodiscard]] std::uint64_t opcode() const { return low & 0xfff; }
    /// Bits 64 and up.
    [[nodiscard]] std::uint64_t field(unsigned first, unsigned width) const {
        return high >> (first - 64) & ((std::uint64_t{1} << width) - 1);
    }
};

TensorMove move_of(const Word& word) {
    TensorMove move;
    move.store = word.opcode() == sttm;
    move.shape = shape_names[word.field(87, 1) << 2 | word.field(81, 2)];
    move.num = 1 << word.field(83, 3);
    move.packed = word.field(80, 1) != 0;
    move.offset = static_cast<std::int32_t>(word.low >> 40 | word.field(72, 8) << 24);
    return move;
}

} // namespace

SassCounts count_sass(std::string_view code) {
    SassCounts counts;
    int nops = 0; // since the last that was none
    Bytes bytes(code);
    for (std::uint64_t at = 0; at + instruction_bytes <= code.size(); at += instruction_bytes) {
        const Word each{bytes.number(at, 8), bytes.number(at + 8, 8)};
        const std::uint64_t opcode = each.opcode();
        if (opcode == nop) {
            ++nops;
            continue;
        }
        counts.load_waits_or_fences += nops;
        counts.instructions += nops + 1;
        nops = 0;
        if (opcode == ldl || opcode == stl) ++counts.spills;
        if (opcode == wait_st) ++counts.store_waits;
        if (opcode == ldtm || opcode == ldtm_stat || opcode == sttm) counts.moves.push_back(move_of(each));
    }
    return counts;
}

} // namespace tmemc::toolchain
