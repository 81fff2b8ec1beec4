// The right side of an expectation, with its names looked up. A name is an index of the left side, else a
// parameter of the kernels run so far, else a constant; every mistake is reported.
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"
#include "trial/expression.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tmemc::trial {

struct Scope {
    std::map<std::string, runtime::Formal> parameters; // with a value at this point
    std::vector<std::pair<std::string, std::int64_t>> constants;
    std::set<std::string> lost{}; // unknown because of a mistake that is reported elsewhere
    bool open = false;            // so may every name be
    [[nodiscard]] bool excuses(const std::string& name) const { return open || lost.count(name) != 0; }
};

/// Fills the value and the arrays of `expectation`, whose left side is known. Usable when nothing was
/// reported.
void resolve_value(const grammar::ast::ExpectValue& expect, const Scope& scope, Expectation& expectation,
                   base::Diagnostics& diagnostics);

} // namespace tmemc::trial
