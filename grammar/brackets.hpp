// Which bracket closes which, found before the rules run. Each bracket learns its partner and each token the
// bracket around it, so that a message can point at the `[` that is still open and recovery can step over a
// whole block. Round and square brackets never reach over `;`, `{` or `}`, and no bracket reaches over the
// next `kernel`: what is open there stays without a partner, and the damage ends.
//
// The rules recurse on the C++ stack, once per bracket and per unary minus. Their depth is limited here.
// Not here: the message about a missing bracket, which is the rules' "expected `]`".
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/tokens.hpp"

#include <vector>

namespace tmemc::grammar {

inline constexpr std::size_t deepest_nesting = 200;
inline constexpr std::size_t longest_statement = 65536; // words and signs

/// Sets `partner` and `enclosing`; the vector must stay where it is from then on. False, and reported: the
/// nesting is too deep, or a statement too long, to read.
[[nodiscard]] bool pair_brackets(std::vector<Token>& tokens, base::Diagnostics& diagnostics);

/// `kernel`, `function` or `test` on a line or a statement of its own; `const` or `target` where it is not
/// indented. Items stand in no bracket. The token must be one of a scan.
[[nodiscard]] bool begins_item(const Token& token);
/// The column in which the line of this token of a scan begins.
[[nodiscard]] std::uint32_t indent(const Token& token);

} // namespace tmemc::grammar
