// Text to tree, the first step of the compiler. Every independent syntax mistake is reported, because the parser
// resumes at the next statement; the tree then lacks the statements that could not be read. Bracket depth is limited
// to 200 before Spirit, which recurses on the C++ stack, sees the text. Not here: the rules (module.cpp and the
// files it names), the vocabulary (src/sema).
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "grammar/ast.hpp"
#include "grammar/trivia.hpp"

namespace tmemc::grammar {

struct ParseResult {
    ast::Module module;
    Trivia trivia; // comments and blank lines
    base::Diagnostics diagnostics;
};

[[nodiscard]] ParseResult parse(const base::Source& source);

} // namespace tmemc::grammar
