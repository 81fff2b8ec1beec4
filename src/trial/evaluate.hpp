// What an expectation wants, as an array: its right side evaluated on the host at every place of its left
// side, then rounded to the left side's dtype.
#pragma once

#include "runtime/array.hpp"
#include "trial/expression.hpp"

#include <map>
#include <string>
#include <variant>

namespace tmemc::trial {

/// The array, or one sentence on the first place that has no value: an index out of range, an integer divided
/// by zero. `values` holds an array for the left side and for each of `expectation.arrays`.
[[nodiscard]] std::variant<runtime::Array, std::string>
evaluate(const Expectation& expectation, const std::map<std::string, runtime::Array>& values);

} // namespace tmemc::trial
