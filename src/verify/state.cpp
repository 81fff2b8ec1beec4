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
    : probe_(probe), real_(probe.tensor().cells(0, {0, 512}).data()),
      expected_(static_cast<std::size_t>(emulator::tensor_lanes) * emulator::tensor_columns) {}

void Cells::expect(int base, const Row& row) {
    unsigned first = emulator::tensor_columns, last = 0;
    std::uint32_t* const expected = expected_.data();
    row.each([&first, &last, expected, base, bits = row.bits](const layout::Cell& cell, std::uint32_t value) {
        const unsigned column = static_cast<unsigned>(base) + cell.column;
        first = std::min(first, column);
        last = std::max(last, column + 1);
        put(expected[index(cell.lane, column)], cell.bit, bits, value);
    });
    touch(static_cast<int>(first), static_cast<int>(last - first));
}

void Cells::tag(int base, const Row& row) {
    expect(base, row);
    std::uint32_t* const real = real_;
    row.each([real, base, bits = row.bits](const layout::Cell& cell, std::uint32_t value) {
        put(real[index(cell.lane, static_cast<unsigned>(base) + cell.column)], cell.bit, bits, value);
    });
}

void Cells::any_upper_half(int lane, int column) {
    const std::size_t at = index(static_cast<unsigned>(lane), static_cast<unsigned>(column));
    put(expected_[at], 16, 16, real_[at] >> 16);
}

void Cells::touch(int first, int count) {
    first_ = std::min(first_, first);
    last_ = std::max(last_, first + count);
}

std::optional<Cells::Wrong> Cells::compare() const {
    for (int slice = 0; slice < emulator::tensor_slices && first_ < last_; ++slice) {
        const std::size_t begin = index(static_cast<unsigned>(slice) * 32, static_cast<unsigned>(first_)),
                          end = begin + static_cast<std::size_t>(last_ - first_) * 32;
        if (std::memcmp(real_ + begin, expected_.data() + begin, (end - begin) * 4) == 0) continue;
        std::size_t at = begin;
        while (real_[at] == expected_[at]) ++at;
        return Wrong{slice * 32 + static_cast<int>(at % 32), static_cast<int>(at / 32 % 512), expected_[at],
                     real_[at]};
    }
    return std::nullopt;
}

void Cells::mark_touched_as_written() {
    for (int slice = 0; slice < emulator::tensor_slices; ++slice)
        probe_.tensor().mark_written(slice, {first_, last_ - first_});
}

} // namespace tmemc::verify
