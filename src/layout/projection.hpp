// One coordinate of a tile alone. A fragment of one dimension holds one number for each row (or column) of a
// tile, in every thread that holds a part of that row. Its layout is the tile's without the digits of the
// other coordinate: those that move through registers vanish, those that move over threads become replicas.
//
//     16x256b, 64 x 8, f32:  S[(4, 2, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 1@laneid, 1)]
//     its rows:              S[(4, 2, 8) : (1@wid_in_wg, 1, 4@laneid)] + R[(4) : (1@laneid)]
//     its columns:           S[(4, 2) : (1@laneid, 1)] + R[(4, 8) : (1@wid_in_wg, 4@laneid)]
//
// The register slots that are left move together, in their order. Not here: whether the result is a map
// (tile_map.hpp), which it need not be when threads are counted by both coordinates at once.
#pragma once

#include "layout/layout.hpp"

#include <optional>

namespace tmemc::layout {

enum class Coordinates : std::uint8_t { rows, columns };

/// Of a fragment's layout of `cols` columns; nothing when a digit counts both rows and columns and cannot be
/// split where a row begins.
[[nodiscard]] std::optional<Layout> projected(const Layout& tile, std::int64_t cols, Coordinates kept);

} // namespace tmemc::layout
