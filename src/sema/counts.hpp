// How many statements a body has when it is unrolled, counted without unrolling it, so that one that has too
// many is refused before it takes time and memory. Example, with a limit of a million:
//
//     X = A0;                               1
//     for i in 0..2000 {                    of each turn 601 statements are sure, and in turn 1663
//       for j in 0..600 { X = X + 1.0; }    the limit is passed, in this loop
//       f(X);                               1 and those of `f`
//     }
//
// What is counted is surely there: a loop whose bounds are not known without unrolling counts nothing.
#pragma once

#include "grammar/ast.hpp"
#include "sema/functions.hpp"
#include "sema/names.hpp"

#include <cstdint>
#include <optional>

namespace tmemc::sema {

/// Statements as they are written, without those in loops.
[[nodiscard]] std::uint64_t written_in(const ast::Block& body);

/// The statement at which more than `limit` have surely been counted: in loops the innermost loop's head.
[[nodiscard]] std::optional<base::Span> passes_limit(const ast::Block& body, const Names& names,
                                                     const Functions& functions, std::uint64_t limit);

[[nodiscard]] base::Span head(const ast::For& loop);

} // namespace tmemc::sema
