// Where every element lives, for programs:
//
//     {"schema": 1, "kernel": "roundtrip", "objects": [
//       {"name": "X", "kind": "frag", "dtype": "f16", "shape": [128, 8],
//        "elements": [[row, col, thread, register, bit], ...]},
//       {"name": "T", "kind": "tmem", ..., "elements": [[row, col, lane, column, bit], ...]}]}
//
// Elements come row by row, a line for each row of the tile; one that is held several times stands there as
// often. Lane and column are absolute in the allocation. Not here: how places are found (layout_model.hpp).
#pragma once

#include "inspect/layout_model.hpp"

#include <string>

namespace tmemc::inspect {

/// Schema 1.
[[nodiscard]] std::string layout_json(const LayoutModel& model);

} // namespace tmemc::inspect
