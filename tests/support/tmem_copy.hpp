// One tensor-memory copy as a test wants it: a program with one buffer, one fragment and one copy, made by
// hand, and a machine that runs a plan's messages by the formulas of tmem_oracle.hpp and compares every
// register and cell with the logical copy. The machine knows nothing of the matcher: it moves bytes that are
// all different, so a byte in the wrong place, missing, or moved twice shows.
#pragma once

#include "atlas/images.hpp"
#include "match/plan.hpp"
#include "sema/program.hpp"
#include "tmem_oracle.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tmemc::testing {

/// What a test asks for. The fragment and the buffer may have different extents; the windows have the same.
struct CopyCase {
    base::Dtype dtype = base::Dtype::f32;
    bool store = false;
    // the buffer
    char datapath = 'D'; // 0: `buffer_layout`
    int sub_slab = 0;
    bool unpacked = false;
    int buffer_rows = 128, buffer_cols = 0;
    layout::Layout buffer_layout;
    int offset = 0;           // of the buffer in its alias group
    std::optional<int> fixed; // of the group
    // the fragment
    std::string atom = "32x32b"; // empty: `fragment_layout`
    int fragment_rows = 128, fragment_cols = 0;
    layout::Layout fragment_layout;
    // the windows: corners, and extents where 0 means all of the fragment
    int buffer_row = 0, buffer_col = 0, fragment_row = 0, fragment_col = 0;
    int rows = 0, cols = 0;
    int warpgroups = 1;
    // other rows than the atlas's for the datapath and the atom: the program has them, the judges do not
    const atlas::ImageRow* datapath_row = nullptr;
    const atlas::ImageRow* atom_row = nullptr;

    [[nodiscard]] int window_rows() const { return rows == 0 ? fragment_rows : rows; }
    [[nodiscard]] int window_cols() const { return cols == 0 ? fragment_cols : cols; }
};

inline layout::Layout buffer_layout(const CopyCase& c) {
    if (c.datapath == 0) return c.buffer_layout;
    const atlas::ImageRow* row = c.datapath_row;
    if (row == nullptr) row = atlas::datapath(std::string(1, c.datapath), c.buffer_rows);
    return atlas::layout_of(*row, c.buffer_cols, base::bits(c.dtype), c.unpacked, c.sub_slab);
}
inline layout::Layout fragment_layout(const CopyCase& c) {
    if (c.atom.empty()) return c.fragment_layout;
    const atlas::ImageRow* row = c.atom_row;
    if (row == nullptr) row = atlas::atom(c.atom, c.fragment_rows);
    return atlas::layout_of(*row, c.fragment_cols, base::bits(c.dtype));
}

/// `frag Y`, `tmem T` and the copy between them, in a kernel `k`.
inline sema::Program program_of(const CopyCase& c) {
    const int bits = base::bits(c.dtype);
    sema::Kernel kernel;
    kernel.name = "k";
    kernel.warpgroups = c.warpgroups;
    auto slots = fragment_layout(c);
    auto cells = buffer_layout(c);
    const std::string image = c.atom.empty() ? "layout " + layout::to_string(slots) : "atom " + c.atom;
    kernel.fragment_images.push_back(
        {image, slots,
         std::get<layout::SlotMap>(layout::slot_map(slots, c.fragment_rows, c.fragment_cols, bits))});
    kernel.buffer_images.push_back(
        {c.datapath, c.sub_slab, c.unpacked, cells,
         std::get<layout::CellMap>(layout::cell_map(cells, c.buffer_rows, c.buffer_cols, bits))});
    kernel.fragments.push_back({"Y", c.dtype, c.fragment_rows, c.fragment_cols, 0, {}});
    sema::Buffer buffer;
    buffer.name = "T";
    buffer.dtype = c.dtype;
    buffer.rows = c.buffer_rows;
    buffer.cols = c.buffer_cols;
    buffer.offset = c.offset;
    kernel.buffers.push_back(buffer);
    kernel.groups.push_back({c.offset + kernel.buffer_images[0].cells.words, c.fixed, 0});
    sema::TmemCopy copy;
    copy.op = c.store ? sema::TmemCopy::Op::st : sema::TmemCopy::Op::ld;
    copy.buffer = {0, c.buffer_row, c.buffer_col, c.window_rows(), c.window_cols(), {}};
    copy.fragment = {0, c.fragment_row, c.fragment_col, c.window_rows(), c.window_cols(), {}};
    sema::Statement statement;
    statement.what = copy;
    statement.span = {10, 20};
    kernel.statements.push_back(statement);
    sema::Program program;
    program.kernels.push_back(std::move(kernel));
    return program;
}

