// A layout evaluated for one tile: for every element the thread, register and bit, or the lane, column and
// bit, that holds it. Elements of 8 or 16 bits share a 32-bit word, the lower slot in the lower bits: slot 5
// of a 16-bit fragment is register 2, bits 16..31. Maps are made once per object and then only read; a region
// of an object is a window of its map.
#pragma once

#include "layout/layout.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tmemc::layout {

// The bounds of every map: a fragment lies in the registers of one warpgroup, a buffer in one CTA's tensor
// memory. Their sources stand in src/atlas/limits.hpp.
inline constexpr int max_threads = 128;
inline constexpr int max_registers = 512; // more than a thread has, the rest is spilt; no buffer is wider
inline constexpr int max_lanes = 128;
inline constexpr int max_columns = 512;

/// A place in a fragment: thread of the warpgroup (0..127), 32-bit register, first bit in it.
struct Slot {
    std::uint16_t thread = 0;
    std::uint16_t reg = 0;
    std::uint8_t bit = 0;
    bool operator==(const Slot&) const = default;
};
/// A place in tensor memory: lane (0..127), cell column counted from the object's first, first bit in the
/// cell.
struct Cell {
    std::uint16_t lane = 0;
    std::uint16_t column = 0;
    std::uint8_t bit = 0;
    bool operator==(const Cell&) const = default;
};

/// The places of a rows x cols tile; copy k of element (r, c) is at [(r*cols + c)*copies + k].
template <class Place>
struct TileMap {
    int rows = 0, cols = 0, copies = 1;
    int bits = 32; // of an element
    int words = 0; // registers per thread, or cell columns, that the tile spans from 0
    std::vector<Place> places;
    [[nodiscard]] const Place& at(int row, int col, int copy = 0) const {
        const int index = (row * cols + col) * copies + copy;
        return places[static_cast<std::size_t>(index)];
    }
    bool operator==(const TileMap&) const = default;
};
using SlotMap = TileMap<Slot>;
using CellMap = TileMap<Cell>;

/// Why a layout is no map of a tile, in numbers; sema puts it into words.
struct MapProblem {
    enum class What {
        size,      // the digits count `found` elements, the tile has `wanted`
        axis,      // `axis` does not belong to this kind of object
        range,     // element (row, col) lies at `found` on `axis`, beyond 0..wanted-1
        collision, // elements (row, col) and (other_row, other_col) share a place
    };
    What what{};
    std::int64_t found = 0, wanted = 0;
    Axis axis{};
    int row = 0, col = 0, other_row = 0, other_col = 0;
    bool operator==(const MapProblem&) const = default;
};

/// Evaluates a fragment's layout: thread axes and m. Threads must lie in 0..127 and slots in max_registers
/// registers. Problems are looked for in the order axis, size, then element by element; the first one is the
/// answer. A replica that lies where its own element already is counts as a collision of the element with
/// itself.
[[nodiscard]] std::variant<SlotMap, MapProblem> slot_map(const Layout& layout, int rows, int cols, int bits);
/// Evaluates a buffer's layout: TLane in 0..127, TCol (in elements) within 512 cells.
[[nodiscard]] std::variant<CellMap, MapProblem> cell_map(const Layout& layout, int rows, int cols, int bits);

} // namespace tmemc::layout
