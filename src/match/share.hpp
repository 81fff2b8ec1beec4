// Messages of several warps. One instruction serves every warp that needs the same tiles in the same
// registers; a message for some warps only stands in a warp-uniform branch. There are two natural ways to
// share. Tile by tile: the tiles that the same set of warps needs are cut together. Class by class: warps
// that need exactly the same tiles are cut together, each class alone. The cheaper is taken. Example: warps 0
// and 1 need columns 0..7, warps 2 and 3 columns 0..3. Tile by tile: x4 for all and x4 for two. Class by
// class: x8 for two and x4 for the others, one message in each warp, and cheaper.
#pragma once

#include "match/cut.hpp"

#include <array>

namespace tmemc::match {

using WarpTiles = std::array<std::vector<Tile>, 4>; // by warp of the warpgroup

/// The busiest warp's messages with their moves, and a branch for each set of warps that is not all.
[[nodiscard]] int cost_of(const std::vector<Message>& messages);

/// The cheapest messages that move each warp's tiles, in ascending (row, column).
[[nodiscard]] std::vector<Message> share(WarpTiles tiles, const Limits& limits);

} // namespace tmemc::match
