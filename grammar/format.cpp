// The four steps one after the other, and the proof that nothing but blanks has changed.
#include "grammar/format.hpp"

#include "base/invariant.hpp"
#include "grammar/format_steps.hpp"
#include "grammar/parse.hpp"
#include "grammar/scan.hpp"

#include <algorithm>

namespace tmemc::grammar {

namespace {

bool same_tokens(const std::vector<Token>& a, const std::vector<Token>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Token& one, const Token& other) { return one.text == other.text; });
}

/// The marks and words of all comments.
std::string comments(const base::Source& source, const Trivia& trivia) {
    std::string all;
    for (const TriviaItem& each : trivia) {
        if (each.kind == TriviaItem::Kind::blank_line) continue;
        for (const char letter : source.text(each.span))
            if (std::string_view(" \t\r\n\v\f").find(letter) == std::string_view::npos) all += letter;
        all += '\n';
    }
    return all;
}

void check_same(const base::Source& source, const Scan& scanned, const ast::Module& module,
                const std::string& text) {
    const base::Source written(source.name(), text);
    base::Diagnostics none;
    const Scan again = scan(written, none);
    base::invariant(same_tokens(scanned.tokens, again.tokens), "formatting keeps every token");
    base::invariant(comments(source, scanned.trivia) == comments(written, again.trivia),
                    "formatting keeps every comment");
    base::invariant(parse(written).module == module, "formatting keeps the tree");
}

} // namespace

FormatResult format(const base::Source& source) {
    ParseResult parsed = parse(source);
    FormatResult result{{}, std::move(parsed.diagnostics)};
    if (result.diagnostics.has_errors()) return result;
    base::Diagnostics none;
    const Scan scanned = scan(source, none);
    const std::vector<Gap> gaps = gaps_before(scanned.tokens, parsed.module);
    std::vector<Line> lines;
    for (const Statement& each : with_comments(source.text(), scanned.tokens, gaps, scanned.trivia))
        wrap(each, lines);
    result.text = joined(lines);
    check_same(source, scanned, parsed.module, result.text);
    return result;
}

} // namespace tmemc::grammar
