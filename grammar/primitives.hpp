// The parsers of one token, of which the rules are made: lit("kernel") for a word or a symbol that leaves nothing in the
// tree, and leaves such as `name`, which do. Spirit asks a parser what it is when an expectation fails; here each has an
// answer in the user's words.
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
    std::string_view text, what; // `what`: as a message says it, if not the text

    constexpr Literal(std::string_view spelling, std::string_view name) : text(spelling), what(name) {}
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
    bool (*holds)(const Token&);

    constexpr explicit Lookahead(bool (*predicate)(const Token&)) : holds(predicate) {}
    template <class Attribute>
    bool parse(Iterator& first, const Iterator&, const auto&, auto&, Attribute&) const {
        return holds(*first);
    }
};

/// A `;` or a `{` that people forget at the end of a line. When what follows is surely the next statement, the token is
/// reported as missing and taken as read, so that nothing else is lost.
struct Terminator : x3::parser<Terminator> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;
    std::string_view text, what;

    constexpr Terminator(std::string_view spelling, std::string_view name) : text(spelling), what(name) {}
    template <class Attribute>
    bool parse(Iterator& first, const Iterator&, const auto& context, auto&, Attribute&) const {
        if (first->is(text)) {
            ++first;
            return true;
        }
        const bool missing = begins_statement(*first) || (text == ";" && ends_block(*first));
        if (missing) x3::get<errors_tag>(context).expected(what, first);
        return missing;
    }
};
inline constexpr Terminator semicolon{";", "`;`"};
inline constexpr Terminator open_block{"{", "`{`"};

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
inline constexpr Leaf<ast::Integer> integer{"an integer", [](const Token& token) { return token.kind == Kind::integer; }};
inline constexpr Leaf<ast::Float> floating{"a number", [](const Token& token) { return token.kind == Kind::floating; }};
inline constexpr Leaf<ast::String> string{"a string", [](const Token& token) { return token.kind == Kind::string; }};

/// Where a node begins. Spirit takes a struct of one field for that field, so a node that has only one beside its place
/// fills the place too, and its rule begins with `here`.
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
    std::string operator()(const tmemc::grammar::Literal& literal) const {
        return literal.what.empty() ? "`" + std::string(literal.text) + "`" : std::string(literal.what);
    }
};
template <>
struct get_info<tmemc::grammar::Terminator> {
    std::string operator()(const tmemc::grammar::Terminator& terminator) const { return std::string(terminator.what); }
};
template <class Node>
struct get_info<tmemc::grammar::Leaf<Node>> {
    std::string operator()(const tmemc::grammar::Leaf<Node>& leaf) const { return std::string(leaf.what); }
};

} // namespace boost::spirit::x3
