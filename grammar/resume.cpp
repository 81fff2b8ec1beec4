// Looks ahead for the next sure sign. Each function says which signs count for it; none ever moves backwards,
// so a text full of mistakes is still read in one pass.
#include "grammar/resume.hpp"

#include "grammar/brackets.hpp"

#include <algorithm>

namespace tmemc::grammar {

namespace {

bool is_end(const Token& token) { return token.kind == Token::Kind::end; }

// The token behind this one, a pair of brackets with all inside counting as one.
const Token* step_over(const Token* token) {
    return (token->is("(") || token->is("[") || token->is("{")) && token->partner ? token->partner + 1
                                                                                  : token + 1;
}

// Surely the start of a statement, so that whatever was missing was missing before it.
bool begins_statement(const Token& token) {
    static constexpr auto words = std::to_array<std::string_view>(
        {"copy", "copy_async", "expect", "for", "frag", "let", "on", "run", "smem", "sync", "tmem", "wait"});
    if (token.keyword) return std::binary_search(words.begin(), words.end(), token.text);
    if (!token.first_on_line || !token.is_name()) return false;
    const Token* next = &token + 1; // of `X = 1;`, `X[0] = 1;` and `f(X);`
    if (next->is("[") || next->is("(")) {
        if (next->partner == nullptr) return false;
        return (next->partner + 1)->is(next->is("(") ? ";" : "=");
    }
    return next->is("=");
}

} // namespace

bool ends_block(const Token& token) { return token.is("}") || is_end(token) || begins_item(token); }

bool forgot_semicolon(const Token& token) { return begins_statement(token) || ends_block(token); }

// A loop whose `{` is missing has its `}` where the loop began, and that is what closes the block around it.
// Without that sign the braces may both be missing.
bool forgot_open_brace(const Token& token) {
    if (!begins_statement(token)) return false;
    const Token* around = token.enclosing;
    if (around == nullptr) return true;
    return around->partner != nullptr && around->partner->first_on_line &&
           around->partner->column == indent(*(&token - 1)) && around->partner->column > indent(*around);
}

namespace {

const Token* after_statement(const Token* begin, const Token* stop) {
    for (const Token* token = stop;; token = step_over(token)) {
        if (ends_block(*token)) return token;
        if (token->is(";")) return token + 1;
        if (token == begin) continue;
        if (token->is("{")) return token;
        if (token->first_on_line && (begins_statement(*token) || (token - 1)->reported)) return token;
    }
}

const Token* after_parameter(const Token* begin, const Token* stop) {
    for (const Token* token = stop;; token = step_over(token)) {
        if (ends_block(*token) || token->is(";") || token->is("{")) return nullptr;
        if (token->is(")") || (token->is(",") && token != begin)) return token;
    }
}

// `for (int i = 0; i < 4; i++) {` is one mistake.
const Token* body_of_c_loop(const Token* open) {
    const Token* token = open;
    while (!is_end(*token) && !token->is("{") && (token == open || !token->first_on_line)) ++token;
    return token->is("{") ? token : nullptr;
}

const Token* at_body(const Token* begin, const Token* stop) {
    if (begin == stop && begin->is("(") && (begin - 1)->is("for")) return body_of_c_loop(begin);
    for (const Token* token = stop;; token = step_over(token)) {
        if (token->is("{")) return token;
        if (ends_block(*token) || token->is(";")) return nullptr;
        if (token->first_on_line && begins_statement(*token)) return nullptr;
    }
}

const Token* after_item(const Token* begin, const Token* stop) {
    const bool has_body = begin->is("kernel") || begin->is("function") || begin->is("test");
    for (const Token* token = stop;; ++token) {
        if (is_end(*token)) return token;
        if (!has_body && token->is(";")) return token + 1;
        const bool item = begins_item(*token) || token->is("const") || token->is("target");
        if (item && token != begin && (token->first_on_line || token != stop)) return token;
        if (!has_body && token->is("{") && token->partner != nullptr)
            return token->partner + 1; // `kernal k() {`
    }
}

} // namespace

const Resume next_statement{after_statement, Unread::What::statement};
const Resume next_parameter{after_parameter, Unread::What::parameter};
const Resume next_body{at_body, Unread::What::head};
const Resume next_item{after_item, Unread::What::item};

} // namespace tmemc::grammar
