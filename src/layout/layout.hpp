// Where the elements of a tile live: the shape:stride@axis algebra.
//
// A tile is an array of elements; hardware has threads, registers, lanes and columns. A Layout says which
// element sits where. It works like a mixed-radix number: flatten the element's coordinate row-major, write
// that number in digits, and let every digit move you along one axis.
//
//     S[(128, 8) : (1@tid_in_wg, 1@m)]          128 rows x 8 columns; the first extent takes the high digits
//     element (r, c) = flat 8r + c = digits (r, c)  ->  r steps along tid_in_wg, c steps along m
//
// so row r belongs to thread r, and column c is its register slot c. The same tile with two rows' halves
// swapped between threads, or registers counted backwards by pairs, is only another list of digits:
//
//     S[(64, 2, 8) : (1@tid_in_wg, 64@tid_in_wg, 1@m)]   64 x 16: columns 8..15 in threads 64..127 (datapath
//     B's image) S[(128, 4, 2) : (1@TLane, 2@TCol, 1@TCol)]         the plain 128 x 8 tensor-memory tile, in
//     one digit more
//
// The last line shows why two layouts are compared as maps, not as texts: equal_maps() asks whether every
// element has the same places.
//
// `+ R[(2) : (64@tid_in_wg)]` adds replicas: every element exists at each sum of the replica digits. `+
// 16@TLane` moves the whole tile. The notation is that of Apache TVM's TIRx layouts. Digits with the value 0
// move nothing, so an extent of 1 says nothing, and a stride may be negative as long as no place is.
//
// Axes come in two families. Fragments use the thread axes, whose sum tid_in_wg + 32*wid_in_wg + laneid is
// the thread of the warpgroup, and m, the register slot counted in elements. Buffers use TLane and TCol, the
// latter counted in elements. Which family an object uses is checked where the tile's element size is known
// (tile_map.hpp). Not here: the instruction shapes and datapaths, which are layouts with names (src/atlas).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::layout {

enum class Axis : std::uint8_t { tid_in_wg, wid_in_wg, laneid, m, TLane, TCol };
inline constexpr std::size_t axis_count = 6;
[[nodiscard]] std::string_view name(Axis axis);
[[nodiscard]] std::optional<Axis> axis_named(std::string_view name);

/// A coordinate on each axis, in the axis's own unit.
struct Coordinate {
    std::array<std::int64_t, axis_count> value{};
    std::int64_t& operator[](Axis axis) { return value[static_cast<std::size_t>(axis)]; }
    std::int64_t operator[](Axis axis) const { return value[static_cast<std::size_t>(axis)]; }
    bool operator==(const Coordinate&) const = default;
};
[[nodiscard]] Coordinate operator+(Coordinate a, const Coordinate& b);

/// One digit of the flat index: `extent` values, each a step of `stride` along `axis`.
struct Digit {
    std::int64_t extent = 1;
    std::int64_t stride = 0;
    Axis axis = Axis::m;
    bool operator==(const Digit&) const = default;
};

struct Layout {
    std::vector<Digit> shard;   // most significant digit first
    std::vector<Digit> replica; // most significant digit first
    Coordinate offset;
    bool operator==(const Layout&) const = default; // the same text; see equal_maps
};

/// Elements that the shard digits count (the product of their extents), and copies of each.
[[nodiscard]] std::int64_t size(const Layout& layout);
[[nodiscard]] std::int64_t copies(const Layout& layout);

/// Where copy `copy` of the element with row-major index `flat` sits.
[[nodiscard]] Coordinate evaluate(const Layout& layout, std::int64_t flat, std::int64_t copy = 0);

/// Every element's places, copies of one element side by side: result[flat * copies + copy]. Walks the digits
/// like an odometer, so it costs an addition per element.
[[nodiscard]] std::vector<Coordinate> evaluate_all(const Layout& layout);

/// True when both have the same number of elements and every element has the same set of places in both,
/// where thread coordinates count by their sum (tid_in_wg + 32*wid_in_wg + laneid).
[[nodiscard]] bool equal_maps(const Layout& a, const Layout& b);

/// "S[(128, 8) : (1@tid_in_wg, 1)] + 16@TLane", as a program would write it.
[[nodiscard]] std::string to_string(const Layout& layout);

} // namespace tmemc::layout
