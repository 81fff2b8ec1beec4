// The rules of `copy` and `copy_async`: which two kinds of object each moves between, that both sides have
// the same element type and extents, and that a tensor is read or written as its direction says. A copy that
// breaks several of them is told each. Not here: whether an instruction can do it (src/match).
#pragma once

#include "sema/draft.hpp"
#include "sema/regions.hpp"

namespace tmemc::sema {

void check(Draft& draft, const ast::Copy& copy);
void check(Draft& draft, const ast::CopyAsync& copy);

/// False after reporting that the tensor is declared `out`.
[[nodiscard]] bool may_read(Draft& draft, const Selection& tensor, Span span);

/// False after reporting that the tensor, buffer or fragment is a parameter that is `in`.
[[nodiscard]] bool may_write(Draft& draft, const Selection& target, Span span);

/// Reports `word` ("wait", "copy", ...) inside `on warp`: it needs a whole warpgroup.
void needs_warpgroup(Draft& draft, std::string_view word, Span span);

} // namespace tmemc::sema
