// What a region occupies, in units that no message divides. Of tensor memory these are blocks of one column
// in a slab of 16 lanes: every shape starts at a lane that 16 divides and moves 16 or 32 of them. Of a
// fragment they are the registers of a warp. Both are grids of lines (slabs 0..7, warps 0..3) and places on
// the line (columns, registers), and a footprint is a list of runs of places, so one mechanism compares
// stores with loads and loads with the registers that they fill.
//
// Example: columns 8..15 of a 128-row f32 tile on datapath D are eight runs, {slab, 8, 16} for each slab;
// the same columns of its 32x32b fragment are four runs, {warp, 8, 16}.
#pragma once

#include "sema/program.hpp"

#include <array>
#include <map>
#include <vector>

namespace tmemc::order {

inline constexpr int slab_lanes = 16;
inline constexpr int slabs = layout::max_lanes / slab_lanes;
inline constexpr int warps = layout::max_threads / 32;

/// Places [first, last) of a line.
struct Run {
    int line = 0;
    int first = 0, last = 0;
    bool operator==(const Run&) const = default;
};
using Footprint = std::vector<Run>; // by line, then by place; runs of a line do not touch

/// The footprints of one kernel's regions, each worked out once: the turns of a loop ask for the same ones.
class Footprints {
  public:
    explicit Footprints(const sema::Kernel& kernel) : kernel_(kernel) {}

    /// Slabs and columns that a copy touches, the columns counted from the first of their alias group. Of a
    /// replicated buffer a load touches the copies in the lanes of warps that hold the element.
    [[nodiscard]] Footprint cells(const sema::TmemCopy& copy);
    /// Those of all of a buffer.
    [[nodiscard]] Footprint cells_of(std::size_t buffer);
    /// Warps and registers of a region of a fragment.
    [[nodiscard]] const Footprint& registers(const sema::Region& region);

  private:
    using Key = std::array<std::size_t, 5>; // image, row, col, rows, cols

    /// All cells of the region, its columns counted from the buffer's first.
    [[nodiscard]] const Footprint& of_region(const sema::Region& region);

    const sema::Kernel& kernel_;
    std::map<Key, Footprint> cells_, registers_;
};

/// The places that are in both.
[[nodiscard]] Footprint common(const Footprint& a, const Footprint& b);

} // namespace tmemc::order
