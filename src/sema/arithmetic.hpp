// `Y = max(X * alpha + 1.0, 0.0);`: an expression becomes a list of steps, each of one dtype, with every
// conversion written out:
//
//     0: fragment X   1: scalar alpha   2: number 1.0   3: multiply_add 0, 1, 2   4: number 0.0   5: maximum
//     3, 4
//
// A product that is added at once is one fma; numbers take the dtype of what they meet; an expression of
// numbers alone is worked out here, in double or in 64-bit integers. `row_max(...)` has steps of its own,
// whose last ones are folded into a vector (vectors.hpp). Not here: a lone number (fill.hpp).
#pragma once

#include "sema/draft.hpp"
#include "sema/regions.hpp"

namespace tmemc::sema {

/// The value of an assignment whose target is a fragment.
void compute(Draft& draft, const ast::Assign& assign, const Selection& target);
/// The bits of a value of numbers and constants alone; nothing when it is none, or after reporting one that
/// the dtype does not hold.
[[nodiscard]] std::optional<std::uint32_t> constant_bits(Draft& draft, const ast::Value& value, Dtype dtype);

} // namespace tmemc::sema
