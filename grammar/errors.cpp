#include "grammar/errors.hpp"

#include "grammar/hints.hpp"

#include <algorithm>
#include <string>

namespace tmemc::grammar {

namespace {

constexpr std::size_t most_errors = 1000;

// Where a name could have stood, a keyword is worth a message of its own.
bool takes_name(std::string_view what) {
    static constexpr auto places =
        std::to_array<std::string_view>({"a name", "a parameter", "a region", "a slice", "a statement", "a value",
                                         "an expression", "an expectation", "a test statement"});
    return std::find(places.begin(), places.end(), what) != places.end();
}

} // namespace

bool Errors::enough() const { return diagnostics_.list.size() >= most_errors; }

void Errors::expected(std::string_view what, const Token* found) {
    if (last_ != nullptr && found <= last_) return;
    last_ = found;
    const Token* const before = found == first_ ? nullptr : found - 1;
    const bool later = before != nullptr && (found->first_on_line || found->kind == Token::Kind::end);
    if (found->reported || (later && before->reported)) return;

    const base::Span place = later ? base::Span{before->end(), before->end()} : found->span();
    const bool keyword = found->keyword && !later && takes_name(what);
    base::Diagnostic& diagnostic =
        keyword ? diagnostics_.report(base::catalogue::keyword_as_name, place, what, found->text)
                : diagnostics_.report(base::catalogue::syntax, place, what, describe(*found));
    if (const Token* opener = found->enclosing; opener != nullptr && opener->partner == nullptr)
        diagnostic.label(opener->span(), "this `" + std::string(opener->text) + "` is not closed");
    help_with_syntax(diagnostic, {what, before, found});
}

} // namespace tmemc::grammar
