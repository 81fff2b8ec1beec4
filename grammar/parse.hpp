// Text to tree, the first step of the compiler, in four: the limits of what is a source at all (limits.hpp),
// characters to tokens (scan.hpp), brackets to pairs (brackets.hpp), tokens to the tree (module.hpp and the
// rules it uses).
//
// Every independent syntax mistake is reported, because the rules resume at the next statement, and none that
// follows from another. The text is then read once more without the statements that failed, so that the later
// stages find their own mistakes in the same run; what these statements may declare is handed on as lost
// names. Nothing recurses more than 200 levels deep: Spirit works on the C++ stack, and so do the tree's
// destructors.
//
// Not here: the vocabulary, and whether a clause or attribute stands twice (src/sema).
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "grammar/ast.hpp"
#include "grammar/trivia.hpp"

namespace tmemc::grammar {

struct ParseResult {
    ast::Module module; // with errors: without what failed, or empty when nothing can be made of the rest
    std::vector<std::string> lost_names; // in what failed: what it declares is not in the tree
    Trivia trivia;                       // comments and blank lines
    base::Diagnostics diagnostics;       // in the order of the source
};

[[nodiscard]] ParseResult parse(const base::Source& source);

} // namespace tmemc::grammar
