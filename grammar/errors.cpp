// From a failed expectation to a sentence: what the rule wanted, in the words of its name, and what stands
// there instead, with a hint where the slip is a known one (hints.hpp).
#include "grammar/errors.hpp"

#include "grammar/brackets.hpp"
#include "grammar/hints.hpp"
#include "grammar/limits.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace tmemc::grammar {

namespace {

// The start of something: what stands there is wrong, rather than something missing before it.
constexpr auto starts = std::to_array<std::string_view>({"a statement", "a test statement", "an item"});
// A name could have stood here.
constexpr auto name_places =
    std::to_array<std::string_view>({"a name", "a region", "a slice", "a value", "an expression"});

bool is_one_of(std::string_view what, std::span<const std::string_view> words) {
    return std::find(words.begin(), words.end(), what) != words.end();
}

// A keyword used as a name is worth a message of its own.
bool is_used_as_name(std::string_view what, const Token& found) {
    if (!found.keyword) return false;
    if (is_one_of(what, name_places)) return true;
    const Token& next = (&found)[1]; // a keyword is not the last token
    if (what == "a parameter") return next.is(":");
    return is_one_of(what, starts) && (next.is("=") || next.is("["));
}

// Of a `{` that nothing closes before `end`, the one inside that lost its `}`: another's stands there,
// further left.
const Token* likely_open(const Token* opener, const Token* end) {
    for (const Token* token = opener + 1; token < end; ++token)
        if (token->is("{") && token->partner != nullptr && token->partner->first_on_line &&
            token->partner->column < indent(*token))
            return token;
    return opener;
}

// The bracket that a message should point at, because it is open and what was expected stands inside or
// closes it.
const Token* open_bracket(std::string_view what, const Token& found) {
    const Token* const opener = found.enclosing;
    if (opener == nullptr || opener->partner != nullptr) return nullptr;
    if (opener->is("{")) return what == "`}`" ? likely_open(opener, &found) : nullptr;
    return what == "`;`" || is_one_of(what, starts) ? nullptr : opener;
}

// `X > 0 ? X : Y`, `X > 0 && Y > 0`: the scanner spoke of the sign that the language does not have.
bool compares_beside_unknown_sign(const Token& found) {
    static constexpr auto comparisons = std::to_array<std::string_view>({"<", "<=", ">", ">=", "==", "!="});
    if (!is_one_of(found.text, comparisons)) return false;
    for (const Token* token = &found + 1; token->kind != Token::Kind::end; ++token) {
        if (token->kind == Token::Kind::unknown) return true;
        if (token->is(";") || token->is("{") || token->is("}")) break;
    }
    return false;
}

// The other half of a branch whose `if` was spoken of.
bool is_other_branch(const Token& found, const Token* first) {
    if (!found.is("else")) return false;
    const Token* const begin = found.enclosing == nullptr ? first : found.enclosing;
    for (const Token* token = &found; token != begin; --token)
        if (token->is("if") && token->enclosing == found.enclosing) return true;
    return false;
}

} // namespace

bool Errors::enough() const { return diagnostics_.list.size() >= most_errors; }

void Errors::expected(std::string_view what, const Token& found) {
    if (&found < next_) return;
    next_ = &found + 1;
    const Token* const before = &found == first_ ? nullptr : &found - 1;
    const bool later = before != nullptr && !is_one_of(what, starts) && what != "a parameter" &&
                       (found.first_on_line || found.kind == Token::Kind::end);
    if (found.reported || (later && before->reported)) return;
    if (compares_beside_unknown_sign(found) || is_other_branch(found, first_)) return;

    const base::Span place = later ? base::Span{before->end(), before->end()} : found.span();
    const bool keyword = !later && is_used_as_name(what, found);
    base::Diagnostic& diagnostic =
        keyword ? diagnostics_.report(base::catalogue::keyword_as_name, place, what, found.text)
                : diagnostics_.report(base::catalogue::syntax, place, what, describe(found));
    if (const Token* opener = open_bracket(what, found))
        diagnostic.label(opener->span(), "this `" + std::string(opener->text) + "` is not closed");
    help_with_syntax(diagnostic, {what, before, &found});
}

} // namespace tmemc::grammar
