// Whether any instructions could load from a buffer that holds elements more than once, by brute force: every
// .x1 message of every shape at every place is written down with the registers that it would fill rightly,
// and then all ways to fill each register of a warp exactly once are tried. For small tiles only.
#pragma once

#include "tmem_copy.hpp"

#include <algorithm>

namespace tmemc::testing {

class ReplicaSearch {
  public:
    ReplicaSearch(const std::vector<Placed>& elements, int element_bytes, int columns)
        : columns_(columns), bytes_(element_bytes) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            for (const auto& reg : elements[i].registers) {
                wants_[{reg.thread, reg.reg, reg.byte}] = static_cast<int>(i);
                registers_[static_cast<std::size_t>(reg.thread / 32)].insert(reg.reg);
            }
            for (const auto& cell : elements[i].cells)
                holds_[{cell.lane, cell.column, cell.byte}] = static_cast<int>(i);
        }
    }

    [[nodiscard]] bool possible() const {
        for (int warp = 0; warp < 4; ++warp) {
            const auto& all = registers_[static_cast<std::size_t>(warp)];
            if (!fill(messages(warp), all)) return false;
        }
        return true;
    }

  private:
    using Place = std::array<int, 3>;          // thread, register, byte; or lane, column, byte
    using Vector = std::vector<std::set<int>>; // by place in the message, the registers that may stand there

    static int look(const std::map<Place, int>& in, const Place& at) {
        const auto found = in.find(at);
        return found == in.end() ? -1 : found->second;
    }

    std::vector<Vector> messages(int warp) const {
        std::vector<Vector> all;
        for (const std::string shape : {"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"})
            for (const bool pack : {false, true})
                for (const int row : {0, 16})
                    for (int column = 0; column < columns_; ++column) {
                        if (shape == "32x32b" && row == 16) continue;
                        if (pack && (bytes_ != 2 || column % 2 != 0)) continue;
                        for (const int split : splits(shape, row, column, pack))
                            add(all, warp, shape, row, column, pack, split);
                    }
        return all;
    }
    std::vector<int> splits(const std::string& shape, int row, int column, bool pack) const {
        if (shape != "16x32bx2") return {0};
        std::vector<int> all;
        for (const int far_row : {0, 16})
            for (int far = 0; far < columns_; ++far)
                if ((far_row != row || far != column) && (!pack || (far - column) % 2 == 0))
                    all.push_back((far_row - row) * 65536 + far - column);
        return all;
    }
    void add(std::vector<Vector>& all, int warp, const std::string& shape, int row, int column, bool pack,
             int split) const {
        Vector vector;
        for (int q = 0; q < oracle::registers_per_num(shape); ++q) {
            vector.emplace_back();
            for (const int reg : registers_[static_cast<std::size_t>(warp)])
                if (fits(warp, shape, row, column, pack, split, q, reg)) vector.back().insert(reg);
            if (vector.back().empty()) return;
        }
        all.push_back(vector);
    }
    bool fits(int warp, const std::string& shape, int row, int column, bool pack, int split, int q,
              int reg) const {
        for (int l = 0; l < 32; ++l) {
            const auto cell = oracle::message_cell(shape, row, column, pack, split, l, q);
            for (int byte = 0; byte < 4; byte += bytes_) {
                const Place from = pack ? Place{32 * warp + cell.lane, cell.column + byte / 2, 0}
                                        : Place{32 * warp + cell.lane, cell.column, byte};
                const int element = look(holds_, from);
                if (cell.lane > 31 || element < 0) return false;
                if (look(wants_, {32 * warp + l, reg, byte}) != element) return false;
            }
        }
        return true;
    }

    /// Whether some of the messages fill `open` exactly.
    static bool fill(const std::vector<Vector>& messages, const std::set<int>& open) {
        if (open.empty()) return true;
        return std::any_of(messages.begin(), messages.end(), [&](const Vector& message) {
            return stand(messages, message, 0, open, *open.begin());
        });
    }
    /// The same with places `q` and on of one message still to be given registers, `must` among them.
    static bool stand(const std::vector<Vector>& messages, const Vector& message, std::size_t q,
                      const std::set<int>& open, int must) {
        if (q == message.size()) return !open.contains(must) && fill(messages, open);
        for (const int reg : message[q]) {
            if (!open.contains(reg)) continue;
            std::set<int> rest = open;
            rest.erase(reg);
            if (stand(messages, message, q + 1, rest, must)) return true;
        }
        return false;
    }

    int columns_, bytes_;
    std::map<Place, int> wants_, holds_;
    std::array<std::set<int>, 4> registers_;
};

} // namespace tmemc::testing
