// Walks the tokens with a stack of open brackets. What closes nothing, or is never closed, is reported here
// with both places, because the rules would only say what they expected next.
#include "grammar/brackets.hpp"

namespace tmemc::grammar {

namespace {

struct Open {
    Token* bracket = nullptr;
    std::size_t depth = 0; // levels up to and with this one
};
using OpenBrackets = std::vector<Open>;

bool is_one_of(const Token& token, std::string_view characters) {
    return token.kind == Token::Kind::symbol && token.text.size() == 1 &&
           characters.find(token.text[0]) != std::string_view::npos;
}

bool closes(const Token& closer, const Token& opener) {
    const char bracket = opener.text[0];
    return closer.text[0] == (bracket == '(' ? ')' : bracket == '[' ? ']' : '}');
}

// A minus behind an operand is binary and no level.
bool ends_operand(const Token& token) {
    return token.is_name() || token.kind == Token::Kind::integer || token.kind == Token::Kind::floating ||
           is_one_of(token, ")]");
}

// A bracket that is still open inside is passed over when the one around it is closed.
void close(OpenBrackets& open, Token& closer) {
    for (std::size_t i = open.size(); i-- > 0;) {
        Token& opener = *open[i].bracket;
        if (closes(closer, opener)) {
            opener.partner = &closer;
            closer.partner = &opener;
            open.resize(i);
            return;
        }
        if (opener.is("{")) return;
    }
}

} // namespace

bool begins_item(const Token& token) {
    if (token.is("const") || token.is("target")) return token.first_on_line && token.column == 0;
    if (!token.is("kernel") && !token.is("function") && !token.is("test")) return false;
    return token.first_on_line || (&token - 1)->is("}") || (&token - 1)->is(";");
}

std::uint32_t indent(const Token& token) {
    const Token* first = &token;
    while (!first->first_on_line) --first;
    return first->column;
}

bool pair_brackets(std::vector<Token>& tokens, base::Diagnostics& diagnostics) {
    OpenBrackets open;
    std::size_t signs = 0; // unary minuses right before this token
    std::size_t words = 0; // of this statement
    bool operand_before = false;
    for (Token& token : tokens) {
        token.enclosing = open.empty() ? nullptr : open.back().bracket;
        if (begins_item(token)) open.clear();
        ++words;
        if (is_one_of(token, ";{}")) words = 0;
        if (words > longest_statement) {
            diagnostics
                .report(base::catalogue::too_long, token.span(), longest_statement,
                        "words and signs in one statement")
                .help(
                    "name a part of it: an integer with `const` or `let`, a value by a fragment of its own");
            return false;
        }
        if (is_one_of(token, ";{}"))
            while (!open.empty() && !open.back().bracket->is("{")) open.pop_back();

        const bool opens = is_one_of(token, "([{");
        const bool sign = token.is("-") && !operand_before;
        operand_before = ends_operand(token);
        if (sign) ++signs;
        const std::size_t depth = (open.empty() ? 0 : open.back().depth) + signs + (opens ? 1 : 0);
        if (depth > deepest_nesting) {
            diagnostics.report(base::catalogue::nesting_too_deep, token.span(), deepest_nesting)
                .help(
                    "name a part of it: an integer with `const` or `let`, a value by a fragment of its own");
            return false;
        }
        if (opens) open.push_back({&token, depth});
        if (is_one_of(token, ")]}")) close(open, token);
        if (!sign) signs = 0;
    }
    return true;
}

} // namespace tmemc::grammar
