// The map of tensor memory as a picture: columns over the lines of the program, each buffer a bar from its
// first line to its last with the source beside, and below it the floor plan, the same columns over the 128
// lanes, where the two halves of sub-slabs show. Aliases are dashed frames inside what they lie in. The edge
// of the allocation is a line; what does not fit stands on red ground beyond the last column.
#pragma once

#include "inspect/map_model.hpp"

#include <string>

namespace tmemc::inspect {

[[nodiscard]] std::string map_svg(const MapModel& model);

} // namespace tmemc::inspect
