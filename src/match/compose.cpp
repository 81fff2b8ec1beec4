// One pass over the region's elements. A table finds the entry of a warp's register, so the cost is a few
// loads and one store per element.
#include "match/compose.hpp"

#include "atlas/limits.hpp"

#include <array>
#include <bit>

namespace tmemc::match {

namespace {

using layout::Cell;
using layout::Slot;

// Unsigned, so that they are shifts.
constexpr unsigned warp_threads = atlas::lanes_per_warp;
unsigned warp_of(const Slot& slot) { return slot.thread / warp_threads; }
unsigned warp_of(const Cell& cell) { return cell.lane / warp_threads; }

class Composer {
  public:
    explicit Composer(const Copy& copy)
        : copy_(copy), shift_(std::countr_zero(static_cast<unsigned>(copy.slots.bits))),
          part_shift_(5 - shift_) {
        pairs_.parts = 1 << part_shift_;
        const auto copies = static_cast<std::size_t>(copy.store ? copy.cells.copies : 1);
        entries_.assign(copies * table_size, no_entry);
        const auto elements = static_cast<std::size_t>(copy.rows) * static_cast<std::size_t>(copy.cols);
        pairs_.cells.reserve(elements * static_cast<std::size_t>(copy.slots.copies));
    }

    Pairs compose() {
        const bool single = copy_.slots.copies == 1 && copy_.cells.copies == 1;
        for (row_ = 0; row_ < copy_.rows; ++row_) {
            slots_ = &copy_.slots.at(copy_.in_slots.row + row_, copy_.in_slots.col);
            cells_ = &copy_.cells.at(copy_.in_cells.row + row_, copy_.in_cells.col);
            for (col_ = 0; col_ < copy_.cols; ++col_) {
                if (single)
                    only();
                else
                    copy_.store ? store() : load();
                slots_ += copy_.slots.copies;
                cells_ += copy_.cells.copies;
            }
        }
        return std::move(pairs_);
    }

  private:
    /// One copy on either side, which is what most tiles are: load and store at once, and nothing to choose.
    void only() {
        if (warp_of(*slots_) != warp_of(*cells_)) fail(obstacle(Obstacle::What::reach, *slots_, *cells_));
        pair(*slots_, *cells_, 0);
    }

    /// Every copy in the fragment from the first copy in the buffer that its warp reaches.
    void load() {
        for (int i = 0; i < copy_.slots.copies; ++i) {
            const Slot& slot = slot_at(i);
            int chosen = 0;
            while (chosen < copy_.cells.copies && warp_of(cell_at(chosen)) != warp_of(slot)) ++chosen;
            const bool reached = chosen < copy_.cells.copies;
            const Cell& cell = cell_at(reached ? chosen : 0);
            if (!reached) fail(obstacle(Obstacle::What::reach, slot, cell));
            pair(slot, cell, 0);
        }
    }

    /// Every copy in the buffer from the one copy in the fragment whose warp reaches it.
    void store() {
        for (int k = 0; k < copy_.cells.copies; ++k) {
            const Cell& cell = cell_at(k);
            const Slot* chosen = nullptr;
            for (int i = 0; i < copy_.slots.copies; ++i) {
                const Slot& slot = slot_at(i);
                if (warp_of(slot) != warp_of(cell)) continue;
                if (chosen != nullptr) fail(second_writer(*chosen, slot, cell));
                if (chosen == nullptr) chosen = &slot;
            }
            if (chosen == nullptr) {
                chosen = &slot_at(0);
                fail(obstacle(Obstacle::What::reach, *chosen, cell));
            }
            pair(*chosen, cell, earlier_copies(*chosen, k));
        }
    }

    /// How many of the first `k` copies in the buffer lie in the same warp as `slot`, and so are stored by
    /// it.
    int earlier_copies(const Slot& slot, int k) const {
        int count = 0;
        for (int earlier = 0; earlier < k; ++earlier)
            count += warp_of(cell_at(earlier)) == warp_of(slot) ? 1 : 0;
        return count;
    }

    void pair(const Slot& slot, const Cell& cell, int copy) {
        const auto entry = entry_of({static_cast<int>(warp_of(slot)), slot.reg}, copy);
        const std::size_t word = entry * warp_threads + slot.thread % warp_threads;
        const std::size_t part = slot.bit >> shift_;
        pairs_.cells[(word << part_shift_) + part] = cell;
        pairs_.present[word] = static_cast<std::uint8_t>(pairs_.present[word] | 1U << part);
    }

    std::size_t entry_of(WarpRegister which, int copy) {
        const auto place = static_cast<std::size_t>(copy) * table_size +
                           static_cast<std::size_t>(which.warp * layout::max_registers + which.reg);
        int& entry = entries_[place];
        if (entry == no_entry) {
            entry = static_cast<int>(pairs_.registers.size());
            pairs_.registers.push_back(which);
            pairs_.present.resize(pairs_.present.size() + 32);
            pairs_.cells.resize(pairs_.present.size() * static_cast<std::size_t>(pairs_.parts));
        }
        return static_cast<std::size_t>(entry);
    }

    const Slot& slot_at(int copy) const { return slots_[copy]; }
    const Cell& cell_at(int copy) const { return cells_[copy]; }

    Obstacle obstacle(Obstacle::What what, const Slot& slot, const Cell& cell) const {
        return {what, row_, col_, slot.thread, slot.reg, slot.bit, cell.lane, cell.column};
    }
    Obstacle second_writer(const Slot& first, const Slot& second, const Cell& cell) const {
        Obstacle found = obstacle(Obstacle::What::two_writers, first, cell);
        found.other_thread = second.thread;
        found.other_reg = second.reg;
        return found;
    }
    void fail(const Obstacle& found) {
        if (!pairs_.obstacle) pairs_.obstacle = found;
    }

    static constexpr int no_entry = -1;
    static constexpr std::size_t table_size = std::size_t{atlas::warps_per_group} * layout::max_registers;
    const Copy& copy_;
    int shift_, part_shift_; // of an element's bits, and of the parts of a register
    int row_ = 0, col_ = 0;  // the element, and the copies of it in the fragment and in the buffer
    const Slot* slots_ = nullptr;
    const Cell* cells_ = nullptr;
    std::vector<int> entries_; // by copy in the buffer, warp and register
    Pairs pairs_;
};

} // namespace

Pairs compose(const Copy& copy) { return Composer(copy).compose(); }

} // namespace tmemc::match
