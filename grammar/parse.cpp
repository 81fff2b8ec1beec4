// Bytes to tokens to tree: limits, scan, brackets, rules. Spirit recurses on the stack, which is why nesting
// is bounded before it starts, and a text with mistakes leaves no tree, since what a failed rule built is
// worth nothing.
#include "grammar/parse.hpp"

#include "grammar/brackets.hpp"
#include "grammar/limits.hpp"
#include "grammar/module.hpp"
#include "grammar/scan.hpp"

#include <algorithm>

namespace tmemc::grammar {

namespace {

void parse_items(const std::vector<Token>& tokens, ast::Module& module, base::Diagnostics& diagnostics) {
    Iterator first = tokens.data();
    const Iterator last = first + tokens.size() - 1; // Kind::end
    Errors errors(first, diagnostics);
    const auto context = x3::make_context<errors_tag>(errors);
    try {
        items.parse(first, last, context, x3::unused, module.items);
    } catch (const x3::expectation_failure<Iterator>&) {
        // The limit of reports is reached; they stand in `diagnostics`.
    }
}

} // namespace

ParseResult parse(const base::Source& source) {
    ParseResult result;
    if (!check_limits(source, result.diagnostics)) return result;
    Scan scanned = scan(source, result.diagnostics);
    result.trivia = std::move(scanned.trivia);
    if (result.diagnostics.list.size() >= most_errors) return result;
    if (!pair_brackets(scanned.tokens, result.diagnostics)) return result;
    parse_items(scanned.tokens, result.module, result.diagnostics);
    std::stable_sort(result.diagnostics.list.begin(), result.diagnostics.list.end(),
                     [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
    if (result.diagnostics.has_errors()) result.module = {};
    return result;
}

} // namespace tmemc::grammar
