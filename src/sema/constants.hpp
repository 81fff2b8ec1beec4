// Integer expressions, evaluated while compiling: 64-bit signed, `/` and `%` truncate as in C, and what C
// leaves undefined (overflow, division by zero) is an error here. `c*32 + 1` is evaluated anew in each turn
// of the loop over c.
#pragma once

#include "grammar/ast.hpp"
#include "sema/names.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tmemc::sema {

/// The number that `text` spells (decimal, 0x, 0b, with `_` between digits); nothing beyond 64 bits.
[[nodiscard]] std::optional<std::uint64_t> integer_magnitude(std::string_view text);

/// What to say about `cta.x`: that this place takes constants only, or that run-time values are not supported
/// yet.
enum class RunTime : std::uint8_t { refused, not_yet };

/// The value, or nothing after reporting why there is none (in silence when a name's declaration failed).
[[nodiscard]] std::optional<std::int64_t> evaluate(Environment& env, const ast::Expr& expr,
                                                   RunTime run_time = RunTime::refused);
[[nodiscard]] std::optional<std::int64_t> evaluate(Environment& env, const ast::Product& product,
                                                   RunTime run_time = RunTime::refused);

/// `a op b` for op in + - * / %, or nothing after reporting overflow or a division by zero at `span`.
[[nodiscard]] std::optional<std::int64_t> apply(Environment& env, char op, std::int64_t a, std::int64_t b,
                                                Span span);

} // namespace tmemc::sema
