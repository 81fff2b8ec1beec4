// Something that every thread has in its registers' slots, as a formula in the bits of the thread number: a
// constant of the slot plus a step for every set bit. What `plus` means is the value's own affair: the row
// and column of an element add up (thread_form.hpp), the bits of a swizzled address are joined by exclusive
// or (staged_layout.hpp). For the values 0, 3, 8 and 11 of threads 0 to 3 the steps are 3 and 8.
//
// The step of a thread bit shows where two threads differ in it alone; the formula is then proven at every
// thread, and where no single one holds, the threads are halved, in the end to one.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tmemc::lower {

inline constexpr std::size_t thread_bits = 7; // threads of a warpgroup are numbered 0..127
using ThreadSet = std::bitset<std::size_t{1} << thread_bits>;

/// A slot of a register, the threads that have something there, and the constant of the formula.
template <class Value>
struct LinearSlot {
    int reg = 0, bit = 0;
    ThreadSet threads;
    Value constant{}; // of thread 0, were it among them
    bool operator==(const LinearSlot&) const = default;
};

/// Slots of some threads: thread t has constant + the sum of bits[i] for every set bit i of t.
template <class Value>
struct LinearForm {
    std::array<Value, thread_bits> bits{};
    std::vector<LinearSlot<Value>> slots; // ascending by register and bit
    [[nodiscard]] Value at(const LinearSlot<Value>& slot, std::size_t thread) const {
        Value value = slot.constant;
        for (std::size_t bit = 0; bit < thread_bits; ++bit)
            if ((thread >> bit & 1) != 0) value = value + bits[bit];
        return value;
    }
    bool operator==(const LinearForm&) const = default;
};

/// What is there before any formula is known, by register and bit.
template <class Value>
struct SlotValues {
    ThreadSet threads;
    std::array<Value, std::size_t{1} << thread_bits> values{};
};
template <class Value>
using SlotTable = std::map<std::pair<int, int>, SlotValues<Value>>;

/// What bit `bit` adds: seen where two threads that differ in it alone share a slot; nothing where none do.
template <class Value>
Value step_of(std::size_t bit, const ThreadSet& among, const SlotTable<Value>& table) {
    const std::size_t mask = std::size_t{1} << bit;
    for (const auto& [key, slot] : table)
        for (std::size_t t = 0; t < among.size(); ++t)
            if ((t & mask) == 0 && among[t] && among[t | mask] && slot.threads[t] && slot.threads[t | mask])
                return slot.values[t | mask] - slot.values[t];
    return {};
}

/// The one formula for the threads `among`, when there is one.
template <class Value>
std::optional<LinearForm<Value>> single_form(const ThreadSet& among, const SlotTable<Value>& table) {
    LinearForm<Value> form;
    for (std::size_t bit = 0; bit < thread_bits; ++bit) form.bits[bit] = step_of(bit, among, table);
    for (const auto& [key, slot] : table) {
        LinearSlot<Value> into{key.first, key.second, slot.threads & among, {}};
        bool first = true;
        for (std::size_t t = 0; t < among.size(); ++t) {
            if (!into.threads[t]) continue;
            if (std::exchange(first, false)) into.constant = slot.values[t] - form.at(into, t);
            if (form.at(into, t) != slot.values[t]) return std::nullopt;
        }
        if (!first) form.slots.push_back(into);
    }
    return form;
}

/// Forms for the threads from `begin` on, 2^bits of them: one, or those of the two halves.
template <class Value>
void add_forms(std::size_t begin, std::size_t bits, const SlotTable<Value>& table,
               std::vector<LinearForm<Value>>& into) {
    ThreadSet among;
    for (std::size_t t = begin; t < begin + (std::size_t{1} << bits); ++t) among.set(t);
    if (std::optional<LinearForm<Value>> form = single_form(among, table)) {
        if (!form->slots.empty()) into.push_back(std::move(*form));
        return;
    }
    add_forms(begin, bits - 1, table, into);
    add_forms(begin + (std::size_t{1} << (bits - 1)), bits - 1, table, into);
}

/// The forms of a table: disjoint sets of threads, most often one of all.
template <class Value>
std::vector<LinearForm<Value>> linear_forms(const SlotTable<Value>& table) {
    std::vector<LinearForm<Value>> forms;
    add_forms(0, thread_bits, table, forms);
    return forms;
}

} // namespace tmemc::lower
