// Tiles to messages. Tiles side by side are a run: the next one starts where the last one ends. A message
// moves a power of two of them, so a run is cut into powers of two, and the cheapest cut is found from the
// run's end: the best cut of the tiles from i on is a first message and the best cut of the rest. Of equally
// cheap cuts the one with the fewest messages is taken, then the widest first. Example: 7 tiles of one
// register become 4 + 2 + 1, so that no vector starts off a multiple of its alignment; tiles in
// registers 1..4 become x4 with four moves (cost 12), not x1 + x2 + x1 (24). The same table holds the second
// cheapest cut when it is asked for: it is the first message and the second best cut of the rest, or another
// first message and the best cut of the rest.
#pragma once

#include "match/plan.hpp"
#include "match/tiles.hpp"

namespace tmemc::match {

struct Limits {
    int registers = 128; // most registers per thread in one message
};

/// Different cuts of one run, cheapest first.
using RunCuts = std::vector<std::vector<Message>>;

/// The messages that move `tiles`, all of them in each of `warps`: for every run the `count` cheapest cuts,
/// or as many as there are. Every tile fits the limits.
[[nodiscard]] std::vector<RunCuts> cut(std::vector<Tile> tiles, const std::vector<int>& warps,
                                       const Limits& limits, std::size_t count);

} // namespace tmemc::match
