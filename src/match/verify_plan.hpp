// The self-check. A plan leaves the matcher only when its messages, expanded again through the shape rows,
// exchange exactly the registers and cells that the two maps asked for: the union is the region, no cell
// twice, each register once (once per copy, where a layout replicates). This guards against mistakes in
// tiles, cuts and sharing; that the shape rows themselves are right is for the tests to show.
#pragma once

#include "match/cut.hpp"

#include <span>

namespace tmemc::match {

/// Throws base::InternalError when `messages` do not do what `wanted` says.
void verify_plan(const std::vector<RegisterCells>& wanted, const std::vector<Message>& messages,
                 std::span<const atlas::ShapeRow> shapes);

} // namespace tmemc::match
