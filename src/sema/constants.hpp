// Integer expressions, evaluated while compiling: 64-bit signed, `/` and `%` truncate as in C, and what C
// leaves undefined (overflow, division by zero) is an error here. `c*32 + 1` is evaluated anew in each turn
// of the loop over c. Where cta.x may stand, what depends on it becomes steps (indices.hpp).
#pragma once

#include "grammar/ast.hpp"
#include "sema/names.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tmemc::sema {

/// False of what the scanner has refused as no number.
[[nodiscard]] bool is_integer(std::string_view text);
/// The number that `text` spells (decimal, 0x, 0b, with `_` between digits); nothing beyond 64 bits.
[[nodiscard]] std::optional<std::uint64_t> integer_magnitude(std::string_view text);

/// The value, or nothing after reporting why there is none (in silence when a name's declaration failed).
[[nodiscard]] std::optional<std::int64_t> evaluate(Environment& env, const ast::Expr& expr);
[[nodiscard]] std::optional<std::int64_t> evaluate(Environment& env, const ast::Product& product);
/// The same where a number may depend on the CTA: in slices of tensors and in `let`.
[[nodiscard]] std::optional<Number> evaluate_number(Environment& env, const ast::Expr& expr);

/// `a op b` for op in + - * / %, or nothing after reporting overflow or a division by zero at `span`.
[[nodiscard]] std::optional<std::int64_t> apply(Environment& env, char op, std::int64_t a, std::int64_t b,
                                                Span span);

} // namespace tmemc::sema