/// One element: where the fragment and the buffer have it. Copies of an element stand side by side.
struct Placed {
    struct Register {
        int thread = 0, reg = 0, byte = 0;
    };
    struct Memory {
        int lane = 0, column = 0, byte = 0;
    };
    std::vector<Register> registers;
    std::vector<Memory> cells;
};

/// The elements of the copy. Atoms and datapaths go by formula; literals by their map, which other tests
/// judge.
inline std::vector<Placed> elements_of(const CopyCase& c) {
    const int bits = base::bits(c.dtype), bytes = bits / 8, dense = 32 / bits;
    const auto slots = std::get<layout::SlotMap>(
        layout::slot_map(fragment_layout(c), c.fragment_rows, c.fragment_cols, bits));
    const auto cells =
        std::get<layout::CellMap>(layout::cell_map(buffer_layout(c), c.buffer_rows, c.buffer_cols, bits));
    std::vector<Placed> elements;
    for (int i = 0; i < c.window_rows(); ++i)
        for (int j = 0; j < c.window_cols(); ++j) {
            Placed element;
            const int fr = c.fragment_row + i, fc = c.fragment_col + j, br = c.buffer_row + i,
                      bc = c.buffer_col + j;
            if (c.atom.empty()) {
                for (int k = 0; k < slots.copies; ++k) {
                    const layout::Slot& s = slots.at(fr, fc, k);
                    element.registers.push_back({s.thread, s.reg, s.bit / 8});
                }
            } else {
                const auto s =
                    oracle::atom_slot(c.atom, c.fragment_rows, c.fragment_cols / dense, fr, fc / dense);
                element.registers.push_back({s.thread, s.reg, fc % dense * bytes});
            }
            if (c.datapath == 0) {
                for (int k = 0; k < cells.copies; ++k) {
                    const layout::Cell& s = cells.at(br, bc, k);
                    element.cells.push_back({s.lane, s.column + c.offset, s.bit / 8});
                }
            } else {
                const int per_word = c.unpacked ? 1 : dense;
                const auto s = oracle::datapath_cell(c.datapath, c.sub_slab, c.buffer_cols / per_word, br,
                                                     bc / per_word);
                element.cells.push_back({s.lane, s.column + c.offset, bc % per_word * bytes});
            }
            elements.push_back(std::move(element));
        }
    return elements;
}

/// Tensor memory and the registers of a warpgroup, a tag per byte. Tag 0 is "as it was".
class CopyMachine {
  public:
    using Word = std::array<std::uint32_t, 4>; // tags, lowest byte first
    static constexpr std::uint32_t unspecified = 0xffffffff;

    explicit CopyMachine(bool store)
        : store_(store), cells_(std::size_t{128} * 512), registers_(std::size_t{128} * 512) {
        std::vector<Word>& source = store ? registers_ : cells_;
        std::uint32_t tag = 0;
        for (Word& word : source)
            for (std::uint32_t& byte : word) byte = ++tag;
    }

    /// Runs one message; returns what was wrong with it, or nothing.
    std::string run(const match::Message& message) {
        const std::string shape(atlas::row(message.shape).name);
        if (static_cast<int>(message.registers.size()) != message.num * oracle::registers_per_num(shape))
            return "wrong number of registers";
        if ((message.num & (message.num - 1)) != 0 || message.num * oracle::registers_per_num(shape) > 128)
            return "no such .xN";
        if (message.row != 0 && (message.row != 16 || shape == "32x32b")) return "no such row";
        if ((shape == "16x32bx2") != message.half_split.has_value()) return "half split missing or too much";
        if (message.warps.empty()) return "no warps";
        if (!store_ && std::set<int>(message.registers.begin(), message.registers.end()).size() !=
                           message.registers.size())
            return "a register is loaded twice by one message";
        for (int warp : message.warps)
            for (int l = 0; l < 32; ++l)
                for (std::size_t q = 0; q < message.registers.size(); ++q) {
                    const auto cell =
                        oracle::message_cell(shape, message.row, message.column, message.pack,
                                             message.half_split.value_or(0), l, static_cast<int>(q));
                    if (cell.lane < 0 || cell.lane > 31) return "a lane of another warp";
                    if (cell.column < 0 || cell.column + (message.pack ? 1 : 0) > 511)
                        return "a column outside";
                    move(32 * warp + cell.lane, cell.column, 32 * warp + l, message.registers[q],
                         message.pack);
                }
        return error_;
    }

