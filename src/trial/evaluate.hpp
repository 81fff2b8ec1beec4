// What an expectation wants: its right side evaluated on the host at every place of its left side. `==` asks
// for the elements that these numbers become in the left side's dtype; `~=` is about the numbers themselves:
//
//     expect B == 1.0004;               B: f16 has 1 there, to which 1.0004 rounds
//     expect B ~= 1.0004 atol 1e-4;     and then fails here, because 1 is 4e-4 away
#pragma once

#include "runtime/array.hpp"
#include "trial/expression.hpp"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace tmemc::trial {

using Numbers = std::vector<runtime::Number>; // row-major over the left side

/// The numbers, or one sentence on the first place that has no value: an index out of range, an integer
/// divided by zero. `values` holds an array for the left side and for each of `expectation.arrays`.
[[nodiscard]] std::variant<Numbers, std::string>
evaluate(const Expectation& expectation, const std::map<std::string, runtime::Array>& values);
/// The elements that the numbers become in the left side's dtype.
[[nodiscard]] runtime::Array rounded(const Numbers& numbers, const runtime::Formal& left);

} // namespace tmemc::trial
