// `expect B[r, c] ~= A[c, r] rtol 1e-3;` checked and resolved: the left side is a tensor with a value, its
// indices are as many as its dimensions, tolerances stand where they mean something. Not here: `expect fault`
// and `expect error` (bind.cpp, trial.cpp).
#pragma once

#include "trial/resolve.hpp"

#include <optional>

namespace tmemc::trial {

/// Usable when nothing was reported.
[[nodiscard]] std::optional<Expectation> bind_expectation(const grammar::ast::ExpectValue& expect,
                                                          const Scope& scope, base::Diagnostics& diagnostics);

} // namespace tmemc::trial
