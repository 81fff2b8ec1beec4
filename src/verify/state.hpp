// What there is and what there should be. Registers of fragments, cells of tensor memory and bytes of tensors
// exist twice: in the machine that runs the text, and here as the program's maps would have them. tag()
// writes both alike; the logical copy then writes only what should be; compare looks only at what either side
// has touched, so a statement costs what it touches, however large the kernel is.
//
// The allocation does not begin at column 0 and tensors not at aligned addresses when there is room, so that
// a text that only works there is found out. Not here: which element goes where (logical.cpp).
#pragma once

#include "emulator/memory.hpp"
#include "emulator/probe.hpp"
#include "lower/lower.hpp"
#include "sema/program.hpp"
#include "verify/verify.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::verify {

inline constexpr int lanes_per_warp = 32, warps_per_warpgroup = 4;

/// Bits [bit, bit + bits) of a word.
inline void put(std::uint32_t& word, int bit, int bits, std::uint32_t value) {
    if (bits == 32) {
        word = value;
        return;
    }
    const std::uint32_t mask = ((1U << bits) - 1) << bit;
    word = (word & ~mask) | ((value << bit) & mask);
}

/// Global memory twice, where the kernel's copies go: whole tensors when they use much of them, else the
/// rows.
class Tensors {
  public:
    explicit Tensors(const sema::Kernel& kernel);
    [[nodiscard]] std::uint64_t base(std::size_t parameter) const { return bases_[parameter]; }
    [[nodiscard]] emulator::GlobalMemory& memory() { return real_; }
    /// The tensor and the byte in it.
    struct Byte {
        std::size_t parameter = 0;
        std::int64_t offset = 0;
    };
    [[nodiscard]] Byte locate(std::uint64_t address) const;

    struct Range {
        std::byte* real = nullptr;
        std::byte* expected = nullptr;
        std::uint8_t* written = nullptr;
    };
    /// Null pointers when no copy of the kernel goes there.
    [[nodiscard]] Range at(std::uint64_t address, std::uint64_t bytes);

  private:
    struct Segment {
        std::uint64_t first = 0, last = 0;
        emulator::GlobalMemory::Block* real = nullptr;
        emulator::GlobalMemory::Block* expected = nullptr;
    };
    void map(std::uint64_t first, std::uint64_t last);
    emulator::GlobalMemory real_, expected_;
    std::vector<std::uint64_t> bases_;
    std::vector<Segment> segments_; // ascending
    std::size_t last_ = 0;          // found
};

/// Registers twice. A register is named by its fragment and number.
class Registers {
  public:
    Registers(const sema::Kernel& kernel, const lower::KernelTrace& trace, emulator::Probe& probe);

    /// Both alike: bits [bit, bit + bits) of a thread's register; `fill` writes only what should be.
    void tag(std::size_t fragment, int warpgroup, const layout::Slot& slot, int bits, std::uint32_t value);
    void expect(std::size_t fragment, int warpgroup, const layout::Slot& slot, int bits, std::uint32_t value);
    /// The register is touched; a fresh statement has touched none.
    void touch(std::size_t number) {
        if (is_touched_[number] != 0) return;
        is_touched_[number] = 1;
        touched_.push_back(number);
    }
    void forget_touched();

    struct Wrong {
        std::size_t fragment = 0;
        int reg = 0, thread = 0; // of the warpgroup
        std::uint32_t expected = 0, found = 0;
        bool absent = false; // the text has no such register
    };
    /// The first of the touched registers that is not as it should be in the warpgroup.
    [[nodiscard]] std::optional<Wrong> compare(int warpgroup) const;
    /// The number of a machine's register that belongs to a fragment.
    [[nodiscard]] std::optional<std::size_t> number(emulator::Probe::Register which) const;

  private:
    struct Row {
        std::uint32_t* word = nullptr; // 32 of them; null: the text has no such register
        std::uint32_t* ready = nullptr;
    };
    [[nodiscard]] std::size_t row(std::size_t number, int warp) const {
        return number * warps_ + static_cast<std::size_t>(warp);
    }
    std::size_t warps_ = 0;
    std::vector<std::size_t> first_;       // number of each fragment's register 0
    std::vector<std::size_t> fragment_of_; // by number
    std::vector<Row> real_;
    std::vector<std::array<std::uint32_t, 32>> expected_;
    std::vector<std::int64_t> numbers_; // by the probe's register, -1: of no fragment
    std::vector<std::uint8_t> is_touched_;
    std::vector<std::size_t> touched_;
};

inline void Registers::tag(std::size_t fragment, int warpgroup, const layout::Slot& slot, int bits,
                           std::uint32_t value) {
    const std::size_t at =
        row(first_[fragment] + slot.reg, warpgroup * warps_per_warpgroup + slot.thread / lanes_per_warp);
    const auto lane = static_cast<std::size_t>(slot.thread % lanes_per_warp);
    put(expected_[at][lane], slot.bit, bits, value);
    if (real_[at].word == nullptr) return;
    put(real_[at].word[lane], slot.bit, bits, value);
    *real_[at].ready |= 1U << lane;
}

inline void Registers::expect(std::size_t fragment, int warpgroup, const layout::Slot& slot, int bits,
                              std::uint32_t value) {
    const std::size_t number = first_[fragment] + slot.reg;
    const std::size_t at = row(number, warpgroup * warps_per_warpgroup + slot.thread / lanes_per_warp);
    put(expected_[at][static_cast<std::size_t>(slot.thread % lanes_per_warp)], slot.bit, bits, value);
    touch(number);
}

/// Cells twice; columns are absolute.
class Cells {
  public:
    explicit Cells(emulator::Probe& probe);
    void tag(int lane, int column, int bit, int bits, std::uint32_t value) {
        put(real_[index(lane, column)], bit, bits, value);
        expect(lane, column, bit, bits, value);
    }
    void expect(int lane, int column, int bit, int bits, std::uint32_t value) {
        put(expected_[index(lane, column)], bit, bits, value);
    }
    /// Whatever the upper half has become is right.
    void any_upper_half(int lane, int column);
    void touch(int first, int count);
    void forget_touched() { first_ = 512, last_ = 0; }
    struct Wrong {
        int lane = 0, column = 0;
        std::uint32_t expected = 0, found = 0;
    };
    [[nodiscard]] std::optional<Wrong> compare() const;
    /// Cells in these columns count as written.
    void mark_written(int first, int count);

  private:
    [[nodiscard]] static std::size_t index(int lane, int column) {
        return (static_cast<std::size_t>(lane / 32) * 512 + static_cast<std::size_t>(column)) * 32 +
               static_cast<std::size_t>(lane % 32);
    }
    emulator::Probe& probe_;
    std::uint32_t* real_;
    std::vector<std::uint32_t> expected_;
    int first_ = 512, last_ = 0; // touched columns
};

} // namespace tmemc::verify
