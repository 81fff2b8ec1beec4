// The right side of an expectation with every name resolved: what to compute at one place of the left side.
// Types are known (64-bit integer or double), and so are shapes: which places an expression has a value at.
//
//     expect B[r, c] == A[32*(r/16) + r%16 + 16, c];     no shape: `r` and `c` are numbers at each place of B
//     expect B == A * 2.0;                               A's shape, which must be B's: the element at the
//     same place expect B ~= A - rows(row_max(A)) atol 1e-6;        row_max(A) has one dimension, rows()
//     spreads it: [128, any]
//
// Not here: how it is resolved (resolve.hpp) and evaluated (evaluate.hpp).
#pragma once

#include "base/dtype.hpp"
#include "base/source.hpp"
#include "runtime/call.hpp"
#include "runtime/compare.hpp"
#include "runtime/number.hpp"
#include "trial/functions.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::trial {

using Extents = std::vector<std::int64_t>;
constexpr std::int64_t any_extent = -1; // of a dimension along which nothing changes

struct Expression {
    enum class Op : std::uint8_t {
        constant, // number
        mistake,  // reported; fits everywhere, so that nothing is reported for it again
        index,    // the `which`-th index of the left side
        here,     // array `which` at the same place
        element,  // array `which` at the place that the operands give
        negate,
        add,
        subtract,
        multiply,
        divide,
        remainder,
        call,      // function
        cast,      // dtype
        select,    // operands a, b, yes, no, and comparison
        cols,      // the operand at the place's column
        rows,      // the operand at the place's row
        reduce_row // the operand along the row of that number, folded with function
    };
    Op op = Op::constant;
    bool integer = true; // else a double
    Extents shape;       // none: the same number wherever it is asked, or one that the indices make
    std::vector<Expression> operands;
    runtime::Number number{};
    std::size_t which = 0;
    const HostFunction* function = nullptr;
    base::Dtype dtype{};
    std::string comparison;
};

/// `expect tensor[indices] == value`, or `~=` within a tolerance.
struct Expectation {
    runtime::Formal left;
    Expression value;
    std::vector<std::string> arrays; // what Expression::which counts in `here` and `element`
    std::optional<runtime::Tolerance> tolerance;
    base::Span span;
};

} // namespace tmemc::trial
