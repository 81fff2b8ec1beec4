// Whether any instructions could do a copy, by brute force: a copy can be done exactly when every register of every
// warp that it needs is part of some .x1 message all of whose registers meet the cells that the copy wants. Wider
// messages and shared ones only do the same in fewer. All five shapes, both packings, every place of the register in
// its message are tried by the formulas of tmem_oracle.hpp.
#pragma once

#include "tmem_copy.hpp"

namespace tmemc::testing {

class MoveSearch {
  public:
    /// `elements` have one place on each side. `first_column` is that of column 0 in the allocation, for its parity.
    MoveSearch(const std::vector<Placed>& elements, int element_bytes, int first_column) : first_column_(first_column) {
        for (const Placed& element : elements)
            for (int b = 0; b < element_bytes; ++b) {
                const auto& reg = element.registers[0];
                const auto& cell = element.cells[0];
                wanted_[{reg.thread, reg.reg, reg.byte + b}] = {cell.lane, cell.column, cell.byte + b};
                holders_[{cell.lane, cell.column, cell.byte + b}] = {reg.thread, reg.reg, reg.byte + b};
            }
    }

    [[nodiscard]] bool possible() const {
        std::set<std::pair<int, int>> registers; // warp, register
        for (const auto& [place, cell] : wanted_) registers.insert({place[0] / 32, place[1]});
        for (const auto& [warp, reg] : registers)
            if (!movable(warp, reg)) return false;
        return true;
    }

  private:
    using Byte = std::array<int, 3>; // thread, register, byte; or lane, column, byte

    [[nodiscard]] bool movable(int warp, int reg) const {
        for (const char* shape : {"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"})
            for (const bool pack : {false, true})
                for (int q = 0; q < oracle::registers_per_num(shape); ++q)
                    if (works(shape, pack, q, warp, reg)) return true;
        return false;
    }

    /// Whether an .x1 message that has `reg` at place q of its vector moves what the copy wants.
    [[nodiscard]] bool works(const std::string& shape, bool pack, int q, int warp, int reg) const {
        const auto first = wanted_.find({32 * warp, reg, 0});
        const auto far = wanted_.find({32 * warp + 16, reg, 0});
        if (first == wanted_.end() || far == wanted_.end()) return false;
        const auto step = oracle::message_cell(shape, 0, 0, pack, 0, 0, q);
        const int row = first->second[0] - 32 * warp - step.lane, column = first->second[1] - step.column;
        if (row != 0 && (row != 16 || shape == "32x32b")) return false;
        int half_split = 0;
        if (shape == "16x32bx2") {
            const int far_row = far->second[0] - 32 * warp;
            if (far_row != 0 && far_row != 16) return false;
            half_split = (far_row - row) * 65536 + far->second[1] - column;
            if (half_split == 0) return false;
        }
        if (pack && ((column + first_column_) % 2 != 0 || half_split % 2 != 0)) return false;
        for (int other = 0; other < oracle::registers_per_num(shape); ++other) {
            const auto start = oracle::message_cell(shape, row, column, pack, half_split, 0, other);
            const auto holder = holders_.find({32 * warp + start.lane, start.column, 0});
            if (holder == holders_.end() || holder->second[0] != 32 * warp || holder->second[2] != 0) return false;
            for (int l = 0; l < 32; ++l) {
                const auto cell = oracle::message_cell(shape, row, column, pack, half_split, l, other);
                for (int b = 0; b < 4; ++b) {
                    const Byte target = pack ? Byte{32 * warp + cell.lane, cell.column + b / 2, b % 2}
                                             : Byte{32 * warp + cell.lane, cell.column, b};
                    const auto wanted = wanted_.find({32 * warp + l, holder->second[1], b});
                    if (cell.lane > 31 || wanted == wanted_.end() || wanted->second != target) return false;
                }
            }
        }
        return true;
    }

    int first_column_;
    std::map<Byte, Byte> wanted_;  // byte of a register: byte of a cell
    std::map<Byte, Byte> holders_; // and back
};

[[nodiscard]] inline bool possible(const CopyCase& c) {
    return MoveSearch(elements_of(c), base::bits(c.dtype) / 8, c.fixed.value_or(0)).possible();
}

} // namespace tmemc::testing
