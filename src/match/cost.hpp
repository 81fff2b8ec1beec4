// What messages cost: the prices of the atlas, added up. A warp pays for each message that it issues and for
// the registers that ptxas must move into the message's vector; a copy takes as long as its busiest warp, and
// each set of warps that is not all of them needs a branch. Example: x8 for warps 0 and 1 beside x4 for warps
// 2 and 3 costs 14, one message (8) in the busiest warp and two branches (3 each). A Cost keeps the sum apart
// by what is paid for, so that it can be shown. Not here: which messages to take (cut.hpp, share.hpp).
#pragma once

#include "atlas/shapes.hpp"
#include "match/plan.hpp"

#include <span>

namespace tmemc::match {

/// How many there are, and what they cost together.
struct Part {
    int count = 0, cost = 0;
    bool operator==(const Part&) const = default;
};

struct Cost {
    int warp = 0; // the busiest; of equally busy ones the first
    Part messages, moves;
    Part branches; // of the whole copy
    [[nodiscard]] int total() const { return messages.cost + moves.cost + branches.cost; }
    bool operator==(const Cost&) const = default;
};

/// What one message of `shape` costs the warp that issues it.
[[nodiscard]] int cost_of(const atlas::ShapeRow& shape, std::span<const int> vector);
[[nodiscard]] int cost_of(const Message& message);

/// What all messages of a copy cost.
[[nodiscard]] Cost cost_of(const std::vector<Message>& messages);

} // namespace tmemc::match
