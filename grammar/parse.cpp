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
#include <deque>
#include <string>
#include <utility>

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
        errors.left_out({first, last, Unread::What::everything});
    }
    return errors.unread();
}

/// The tokens once more, without those that a rule could not read.
class Rest {
  public:
    /// The unread are in source order, none inside another.
    Rest(const std::vector<Token>& tokens, const std::vector<Unread>& unread) {
        tokens_.reserve(tokens.size() + 4 * unread.size());
        const Token* token = tokens.data();
        for (const Unread& each : unread) {
            while (token != each.begin) take(*token++);
            token = each.end;
            const bool misspelt_loop = each.what == Unread::What::statement && token->is("{");
            if (misspelt_loop) make_up("for", Kind::word, *each.begin);
            if (misspelt_loop || each.what == Unread::What::head) stand_in(*each.begin);
            if (each.what == Unread::What::parameter && leave_out_parameter(*token)) ++token;
        }
        while (token != tokens.data() + tokens.size()) take(*token++);
        tokens_.front().first_on_line = true; // whatever stood before it
    }
    [[nodiscard]] std::vector<Token>& tokens() { return tokens_; }

  private:
    using Kind = Token::Kind;

    void take(const Token& token) {
        tokens_.push_back(token);
        tokens_.back().partner = nullptr;
        tokens_.back().reported = false;
        if (token.is("function")) function_ = tokens_.size();
        if (token.is("kernel") || token.is("test")) function_ = 0;
    }
    void make_up(std::string_view text, Kind kind, const Token& at) {
        Token token;
        token.text = text;
        token.begin = at.begin;
        token.kind = kind;
        token.keyword = kind == Kind::word && is_keyword(text);
        tokens_.push_back(token);
    }
    /// A name that no source can spell.
    std::string_view nobody() { return names_.emplace_back(std::to_string(names_.size()) + " unread"); }

    /// A head that can be read: of a loop of one turn, of a kernel or function that nobody calls, of a test.
    /// The word before it stands already.
    void stand_in(const Token& at) {
        const bool block = tokens_.back().is("for") || tokens_.back().is("on");
        if (block) tokens_.back().text = "for";
        if (tokens_.back().is("test")) {
            make_up("\"unread\"", Kind::string, at);
            return;
        }
        make_up(nobody(), Kind::word, at);
        if (!block) {
            make_up("(", Kind::symbol, at);
            make_up(")", Kind::symbol, at);
            return;
        }
        make_up("in", Kind::word, at);
        make_up("0", Kind::integer, at);
        make_up("..", Kind::symbol, at);
        make_up("1", Kind::integer, at);
    }

    /// A function that lacks a parameter is called with one too many: so nobody calls it any more. True: the
    /// comma behind goes with the parameter.
    bool leave_out_parameter(const Token& behind) {
        if (function_ != 0 && function_ < tokens_.size()) tokens_[function_].text = nobody();
        if (behind.is(",")) return true;
        if (tokens_.back().is(",")) tokens_.pop_back();
        return false;
    }

    std::vector<Token> tokens_;
    std::deque<std::string> names_;
    std::size_t function_ =
        0; // where the name of the function stands whose parameters are read; 0: no function
};

/// In source order, without those that lie in another.
std::vector<Unread> outermost(std::vector<Unread> unread) {
    std::stable_sort(unread.begin(), unread.end(), [](const Unread& a, const Unread& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<Unread> kept;
    for (const Unread& each : unread)
        if (kept.empty() || each.begin >= kept.back().end) kept.push_back(each);
    return kept;
}

/// The names in these, since what they declare is missing from the tree.
std::vector<std::string> names_in(const std::vector<Unread>& unread) {
    std::vector<std::string> names;
    for (const Unread& each : unread)
        for (const Token* token = each.begin; token != each.end; ++token)
            if (token->is_name()) names.emplace_back(token->text);
    return names;
}

/// After mistakes: the tree of what can be read without what failed, or none. A forgotten `;` is reported and
/// made up for, so it leaves nothing unread.
void read_the_rest(const std::vector<Token>& tokens, const std::vector<Unread>& all, ParseResult& result) {
    if (all.empty()) return;
    result.module = {};
    const auto hopeless = [](const Unread& each) { return each.what == Unread::What::everything; };
    if (std::any_of(all.begin(), all.end(), hopeless)) return;
    const std::vector<Unread> unread = outermost(all);
    Rest rest(tokens, unread);
    base::Diagnostics again; // what is reported already
    ast::Module module;
    if (!pair_brackets(rest.tokens(), again) || !parse_items(rest.tokens(), module, again).empty()) return;
    result.module = std::move(module);
    result.lost_names = names_in(unread);
    for (const Token& token : tokens) // a function that nobody calls any more
        if (token.is("function") && (&token)[1].is_name()) result.lost_names.emplace_back((&token)[1].text);
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
