// Which warps touched the cells of tensor memory last. Every message covers whole halves of a slice, 16 lanes
// of a column, so a half is one place here. A slice is reached by warps w, w + 4, w + 8 ..., eight at most.
// Of each place: the last store and, behind it, the last load of each of those warps, with the number of
// waits that the warp had executed by then; one more completes the access (knowledge.hpp).
//
//     CTA of 8 warps: only warps w and w + 4 can meet; of 4: none, and there is nothing to keep
//
// For deallocations it suffices to know the last access of a warp to each 32 columns.
#pragma once

#include "emulator/knowledge.hpp"
#include "emulator/observer.hpp"
#include "emulator/tensor_memory.hpp"

#include <optional>
#include <vector>

namespace tmemc::emulator {

struct TensorConflict {
    TensorCell cell;
    std::uint32_t warp = 0, instruction = 0;
    TensorOperation operation{}; // of the earlier access
};

class TensorShadow {
  public:
    void reset(std::size_t warps);
    [[nodiscard]] std::optional<TensorConflict> touch(const Footprint& where, TensorOperation operation,
                                                      const Knowledge& who, std::uint32_t instruction);
    /// The columns are deallocated by `who`: an access that is not known to be complete, or none, and then
    /// they are forgotten.
    [[nodiscard]] std::optional<TensorConflict> free(const Columns& columns, const Knowledge& who);

  private:
    static constexpr std::size_t sharers = most_warps / tensor_slices, kinds = 2;
    struct Past {
        std::uint32_t waits = 0; // plus 1; 0: no access
        std::uint32_t instruction = 0;
    };
    struct Place {
        std::uint32_t storer = 0;
        Past store;
        bool loaded = false;
        std::array<Past, sharers> loads;
    };
    [[nodiscard]] static std::optional<TensorConflict> conflict(const Place& place, bool store,
                                                                const Knowledge& who);
    Place& place(const Rectangle& half, int lane, int column) {
        const auto slice = static_cast<std::size_t>(half.slice) * 2 + static_cast<std::size_t>(lane / 16);
        return places_[slice * tensor_columns + static_cast<std::size_t>(column)];
    }

    std::vector<Place> places_; // empty when no two warps share a slice
    bool used_ = false;
    // By warp, 32 columns and kind.
    std::array<std::array<std::array<Past, kinds>, tensor_columns / granule_columns>, most_warps> recent_{};
};

} // namespace tmemc::emulator
