// The walk through a kernel's body: loops are unrolled, so one `copy` in a loop of eight turns becomes eight
// statements with eight different slices. Unrolling stops at the statement limit; from then on every loop is
// walked once, so that its mistakes are still found.
#pragma once

#include "sema/draft.hpp"

#include <cstdint>

namespace tmemc::sema {

/// Walks `body` and appends its statements to the draft's kernel, at most `limit` of them.
void check_body(Draft& draft, const ast::Block& body, std::int64_t limit);

} // namespace tmemc::sema
