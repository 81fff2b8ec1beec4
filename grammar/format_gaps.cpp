// The printed text scanned and laid beside the source, token by token. They are the same tokens, except that
// the printer writes a list of one without its brackets: `S[(8) : (1)]` is `S[8 : 1]`. The source keeps them.
#include "grammar/format_steps.hpp"

#include "base/invariant.hpp"
#include "grammar/print.hpp"
#include "grammar/scan.hpp"

namespace tmemc::grammar {

namespace {

Gap gap_between(std::string_view text, const Token& before, const Token& token) {
    const std::string_view between = text.substr(before.end(), token.begin - before.end());
    if (between.empty()) return Gap::none;
    return between.find('\n') == std::string_view::npos ? Gap::blank : Gap::line;
}

} // namespace

std::vector<Gap> gaps_before(const std::vector<Token>& tokens, const ast::Module& module) {
    const base::Source printed("printed", print(module));
    base::Diagnostics none;
    const std::vector<Token> canonical = scan(printed, none).tokens;
    std::vector<Gap> gaps;
    gaps.reserve(tokens.size());
    std::size_t next = 0;
    bool tight = false; // behind a bracket that the printer dropped
    for (const Token& token : tokens) {
        const bool printed_too = next < canonical.size() && canonical[next].text == token.text;
        base::invariant(printed_too || token.is("(") || token.is(")"), "the printer keeps every token");
        const bool first = next == 0 || next >= canonical.size();
        const Gap gap = first ? Gap::line : gap_between(printed.text(), canonical[next - 1], canonical[next]);
        gaps.push_back(tight || (!printed_too && token.is(")")) ? Gap::none : gap);
        tight = !printed_too && token.is("(");
        if (printed_too) ++next;
    }
    base::invariant(next == canonical.size(), "the source has every token that is printed");
    return gaps;
}

} // namespace tmemc::grammar
