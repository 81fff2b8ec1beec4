// A layout as a picture, each object with two views: the tensor, where each element says which thread and
// register hold it (t0:r1), or which lane and column (l0:c1); and the hardware, where each thread's
// registers, or each lane's columns, say which elements they hold (row,column; of narrow types side by side,
// the lowest bits first). Every element stands once in each view; one that a layout keeps several times says
// so in the first ("x4") and stands in each of its places in the second. Warps are colours, and numbers at
// the rows of the second view. Not here: abbreviating (layout_text.hpp).
#pragma once

#include "inspect/layout_model.hpp"

#include <string>

namespace tmemc::inspect {

/// The objects one below the other.
[[nodiscard]] std::string layout_svg(const LayoutModel& model);

} // namespace tmemc::inspect
