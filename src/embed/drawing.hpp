// A tile's map for a comment, small: its first rows and columns and those that are a power of two from the
// corner, because that is where a layout's digits begin, and the last. Of a fragment each place is
// thread.element, of a buffer lane.column:
//
//     row \ col    0     1     2     4     8    15
//             0   0.0   0.1   1.0   2.0   0.4   3.5
//             1   4.0   4.1   5.0   6.0   4.4   7.5
//             2   8.0 ...
//
// Not here: pictures of whole tiles.
#pragma once

#include "layout/tile_map.hpp"

#include <string>
#include <vector>

namespace tmemc::embed {

/// A line each, without its end; of an element with copies the first is shown.
[[nodiscard]] std::vector<std::string> drawing(const layout::SlotMap& map);
[[nodiscard]] std::vector<std::string> drawing(const layout::CellMap& map);

} // namespace tmemc::embed
