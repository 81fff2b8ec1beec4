// Whether any instructions could do a copy, by brute force: a copy can be done exactly when every register of
// every warp that it needs is part of some .x1 message all of whose registers meet the cells that the copy
// wants. Wider messages and shared ones only do the same in fewer. All five shapes, both packings, every
// place of the register in its message are tried by the formulas of tmem_oracle.hpp.
#pragma once

#include "tmem_copy.hpp"

namespace tmemc::testing {

class MoveSearch {
  public:
    /// `elements` have one place on each side. `first_column` is that of column 0 in the allocation, for its
    /// parity.
    MoveSearch(const std::vector<Placed>& elements, int element_bytes, int first_column)
        : first_column_(first_column), wanted_(bytes, nothing), holders_(bytes, nothing) {
        for (const Placed& element : elements)
            for (int b = 0; b < element_bytes; ++b) {
                const auto& reg = element.registers[0];
                const auto& cell = element.cells[0];
                const int ours = index(reg.thread, reg.reg, reg.byte + b);
                const int theirs = index(cell.lane, cell.column, cell.byte + b);
                wanted_[static_cast<std::size_t>(ours)] = theirs;
                holders_[static_cast<std::size_t>(theirs)] = ours;
                registers_.insert({reg.thread / 32, reg.reg});
            }
    }

    [[nodiscard]] bool possible() const {
        for (const auto& [warp, reg] : registers_)
            if (!movable(warp, reg)) return false;
        return true;
    }

  private:
    // A byte of a register or of a cell as one number: 128 threads or lanes, 512 registers or columns, 4
    // bytes.
    static constexpr std::size_t bytes = std::size_t{128} * 512 * 4;
    static constexpr int nothing = -1;
    static int index(int across, int along, int byte) { return (across * 512 + along) * 4 + byte; }
    [[nodiscard]] int wanted(int thread, int reg, int byte) const {
        return wanted_[static_cast<std::size_t>(index(thread, reg, byte))];
    }

    [[nodiscard]] bool movable(int warp, int reg) const {
        for (const char* shape : {"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"})
            for (const bool pack : {false, true})
                for (int q = 0; q < oracle::registers_per_num(shape); ++q)
                    if (works(shape, pack, q, warp, reg)) return true;
        return false;
    }

    /// Whether an .x1 message that has `reg` at place q of its vector moves what the copy wants.
    [[nodiscard]] bool works(const std::string& shape, bool pack, int q, int warp, int reg) const {
        const int first = wanted(32 * warp, reg, 0), far = wanted(32 * warp + 16, reg, 0);
        if (first == nothing || far == nothing) return false;
        const auto lane = [](int at) { return at / (512 * 4); };
        const auto col = [](int at) { return at / 4 % 512; };
        const auto step = oracle::message_cell(shape, 0, 0, pack, 0, 0, q);
        const int row = lane(first) - 32 * warp - step.lane, column = col(first) - step.column;
        if (row != 0 && (row != 16 || shape == "32x32b")) return false;
        int half_split = 0;
        if (shape == "16x32bx2") {
            const int far_row = lane(far) - 32 * warp;
            if (far_row != 0 && far_row != 16) return false;
            half_split = (far_row - row) * 65536 + col(far) - column;
            if (half_split == 0) return false;
        }
        if (pack && ((column + first_column_) % 2 != 0 || half_split % 2 != 0)) return false;
        for (int other = 0; other < oracle::registers_per_num(shape); ++other) {
            const auto start = oracle::message_cell(shape, row, column, pack, half_split, 0, other);
            if (start.lane > 31 || start.column < 0 || start.column > 511) return false;
            const int holder =
                holders_[static_cast<std::size_t>(index(32 * warp + start.lane, start.column, 0))];
            if (holder == nothing || lane(holder) != 32 * warp || holder % 4 != 0) return false;
            if (other == q && col(holder) != reg) return false;
            for (int l = 0; l < 32; ++l) {
                const auto cell = oracle::message_cell(shape, row, column, pack, half_split, l, other);
                if (cell.lane > 31) return false;
                for (int b = 0; b < 4; ++b) {
                    const int target = pack ? index(32 * warp + cell.lane, cell.column + b / 2, b % 2)
                                            : index(32 * warp + cell.lane, cell.column, b);
                    if (wanted(32 * warp + l, col(holder), b) != target) return false;
                }
            }
        }
        return true;
    }

    int first_column_;
    std::vector<int> wanted_;                 // by byte of a register: byte of a cell
    std::vector<int> holders_;                // and back
    std::set<std::pair<int, int>> registers_; // warp, register
};

[[nodiscard]] inline bool possible(const CopyCase& c) {
    return MoveSearch(elements_of(c), base::bits(c.dtype) / 8, c.fixed.value_or(0)).possible();
}

} // namespace tmemc::testing
