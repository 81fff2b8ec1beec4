// An array for people to read: its type, then a line per row of the last dimension, in aligned columns.
//
//     B: s8[2, 3]
//        1    2    3
//       -1    0  127
#pragma once

#include "runtime/array.hpp"

#include <string>

namespace tmemc::runtime {

/// Every element is there, as element_text() shows it. Ends in a line break.
[[nodiscard]] std::string to_text(const std::string& name, const Array& array);

} // namespace tmemc::runtime
