// What the tests of the grammar share: parse a text, get its mistakes as lines, and wrap a statement in a
// kernel so that a test shows only the line it is about.
#pragma once

#include "grammar/parse.hpp"
#include "grammar/print.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace tmemc::grammar {

using Lines = std::vector<std::string>;

inline ParseResult parse_text(const std::string& text) { return parse(base::Source("test.tmx", text)); }

/// "line:column code message" of each mistake.
inline Lines mistakes(const std::string& text) {
    const base::Source source("test.tmx", text);
    Lines lines;
    for (const base::Diagnostic& each : parse(source).diagnostics.list) {
        const base::Position place = source.position(each.span.begin);
        lines.push_back(std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
                        std::string(each.kind->code) + " " + each.message);
    }
    return lines;
}

/// The one mistake of `text`, whole.
inline base::Diagnostic mistake(const std::string& text) {
    ParseResult result = parse_text(text);
    REQUIRE(result.diagnostics.list.size() == 1);
    return result.diagnostics.list[0];
}

/// The statement on line 2 of a kernel, so that its columns stay as they are written.
inline std::string in_kernel(const std::string& statement) { return "kernel k() {\n" + statement + "\n}\n"; }
inline std::string in_test(const std::string& statement) { return "test \"t\" {\n" + statement + "\n}\n"; }

/// The module of a text without mistakes.
inline ast::Module module_of(const std::string& text) {
    ParseResult result = parse_text(text);
    const Lines found = mistakes(text);
    CAPTURE(text);
    CHECK(found == Lines{});
    return std::move(result.module);
}

/// The first statement of a text that stands in a kernel, as a Node.
template <class Node>
Node statement(const std::string& text) {
    const ast::Module module = module_of(in_kernel(text));
    REQUIRE(module.items.size() == 1);
    const auto& statements = std::get<ast::Kernel>(module.items[0].node).body.statements;
    REQUIRE(statements.size() == 1);
    REQUIRE(std::holds_alternative<Node>(statements[0].node));
    return std::get<Node>(statements[0].node);
}

/// The one item of a text, as a Node.
template <class Node>
Node item(const std::string& text) {
    const ast::Module module = module_of(text);
    REQUIRE(module.items.size() == 1);
    REQUIRE(std::holds_alternative<Node>(module.items[0].node));
    return std::get<Node>(module.items[0].node);
}

/// The one statement of a test, as a Node.
template <class Node>
Node test_statement(const std::string& text) {
    const auto test = item<ast::Test>(in_test(text));
    REQUIRE(test.statements.size() == 1);
    REQUIRE(std::holds_alternative<Node>(test.statements[0].node));
    return std::get<Node>(test.statements[0].node);
}

} // namespace tmemc::grammar

namespace doctest {
template <>
struct StringMaker<std::vector<std::string>> {
    static String convert(const std::vector<std::string>& lines) {
        std::string all;
        for (const std::string& line : lines) all += "\n    " + line;
        return all.c_str();
    }
};
} // namespace doctest
