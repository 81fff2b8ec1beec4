// The images of fragments as tables, and parts of forms.
#include "lower/thread_form.hpp"

#include <algorithm>
#include <bit>

namespace tmemc::lower {

std::vector<ThreadForm> thread_forms(const layout::SlotMap& slots, bool every_copy) {
    SlotTable<Place> table;
    for (int row = 0; row < slots.rows; ++row)
        for (int col = 0; col < slots.cols; ++col)
            for (int copy = 0; copy < (every_copy ? slots.copies : 1); ++copy) {
                const layout::Slot& slot = slots.at(row, col, copy);
                SlotValues<Place>& into = table[{slot.reg, slot.bit}];
                into.threads.set(slot.thread);
                into.values[slot.thread] = {row, col};
            }
    return linear_forms(table);
}

ThreadForm restricted(const ThreadForm& form, Place from, int rows, int cols) {
    std::array<Place, ThreadSet().size()> moved{}; // by thread: from the place of thread 0
    Place least, most;
    for (std::size_t t = 1; t < moved.size(); ++t) {
        const auto lowest = static_cast<std::size_t>(std::countr_zero(t));
        moved[t] = moved[t & (t - 1)] + form.bits[lowest];
        least = {std::min(least.row, moved[t].row), std::min(least.col, moved[t].col)};
        most = {std::max(most.row, moved[t].row), std::max(most.col, moved[t].col)};
    }
    const auto inside = [&](Place place) {
        return place.row >= 0 && place.row < rows && place.col >= 0 && place.col < cols;
    };
    ThreadForm part{form.bits, {}};
    for (const SlotForm& slot : form.slots) {
        SlotForm kept{slot.reg, slot.bit, slot.threads, slot.constant - from};
        // Most regions hold all of a slot; only where they cut it does each thread count.
        if (!inside(kept.constant + least) || !inside(kept.constant + most))
            for (std::size_t t = 0; t < moved.size(); ++t)
                kept.threads[t] = slot.threads[t] && inside(kept.constant + moved[t]);
        if (kept.threads.any()) part.slots.push_back(kept);
    }
    return part;
}

} // namespace tmemc::lower
