// A load from a buffer that holds its elements more than once may read any copy that its warp reaches, and
// which one it reads decides whether a shape fits. So each register gets the tiles that could fill it: for
// every shape, every place that the register may have in its tile and every copy of what its thread 0 holds,
// the other cells follow, and the tile is a candidate when all of them hold what the registers want. Then the
// registers of each warp are covered, each once, by candidates.
//
// Example: rows 0..31 lie in lanes 0..31 and, one column on and turned by 16 lanes, there again. A register
// whose threads 0..15 want rows 16..31 fits the second copy alone, one that wants rows 0..15 twice takes the
// first copy in threads 0..15 and the second in threads 16..31 (16x32bx2).
//
// The cover is searched with backtracking, what continues the last tile first and then what begins the
// longest run, so that messages are wide. It is exact up to `search_limit` tries in a warp; a search that
// long needs registers that many tiles of several registers compete for, and ends as if there were no cover.
// Stores have no choice: every copy in the buffer is written (compose.hpp).
#pragma once

#include "match/cut.hpp"

#include <span>

namespace tmemc::match {

/// Tiles that are tried for one warp before the search gives up.
inline constexpr int search_limit = 100000;

/// Lets the registers of a load read the copies that some messages can bring. `pairs` stays as it is when
/// there is nothing to choose or no choice does.
void choose_copies(const Copy& copy, const Limits& limits, std::span<const atlas::ShapeRow> shapes,
                   Pairs& pairs);

} // namespace tmemc::match
