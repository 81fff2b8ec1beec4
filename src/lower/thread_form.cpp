// The images of fragments as tables, and parts of forms.
#include "lower/thread_form.hpp"

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
