// The parsers of one token, of which the rules are made: lit("kernel") for a word or a symbol that leaves
// nothing in the tree, and leaves such as `name`, which do. Spirit asks a parser what it is when an
// expectation fails; here each has an answer in the user's words.
#pragma once

#include "base/dtype.hpp"
#include "grammar/ast.hpp"
#include "grammar/config.hpp"
#include "grammar/resume.hpp"

#include <algorithm>

namespace tmemc::grammar {

/// A word or a symbol.
struct Literal : x3::parser<Literal> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;
    std::string_view text, what; // `what`: as a message says it, if not by the text

    constexpr Literal(std::string_view spelling, std::string_view words) : text(spelling), what(words) {}
    [[nodiscard]] std::string name() const {
        return what.empty() ? "`" + std::string(text) + "`" : std::string(what);
    }
    template <class Attribute>
    bool parse(Iterator& first, const Iterator&, const auto&, auto&, Attribute&) const {
        if (!first->is(text)) return false;
        ++first;
        return true;
    }
};
constexpr Literal lit(std::string_view text, std::string_view what = "") { return {text, what}; }

/// A test of the next token that takes nothing.
struct Lookahead : x3::parser<Lookahead> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;
    std::string_view what;
    bool (*holds)(const Token&);

    constexpr Lookahead(std::string_view name, bool (*predicate)(const Token&))
        : what(name), holds(predicate) {}
    template <class Attribute>
    bool parse(Iterator& first, const Iterator&, const auto&, auto&, Attribute&) const {
        return holds(*first);
    }
};

/// A `;` or a `{` that people forget. When what follows shows that nothing else is missing, the token is
/// reported and taken as read, so that nothing else is lost.
struct Forgettable : x3::parser<Forgettable> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;
    Literal token;
    bool (*forgotten)(const Token&);

    constexpr Forgettable(std::string_view text, bool (*predicate)(const Token&))
        : token(lit(text)), forgotten(predicate) {}
    template <class Attribute>
    bool parse(Iterator& first, const Iterator& last, const auto& context, auto& rule_context,
               Attribute& attribute) const {
        if (token.parse(first, last, context, rule_context, attribute)) return true;
        if (!forgotten(*first)) return false;
        x3::get<errors_tag>(context).expected(token.name(), *first);
        return true;
    }
};
inline constexpr Forgettable semicolon{";", forgot_semicolon};
inline constexpr Forgettable open_block{"{", forgot_open_brace};
/// Ends the head of a construct that has a block, so that a mistake before the `{` is the head's and the
/// block is read.
inline constexpr Lookahead before_block{
    "`{`", [](const Token& token) { return token.is("{") || forgot_open_brace(token); }};

[[nodiscard]] std::string unescape(std::string_view quoted);

inline void build(const Token& token, char& node) { node = token.text[0]; }
inline void build(const Token& token, std::string& node) { node = token.text; }
inline void build(const Token& token, ast::String& node) { node = {unescape(token.text), {token.span()}}; }
template <class Node>
void build(const Token& token, Node& node) {
    node = {std::string(token.text), {token.span()}};
}

/// A token that `accepts`, as a Node.
template <class Node>
struct Leaf : x3::parser<Leaf<Node>> {
    using attribute_type = Node;
    static constexpr bool has_attribute = true;
    std::string_view what;
    bool (*accepts)(const Token&);

    constexpr Leaf(std::string_view name, bool (*predicate)(const Token&)) : what(name), accepts(predicate) {}
    template <class Attribute>
    bool parse(Iterator& first, const Iterator&, const auto&, auto&, Attribute& attribute) const {
        if (!accepts(*first)) return false;
        Node node{};
        build(*first, node);
        x3::traits::move_to(std::move(node), attribute);
        ++first;
        return true;
    }
};

using Kind = Token::Kind;
using Names = Leaf<ast::Name>;
inline constexpr Names name{"a name", [](const Token& token) { return token.is_name(); }};
inline constexpr Names dtype{"an element type", [](const Token& token) {
                                 return token.kind == Kind::word && base::dtype_named(token.text).has_value();
                             }};
inline constexpr Leaf<ast::Integer> integer{"an integer",
                                            [](const Token& token) { return token.kind == Kind::integer; }};
inline constexpr Leaf<ast::Float> floating{"a number",
                                           [](const Token& token) { return token.kind == Kind::floating; }};
inline constexpr Leaf<ast::String> string{"a string",
                                          [](const Token& token) { return token.kind == Kind::string; }};

/// Where a node begins. Spirit takes a struct of one field for that field, so a node that has only one beside
/// its place fills the place too, and its rule begins with `here`.
struct Here : x3::parser<Here> {
    using attribute_type = ast::Place;
    static constexpr bool has_attribute = true;
    template <class Attribute>
    bool parse(Iterator& first, const Iterator&, const auto&, auto&, Attribute& attribute) const {
        x3::traits::move_to(ast::Place{{first->begin, first->begin}}, attribute);
        return true;
    }
};
inline constexpr Here here{};

/// p { "," p }
constexpr auto list_of = [](auto each) { return each >> *(lit(",") > each); };

} // namespace tmemc::grammar

namespace boost::spirit::x3 {

template <>
struct get_info<tmemc::grammar::Literal> {
    std::string operator()(const tmemc::grammar::Literal& literal) const { return literal.name(); }
};
template <>
struct get_info<tmemc::grammar::Forgettable> {
    std::string operator()(const tmemc::grammar::Forgettable& parser) const { return parser.token.name(); }
};
template <>
struct get_info<tmemc::grammar::Lookahead> {
    std::string operator()(const tmemc::grammar::Lookahead& lookahead) const {
        return std::string(lookahead.what);
    }
};
// A sequence that failed without a throw failed at its first part.
template <class Left, class Right>
struct get_info<sequence<Left, Right>> {
    std::string operator()(const sequence<Left, Right>& parts) const { return x3::what(parts.left); }
};
template <class Node>
struct get_info<tmemc::grammar::Leaf<Node>> {
    std::string operator()(const tmemc::grammar::Leaf<Node>& leaf) const { return std::string(leaf.what); }
};

} // namespace boost::spirit::x3
