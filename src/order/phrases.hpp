// Cells in the words of a buffer: "columns 32..63 of `T`, lanes 0..31". Columns count elements from the
// buffer's first, as `TCol` of a layout does; lanes are tensor memory's.
#pragma once

#include "order/footprint.hpp"

#include <string>

namespace tmemc::order {

/// `cells`, in columns of the alias group, as a reader of the region's buffer would point at them.
[[nodiscard]] std::string cells_phrase(const sema::Kernel& kernel, const sema::Region& region,
                                       Footprint cells);

} // namespace tmemc::order
