// Registers and cells, twice.
#include "verify/state.hpp"

#include "verify/compute.hpp"

#include <algorithm>
#include <cstring>

namespace tmemc::verify {

std::uint32_t scalar_value(const sema::Kernel& kernel, std::size_t parameter) {
    constexpr std::uint32_t mixed = 0x9E3779B1; // its multiples are spread over all words
    const auto& scalar = std::get<sema::Scalar>(kernel.parameters[parameter]);
    return plausible(scalar.dtype, static_cast<std::uint32_t>(parameter + 1) * mixed);
}

Registers::Registers(const sema::Kernel& kernel, const lower::KernelTrace& trace, emulator::Probe& probe)
    : warps_(probe.warps()) {
    for (std::size_t f = 0; f < kernel.fragments.size(); ++f) {
        first_.push_back(fragment_of_.size());
        for (const std::string& name : trace.registers[f]) {
            const auto found = probe.find(name);
            if (found) {
                numbers_.resize(std::max<std::size_t>(numbers_.size(), *found + 1), -1);
                numbers_[*found] = static_cast<std::int64_t>(fragment_of_.size());
            }
            fragment_of_.push_back(f);
            for (std::uint32_t warp = 0; warp < warps_; ++warp)
                real_.push_back(found ? Row{probe.word(warp, *found).data(), &probe.ready(warp, *found)}
                                      : Row{});
        }
    }
    expected_.resize(real_.size());
    is_touched_.resize(fragment_of_.size());
}

template <class F>
void Registers::each(std::size_t fragment, int warpgroup, const Slots& slots, F f) const {
    const std::size_t first = first_[fragment], warps = warps_;
    const auto first_warp = static_cast<std::size_t>(warpgroup) * warps_per_warpgroup;
    slots.each([=](const layout::Slot& slot, std::uint32_t value) {
        const std::size_t number = first + slot.reg, thread = slot.thread;
        f(number, number * warps + first_warp + thread / lanes_per_warp, thread % lanes_per_warp, slot.bit,
          value);
    });
}

void Registers::tag(std::size_t fragment, int warpgroup, const Slots& slots) {
    const int bits = slots.bits;
    each(fragment, warpgroup, slots,
         [this, bits](std::size_t, std::size_t at, std::size_t lane, int bit, std::uint32_t value) {
             put(expected_[at][lane], bit, bits, value);
             if (real_[at].word == nullptr) return;
             put(real_[at].word[lane], bit, bits, value);
             *real_[at].ready |= 1U << lane;
         });
}

void Registers::expect(std::size_t fragment, int warpgroup, const Slots& slots) {
    const int bits = slots.bits;
    each(fragment, warpgroup, slots,
         [this, bits](std::size_t number, std::size_t at, std::size_t lane, int bit, std::uint32_t value) {
             put(expected_[at][lane], bit, bits, value);
             touch(number);
         });
}

void Registers::read(std::size_t fragment, int warpgroup, const Slots& slots,
                     std::span<std::uint32_t> into) const {
    std::size_t next = 0; // a copy; those of an element stand together
    const auto copies = static_cast<std::size_t>(slots.copies);
    each(fragment, warpgroup, slots,
         [&](std::size_t, std::size_t at, std::size_t lane, int bit, std::uint32_t) {
             into[next++ / copies] = get(expected_[at][lane], bit, slots.bits);
         });
}

void Registers::forget_touched() {
    for (const std::size_t number : touched_) is_touched_[number] = 0;
    touched_.clear();
}

std::optional<Registers::Wrong> Registers::compare(int warpgroup) const {
    for (const std::size_t number : touched_) {
        const std::size_t fragment = fragment_of_[number];
        Wrong wrong{fragment, static_cast<int>(number - first_[fragment]), 0, 0, 0, false};
        for (int warp = 0; warp < warps_per_warpgroup; ++warp) {
            const std::size_t at = row(number, warpgroup * warps_per_warpgroup + warp);
            wrong.absent = real_[at].word == nullptr;
            if (wrong.absent) return wrong;
            const auto& expected = expected_[at];
            if (std::memcmp(real_[at].word, expected.data(), sizeof expected) == 0) continue;
            std::size_t lane = 0;
            while (real_[at].word[lane] == expected[lane]) ++lane;
            wrong.thread = warp * lanes_per_warp + static_cast<int>(lane);
            wrong.expected = expected[lane];
            wrong.found = real_[at].word[lane];
            return wrong;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> Registers::number(emulator::Probe::Register which) const {
    if (which >= numbers_.size() || numbers_[which] < 0) return std::nullopt;
    return static_cast<std::size_t>(numbers_[which]);
}

Cells::Cells(emulator::Probe& probe)
    : probe_(&probe), real_(reinterpret_cast<std::byte*>(probe.tensor().cells(0, {0, 512}).data())),
      expected_(static_cast<std::size_t>(emulator::tensor_lanes) * emulator::tensor_columns) {}

void Cells::expect(int base, const Row& row) {
    unsigned first = emulator::tensor_columns, last = 0;
    row.each([&, this](const layout::Cell& cell, std::uint32_t value) {
        const unsigned column = static_cast<unsigned>(base) + cell.column;
        first = std::min(first, column);
        last = std::max(last, column + 1);
        put(expected_[index(cell.lane, column)], cell.bit, row.bits, value);
    });
    touch(static_cast<int>(first), static_cast<int>(last - first));
}

void Cells::tag(int base, const Row& row) {
    expect(base, row);
    row.each([&, this](const layout::Cell& cell, std::uint32_t value) {
        const std::size_t at = index(cell.lane, static_cast<unsigned>(base) + cell.column);
        std::uint32_t word = real(at);
        put(word, cell.bit, row.bits, value);
        std::memcpy(real_ + at * sizeof word, &word, sizeof word);
    });
}

void Cells::any_upper_half(int lane, int column) {
    const std::size_t at = index(static_cast<unsigned>(lane), static_cast<unsigned>(column));
    put(expected_[at], 16, 16, real(at) >> 16);
}

void Cells::touch(int first, int count) {
    first_ = std::min(first_, first);
    last_ = std::max(last_, first + count);
}

bool Cells::touch_bytes(bool global, std::uint64_t first, std::uint64_t last) {
    if (!image_ || image_->global != global) return false;
    constexpr std::uint64_t column = std::uint64_t{emulator::tensor_lanes} * 4;
    const std::uint64_t begin = image_->address, end = begin + image_->size;
    const std::uint64_t from = std::max(first, begin), to = std::min(last, end);
    if (from >= to) return false;
    const std::uint64_t low = (from - begin) / column, high = (to - begin + column - 1) / column;
    touch(static_cast<int>(low), static_cast<int>(high - low));
    return first >= begin && last <= end;
}

std::optional<std::size_t> Cells::first_difference(std::size_t begin, std::size_t end) const {
    if (std::memcmp(real_ + begin * 4, expected_.data() + begin, (end - begin) * 4) == 0) return std::nullopt;
    while (real(begin) == expected_[begin]) ++begin;
    return begin;
}

std::optional<Cells::Wrong> Cells::compare() const {
    if (first_ >= last_) return std::nullopt;
    const auto first = static_cast<unsigned>(first_), last = static_cast<unsigned>(last_);
    if (image_) {
        const std::size_t lanes = emulator::tensor_lanes;
        const auto at = first_difference(first * lanes, last * lanes);
        if (!at) return std::nullopt;
        const auto column = static_cast<unsigned>(*at / lanes);
        unsigned lane = 0;
        while (index(lane, column) != *at) ++lane;
        return Wrong{static_cast<int>(lane), static_cast<int>(column), expected_[*at], real(*at)};
    }
    for (unsigned lane = 0; lane < emulator::tensor_lanes; lane += 32) // a slice
        if (const auto at = first_difference(index(lane, first), index(lane, last - 1) + 32))
            return Wrong{static_cast<int>(lane + *at % 32), static_cast<int>(*at / 32 % 512), expected_[*at],
                         real(*at)};
    return std::nullopt;
}

void Cells::mark_touched_as_written() {
    if (image_) {
        constexpr std::ptrdiff_t column = std::ptrdiff_t{emulator::tensor_lanes} * 4;
        std::fill(image_->written + first_ * column, image_->written + last_ * column, std::uint8_t{1});
        return;
    }
    for (int slice = 0; slice < emulator::tensor_slices; ++slice)
        probe_->tensor().mark_written(slice, {first_, last_ - first_});
}

} // namespace tmemc::verify
