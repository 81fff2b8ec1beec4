// Text to tokens, by the lexical rules of the language: blanks and comments go, words, numbers, strings and
// symbols stay, each with its place, the longest first. `copy X<-A; // in` gives copy, X, `<-`, A, `;`, the
// end, and one comment for the trivia. What is no token is reported and kept as a token that no rule takes,
// so that its statement ends there without a second message.
//
// Not here: whether the tokens are in order (the rules), which bracket closes which (brackets.hpp).
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "grammar/tokens.hpp"
#include "grammar/trivia.hpp"

#include <vector>

namespace tmemc::grammar {

struct Scan {
    std::vector<Token> tokens; // ends with Kind::end
    Trivia trivia;
};

/// The source keeps its text as long as the tokens are used, and has passed check_limits (limits.hpp). After
/// most_errors messages the scan ends early.
[[nodiscard]] Scan scan(const base::Source& source, base::Diagnostics& diagnostics);

} // namespace tmemc::grammar