    /// What differs from the logical copy, or nothing.
    std::string compare(const std::vector<Placed>& elements, int bytes) {
        std::map<std::size_t, std::set<int>> expected; // bytes of each target word that belong to the copy
        for (const Placed& element : elements) {
            if (store_) {
                for (const auto& cell : element.cells) {
                    bool same = false;
                    for (const auto& reg : element.registers)
                        same = same || equal(cells_[cell_index(cell.lane, cell.column)], cell.byte,
                                             register_index(reg.thread, reg.reg), reg.byte, bytes);
                    if (!same) return "a cell has something else";
                    for (int b = 0; b < bytes; ++b)
                        expected[cell_index(cell.lane, cell.column)].insert(cell.byte + b);
                }
                continue;
            }
            for (const auto& reg : element.registers) {
                bool same = false;
                for (const auto& cell : element.cells)
                    same = same || equal(registers_[register_index(reg.thread, reg.reg)], reg.byte,
                                         cell_index(cell.lane, cell.column), cell.byte, bytes);
                if (!same) return "a register has something else";
                for (int b = 0; b < bytes; ++b)
                    expected[register_index(reg.thread, reg.reg)].insert(reg.byte + b);
            }
        }
        return compare_rest(expected);
    }

  private:
    static std::size_t cell_index(int lane, int column) {
        return static_cast<std::size_t>(lane) * 512 + static_cast<std::size_t>(column);
    }
    static std::size_t register_index(int thread, int reg) {
        return static_cast<std::size_t>(thread) * 512 + static_cast<std::size_t>(reg);
    }
    static std::uint32_t tag(std::size_t word, int byte) {
        return static_cast<std::uint32_t>(word * 4) + 1 + static_cast<std::uint32_t>(byte);
    }

    void move(int lane, int column, int thread, int reg, bool pack) {
        Word& word = registers_[register_index(thread, reg)];
        Word* low = &cells_[cell_index(lane, column)];
        Word* high = pack ? &cells_[cell_index(lane, column + 1)] : nullptr;
        if (!store_) {
            write(word, pack ? Word{(*low)[0], (*low)[1], (*high)[0], (*high)[1]} : *low);
        } else if (pack) {
            write(*low, {word[0], word[1], unspecified, unspecified});
            write(*high, {word[2], word[3], unspecified, unspecified});
        } else {
            write(*low, word);
        }
    }
    void write(Word& target, const Word& value) {
        if (target != Word{}) error_ = "something is written twice";
        target = value;
    }
    bool equal(const Word& target, int byte, std::size_t source, int source_byte, int bytes) const {
        auto at = target.begin() + byte;
        for (int b = 0; b < bytes; ++b, ++at)
            if (*at != tag(source, source_byte + b)) return false;
        return true;
    }
    /// Nothing else may have changed; the upper half of an unpacked cell may be anything.
    std::string compare_rest(const std::map<std::size_t, std::set<int>>& expected) const {
        const std::vector<Word>& target = store_ ? cells_ : registers_;
        for (std::size_t i = 0; i < target.size(); ++i) {
            if (target[i] == Word{}) continue;
            const auto found = expected.find(i);
            if (found == expected.end()) return "something is written that is not in the copy";
            for (int b = 0; b < 4; ++b) {
                const std::uint32_t byte = target[i][static_cast<std::size_t>(b)];
                if (byte != unspecified && !found->second.contains(b)) return "a byte too much is written";
                if (byte == unspecified && found->second.contains(b)) return "an element is overwritten";
            }
        }
        return "";
    }

    bool store_;
    std::vector<Word> cells_, registers_;
    std::string error_;
};

/// Runs all messages of a plan for `c`, whose elements are known; what is wrong, or nothing.
inline std::string judge(const CopyCase& c, const std::vector<Placed>& elements,
                         const std::vector<match::Message>& messages) {
    CopyMachine machine(c.store);
    for (const match::Message& message : messages) {
        // A message that packs starts on an even column of the allocation, and so does its second half.
        const int first = c.fixed.value_or(0) + message.column, far = message.half_split.value_or(0);
        if (message.pack && (first % 2 != 0 || far % 2 != 0)) return "packs from an odd column";
        if (std::string error = machine.run(message); !error.empty()) return error;
    }
    for (std::size_t i = 1; i < messages.size(); ++i)
        if (std::pair(messages[i - 1].row, messages[i - 1].column) >
            std::pair(messages[i].row, messages[i].column))
            return "messages out of order";
    return machine.compare(elements, base::bits(c.dtype) / 8);
}
inline std::string judge(const CopyCase& c, const std::vector<match::Message>& messages) {
    return judge(c, elements_of(c), messages);
}

} // namespace tmemc::testing
