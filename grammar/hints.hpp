// Helps for the slips that people make: `=` for `<-`, a misspelt keyword, a minus pasted from a web page.
// Each is a row of a table or a few lines; a message without one is still complete.
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/tokens.hpp"

#include <string>
#include <string_view>

namespace tmemc::grammar {

/// A rule expected `what` behind `before` (none at the start of the source) and met `found`.
struct Mistake {
    std::string_view what;
    const Token* before = nullptr;
    const Token* found = nullptr;
};
void help_with_syntax(base::Diagnostic& diagnostic, const Mistake& mistake);
/// How it is said here, when C or CUDA says it so (habits.cpp); else empty.
[[nodiscard]] std::string habit(const Mistake& mistake);
/// `text` begins with digits and is no number: `0X1F`, `32x64b`, `1.0f`; an atom was to stand there, or not.
void help_with_number(base::Diagnostic& diagnostic, std::string_view text, bool atom);
/// `text` begins no token: `&&`, or one of the characters that word processors put in the place of others.
void help_with_character(base::Diagnostic& diagnostic, std::string_view text);

} // namespace tmemc::grammar
