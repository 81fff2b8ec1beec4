// Messages of several warps. One instruction serves every warp that needs the same tiles in the same
// registers; a message for some warps only stands in a warp-uniform branch. There are three ways to share.
// Tile by tile: the tiles that the same set of warps needs are cut together. Class by class: warps that need
// exactly the same tiles are cut together, each class alone. Not at all: each warp alone. The cheapest is
// taken, which is one of the first two. Example: warps 0 and 1 need columns 0..7, warps 2 and 3 columns 0..3.
// Tile by tile: x4 for all and x4 for two. Class by class: x8 for two and x4 for the others, one message in
// each warp, and cheaper.
//
// The runner-up is the cheapest other set of messages, for people who ask why. It is another way to share, or
// the same one with the second best cut of one run; a narrower limit on all messages is never cheaper than
// the best single narrower cut, so no limits need be tried.
#pragma once

#include "match/cost.hpp"
#include "match/cut.hpp"

#include <array>

namespace tmemc::match {

using WarpTiles = std::array<std::vector<Tile>, 4>; // by warp of the warpgroup

/// The `count` cheapest sets of messages that move each warp's tiles, or as many as there are: all different,
/// cheapest first, of equally dear ones fewest messages first. Messages stand in ascending (row, column).
/// Beyond the second the list may leave sets out.
[[nodiscard]] std::vector<std::vector<Message>> share(WarpTiles tiles, const Limits& limits,
                                                      std::size_t count);

} // namespace tmemc::match
