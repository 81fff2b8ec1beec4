// What can be said of a test block before any kernel is known: which kernels it runs, which errors it
// expects, and that it can fail at all.
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"

#include <vector>

namespace tmemc::trial {

struct Outline {
    std::vector<grammar::ast::Name> runs;            // in order, each run
    std::vector<grammar::ast::ExpectOutcome> errors; // `expect error`: then nothing is run, only compiled
};

/// Reports an unknown code, `expect error` beside another expectation and, unless statements of it could not
/// be read, a block without `run` or `expect`.
[[nodiscard]] Outline outline_of(const grammar::ast::Test& test, bool torn, base::Diagnostics& diagnostics);

} // namespace tmemc::trial
