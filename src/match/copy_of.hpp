// From a statement to a copy without names. Which object a copy names matters only by its image, its window
// and, for a buffer, whether it starts on an odd column. Two statements for which all of that is equal have
// the same plan: in a loop that goes through 1000 buffers of one shape, all turns have one key, and the
// matcher thinks once.
#pragma once

#include "match/compose.hpp"
#include "sema/program.hpp"

#include <tuple>

namespace tmemc::match {

/// The statement as a copy without names, as far as both regions go.
[[nodiscard]] Copy copy_of(const sema::Kernel& kernel, const sema::TmemCopy& copy);

/// What a plan depends on: the two images, the two windows, the direction, and whether the buffer starts on
/// an odd column.
using CopyKey = std::tuple<std::size_t, std::size_t, int, int, int, int, int, int, bool, bool>;
[[nodiscard]] CopyKey key_of(const sema::Kernel& kernel, const sema::TmemCopy& copy);

} // namespace tmemc::match
