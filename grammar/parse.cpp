// Bytes to tokens to tree: limits, scan, brackets, rules. Spirit recurses on the stack, which is why nesting
// is bounded before it starts, and a text with mistakes leaves no tree, since what a failed rule built is
// worth nothing.
#include "grammar/parse.hpp"

#include "grammar/brackets.hpp"
#include "grammar/errors.hpp"
#include "grammar/limits.hpp"
#include "grammar/module.hpp"
#include "grammar/scan.hpp"

#include <algorithm>

namespace tmemc::grammar {

namespace {

std::vector<Unread> parse_items(const std::vector<Token>& tokens, ast::Module& module,
                                base::Diagnostics& diagnostics) {
    Iterator first = tokens.data();
    const Iterator last = first + tokens.size() - 1; // Kind::end
    Errors errors(first, diagnostics);
    const auto context = x3::make_context<errors_tag>(errors);
    try {
        items.parse(first, last, context, x3::unused, module.items);
    } catch (const x3::expectation_failure<Iterator>&) {
        // The limit of reports is reached; they stand in `diagnostics`.
        errors.left_out({first, last, false});
    }
    return errors.unread();
}

/// The tokens without those statements.
std::vector<Token> without(const std::vector<Token>& tokens, const std::vector<Unread>& statements) {
    std::vector<Token> rest;
    auto next = statements.begin();
    for (const Token& token : tokens) {
        while (next != statements.end() && &token >= next->end) ++next;
        if (next != statements.end() && &token >= next->begin) continue;
        rest.push_back(token);
        rest.back().reported = false;
    }
    return rest;
}

/// The names in these statements, since what they declare is missing from the tree.
std::vector<std::string> names_in(const std::vector<Unread>& statements) {
    std::vector<std::string> names;
    for (const Unread& each : statements)
        for (const Token* token = each.begin; token != each.end; ++token)
            if (token->is_name()) names.emplace_back(token->text);
    return names;
}

/// After mistakes: the tree of what can be read without the statements that failed, or none when more than
/// statements is broken. A forgotten `;` is reported and made up for, so it leaves nothing unread.
void read_the_rest(const std::vector<Token>& tokens, const std::vector<Unread>& unread, ParseResult& result) {
    if (unread.empty()) return;
    result.module = {};
    const auto is_statement = [](const Unread& each) { return each.statement; };
    if (!std::all_of(unread.begin(), unread.end(), is_statement)) return;
    std::vector<Token> rest = without(tokens, unread);
    base::Diagnostics again; // what is reported already
    ast::Module module;
    if (!pair_brackets(rest, again) || !parse_items(rest, module, again).empty()) return;
    result.module = std::move(module);
    result.lost_names = names_in(unread);
}

} // namespace

ParseResult parse(const base::Source& source) {
    ParseResult result;
    if (!check_limits(source, result.diagnostics)) return result;
    Scan scanned = scan(source, result.diagnostics);
    result.trivia = std::move(scanned.trivia);
    if (result.diagnostics.list.size() >= most_errors) return result;
    if (!pair_brackets(scanned.tokens, result.diagnostics)) return result;
    const std::vector<Unread> unread = parse_items(scanned.tokens, result.module, result.diagnostics);
    if (result.diagnostics.has_errors()) read_the_rest(scanned.tokens, unread, result);
    std::stable_sort(result.diagnostics.list.begin(), result.diagnostics.list.end(),
                     [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
    return result;
}

} // namespace tmemc::grammar
