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
#include "verify/cta.hpp"
#include "verify/verify.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
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

inline std::uint32_t get(std::uint32_t word, int bit, int bits) {
    return bits == 32 ? word : word >> bit & ((1U << bits) - 1);
}

/// Elements side by side in a region, and the value of each; all copies of an element have the same.
template <class Place>
struct Elements {
    const Place* places = nullptr; // the copies of the first, then those of the second, ...
    int copies = 1, bits = 32;
    std::span<const std::uint32_t> values;

    /// f(place, value)
    template <class F>
    void each(F f) const {
        const Place* place = places;
        for (const std::uint32_t value : values)
            for (int k = 0; k < copies; ++k) f(*place++, value);
    }
};
using Slots = Elements<layout::Slot>;

/// The value that the launch gives a scalar parameter that no size depends on: the same plausible number each
/// time.
[[nodiscard]] std::uint32_t scalar_value(const sema::Kernel& kernel, std::size_t parameter);

/// Global memory twice, where the kernel's copies go in a CTA: whole tensors when they use much of them, else
/// the rows.
class Tensors {
  public:
    Tensors(const sema::Kernel& kernel, const Cta& cta);
    [[nodiscard]] std::uint64_t base(std::size_t parameter) const { return bases_[parameter]; }
    /// Where the slices of the CTAs begin, when tensor memory is in global memory.
    [[nodiscard]] std::uint64_t scratch() const { return scratch_; }
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
    std::uint64_t scratch_ = 0;
    std::vector<Segment> segments_; // ascending
    std::size_t last_ = 0;          // found
};

/// Registers twice. A register is named by its fragment and number.
class Registers {
  public:
    Registers(const sema::Kernel& kernel, const lower::KernelTrace& trace, emulator::Probe& probe);

    /// Both alike.
    void tag(std::size_t fragment, int warpgroup, const Slots& slots);
    /// Only what should be.
    void expect(std::size_t fragment, int warpgroup, const Slots& slots);
    /// What should be in the slots, of each element's first copy.
    void read(std::size_t fragment, int warpgroup, const Slots& slots, std::span<std::uint32_t> into) const;
    /// What the machine has in a slot is right when `near(what should be, what is)`.
    template <class Near>
    void let_pass(std::size_t fragment, int warpgroup, const layout::Slot& slot, int bits, Near near);
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
    /// f(number, row, lane) for each slot.
    template <class F>
    void each(std::size_t fragment, int warpgroup, const Slots& slots, F f) const;
    std::size_t warps_ = 0;
    std::vector<std::size_t> first_;       // number of each fragment's register 0
    std::vector<std::size_t> fragment_of_; // by number
    std::vector<Row> real_;
    std::vector<std::array<std::uint32_t, 32>> expected_;
    std::vector<std::int64_t> numbers_; // by the probe's register, -1: of no fragment
    std::vector<std::uint8_t> is_touched_;
    std::vector<std::size_t> touched_;
};

template <class Near>
void Registers::let_pass(std::size_t fragment, int warpgroup, const layout::Slot& slot, int bits, Near near) {
    const std::size_t at =
        row(first_[fragment] + slot.reg, warpgroup * warps_per_warpgroup + slot.thread / lanes_per_warp);
    const auto lane = static_cast<std::size_t>(slot.thread % lanes_per_warp);
    if (real_[at].word == nullptr) return;
    const std::uint32_t found = get(real_[at].word[lane], slot.bit, bits);
    if (near(get(expected_[at][lane], slot.bit, bits), found))
        put(expected_[at][lane], slot.bit, bits, found);
}

/// Where cells are kept in software, and in which order: that of tensor_memory_software.hpp, here by words.
/// Of column c the word of lane l is number 128*c + (l ^ turn), and turn has bit 3 when c's second bit is
/// set, and bit 4 when its first and third differ.
struct Image {
    std::byte* bytes = nullptr;
    std::uint8_t* written = nullptr;
    std::uint64_t address = 0, size = 0; // in its space
    bool global = false;
};

/// Cells twice; columns are absolute.
class Cells {
  public:
    explicit Cells(emulator::Probe& probe);
    explicit Cells(const Image& image) : image_(image), real_(image.bytes), expected_(image.size / 4) {}
    using Row = Elements<layout::Cell>;
    /// Both alike; the row's columns are counted from `base`.
    void tag(int base, const Row& row);
    /// Only what should be.
    void expect(int base, const Row& row);
    /// Whatever the upper half has become is right.
    void any_upper_half(int lane, int column);
    void touch(int first, int count);
    /// The columns that have some of these bytes of global or shared memory; whether all are in the image.
    bool touch_bytes(bool global, std::uint64_t first, std::uint64_t last);
    void forget_touched() { first_ = 512, last_ = 0; }
    struct Wrong {
        int lane = 0, column = 0;
        std::uint32_t expected = 0, found = 0;
    };
    [[nodiscard]] std::optional<Wrong> compare() const;
    /// Cells in the touched columns count as written.
    void mark_touched_as_written();

  private:
    [[nodiscard]] std::size_t index(unsigned lane, unsigned column) const {
        if (!image_) return (std::size_t{lane / 32} * emulator::tensor_columns + column) * 32 + lane % 32;
        const unsigned turn = (column / 2 % 2) * 8 + ((column % 2) != (column / 4 % 2) ? 16 : 0);
        return std::size_t{column} * emulator::tensor_lanes + (lane ^ turn);
    }
    [[nodiscard]] std::uint32_t real(std::size_t at) const {
        std::uint32_t word = 0;
        std::memcpy(&word, real_ + at * sizeof word, sizeof word);
        return word;
    }
    [[nodiscard]] std::optional<std::size_t> first_difference(std::size_t begin, std::size_t end) const;
    emulator::Probe* probe_ = nullptr; // in hardware
    std::optional<Image> image_;       // in software
    std::byte* real_;
    std::vector<std::uint32_t> expected_;
    int first_ = 512, last_ = 0; // touched columns
};

} // namespace tmemc::verify
