// The step of a thread bit shows where two threads differ in it alone; the formula is then proven at every
// thread, and where no single one holds, the threads are halved.
#include "lower/thread_form.hpp"

#include <map>
#include <optional>
#include <utility>

namespace tmemc::lower {
namespace {

/// A slot before any formula is known: the element of each thread.
struct RawSlot {
    ThreadSet threads;
    std::array<Place, 128> places;
};
using RawSlots = std::map<std::pair<int, int>, RawSlot>; // by register and bit

RawSlots turn_round(const layout::SlotMap& slots, bool every_copy) {
    RawSlots raw;
    for (int row = 0; row < slots.rows; ++row)
        for (int col = 0; col < slots.cols; ++col)
            for (int copy = 0; copy < (every_copy ? slots.copies : 1); ++copy) {
                const layout::Slot& slot = slots.at(row, col, copy);
                RawSlot& into = raw[{slot.reg, slot.bit}];
                into.threads.set(slot.thread);
                into.places[slot.thread] = {row, col};
            }
    return raw;
}

/// What bit `bit` adds: seen where two threads that differ in it alone share a slot; nothing where none do.
Place step_of(std::size_t bit, const ThreadSet& among, const RawSlots& raw) {
    const std::size_t mask = std::size_t{1} << bit;
    for (const auto& [key, slot] : raw)
        for (std::size_t t = 0; t < among.size(); ++t)
            if ((t & mask) == 0 && among[t] && among[t | mask] && slot.threads[t] && slot.threads[t | mask])
                return slot.places[t | mask] - slot.places[t];
    return {};
}

/// The one formula for the threads `among`, when there is one.
std::optional<ThreadForm> single_form(const ThreadSet& among, const RawSlots& raw) {
    ThreadForm form;
    for (std::size_t bit = 0; bit < thread_bits; ++bit) form.bits[bit] = step_of(bit, among, raw);
    for (const auto& [key, slot] : raw) {
        SlotForm into{key.first, key.second, slot.threads & among, {}};
        bool first = true;
        for (std::size_t t = 0; t < among.size(); ++t) {
            if (!into.threads[t]) continue;
            if (std::exchange(first, false)) into.constant = slot.places[t] - form.at(into, t);
            if (form.at(into, t) != slot.places[t]) return std::nullopt;
        }
        if (!first) form.slots.push_back(into);
    }
    return form;
}

/// Forms for the threads from `begin` on, 2^bits of them: one, or those of the two halves.
void add_forms(std::size_t begin, std::size_t bits, const RawSlots& raw, std::vector<ThreadForm>& into) {
    ThreadSet among;
    for (std::size_t t = begin; t < begin + (std::size_t{1} << bits); ++t) among.set(t);
    if (std::optional<ThreadForm> form = single_form(among, raw)) {
        if (!form->slots.empty()) into.push_back(std::move(*form));
        return;
    }
    add_forms(begin, bits - 1, raw, into);
    add_forms(begin + (std::size_t{1} << (bits - 1)), bits - 1, raw, into);
}

} // namespace

Place ThreadForm::at(const SlotForm& slot, std::size_t thread) const {
    Place place = slot.constant;
    for (std::size_t bit = 0; bit < thread_bits; ++bit)
        if ((thread >> bit & 1) != 0) place = place + bits[bit];
    return place;
}

std::vector<ThreadForm> thread_forms(const layout::SlotMap& slots, bool every_copy) {
    std::vector<ThreadForm> forms;
    add_forms(0, thread_bits, turn_round(slots, every_copy), forms);
    return forms;
}

ThreadForm restricted(const ThreadForm& form, Place from, int rows, int cols) {
    ThreadForm part{form.bits, {}};
    for (const SlotForm& slot : form.slots) {
        SlotForm kept{slot.reg, slot.bit, {}, slot.constant - from};
        for (std::size_t t = 0; t < slot.threads.size(); ++t) {
            if (!slot.threads[t]) continue;
            const Place place = part.at(kept, t);
            kept.threads[t] = place.row >= 0 && place.row < rows && place.col >= 0 && place.col < cols;
        }
        if (kept.threads.any()) part.slots.push_back(kept);
    }
    return part;
}

} // namespace tmemc::lower
