// What a computation should make of one set of operands, worked out here by the language's rules (one
// rounding per step, to nearest even; f32 unless all operands are of 16 bits or integers) and not by the
// text's instructions. A function that PTX only approximates is taken as the nearest number, and its results
// are let pass when they are near (close()). Operands are plausible numbers, not any bits: what overflows or
// underflows looks alike in every element.
#pragma once

#include "sema/program.hpp"

#include <cstdint>
#include <vector>

namespace tmemc::verify {

/// A number of the dtype made from a random word: a float has a magnitude from 1/4 to 4, an f8 is any but
/// NaN.
[[nodiscard]] std::uint32_t plausible(base::Dtype dtype, std::uint32_t random);

/// Of several elements, what each step makes; all steps have as many.
using Values = std::vector<std::vector<std::uint32_t>>;
/// What the last step makes, when the fragment and scalar steps have these values.
[[nodiscard]] std::vector<std::uint32_t> evaluate(const std::vector<sema::Step>& steps, Values values);

/// Neighbours folded, then neighbours of the results, until one is left; an odd one waits for the others.
[[nodiscard]] std::uint32_t fold(sema::Step::What what, base::Dtype dtype, std::vector<std::uint32_t> values);
/// How far a sum of these may be from another sum of them, when they are only near.
[[nodiscard]] double slack(base::Dtype dtype, const std::vector<std::uint32_t>& values);

/// Whether one of the steps is a function that PTX approximates.
[[nodiscard]] bool approximates(const std::vector<sema::Step>& steps);
[[nodiscard]] bool both_nan(base::Dtype dtype, std::uint32_t a, std::uint32_t b);
/// Neighbours in the dtype, or apart by no more than 2^-16 of either, and `slack` beside.
[[nodiscard]] bool close(base::Dtype dtype, std::uint32_t a, std::uint32_t b, double slack);

} // namespace tmemc::verify
