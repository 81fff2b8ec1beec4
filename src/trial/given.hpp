// The right side of `A = random(seed: 1);`: a generator, a file or a number, for a parameter of known type. A
// tensor takes a generator or a file, a scalar a number; `random` takes a seed, `full` a number, `iota`
// nothing. The result says what to make; the array is made when the test runs and its size is known.
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"
#include "runtime/spec.hpp"

#include <optional>

namespace tmemc::trial {

/// Nothing when a mistake was reported: an unknown generator, an argument it does not take, a number for a
/// tensor, a generator for a scalar. Without a formal only the first two can be told.
[[nodiscard]] std::optional<runtime::Values>
bind_values(const grammar::ast::Given& given, const runtime::Formal* formal, base::Diagnostics& diagnostics);

} // namespace tmemc::trial
