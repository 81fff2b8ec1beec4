// Programs as one-liners for the tests of sema: parse, check, and say in one line each what was found.
//
//     accepts(body("frag X: f32[128, 8];"));
//     refuses(body("frag X: f32[64, 8];"), "TM0305", 2, 6, {"64 rows", "16x256b"});
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "grammar/parse.hpp"
#include "sema/check.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace tmemc::sema {

struct Checked {
    base::Source source;
    CheckResult result;

    /// "TM0201 at 3:5: unknown name `X` | label | note | help", one diagnostic a line.
    [[nodiscard]] std::string report() const {
        std::string text;
        for (const base::Diagnostic& each : result.diagnostics.list) {
            const base::Position at = source.position(each.span.begin);
            text += fmt::format("{} at {}:{}: {}", each.kind->code, at.line, at.column, each.message);
            for (const base::Label& label : each.labels)
                text += fmt::format(" | {}: {}", source.position(label.span.begin).line, label.text);
            for (const std::string& note : each.notes) text += " | " + note;
            for (const std::string& help : each.helps) text += " | " + help;
            text += "\n";
        }
        return text;
    }
    [[nodiscard]] const Program& program() const { return result.program; }
    [[nodiscard]] const Kernel& kernel() const { return result.program.kernels.at(0); }
    /// What the span of diagnostic `index` covers.
    [[nodiscard]] std::string underlined(std::size_t index = 0) const {
        return std::string(source.text(result.diagnostics.list.at(index).span));
    }
};

inline Checked checked(std::string text, const Options& options = {}) {
    base::Source source("test.tmx", std::move(text));
    const grammar::ParseResult parsed = grammar::parse(source);
    for (const base::Diagnostic& each : parsed.diagnostics.list) FAIL("does not parse: " << each.message);
    CheckResult result = check(parsed.module, options);
    return {std::move(source), std::move(result)};
}

/// A kernel with the tensors A (in), B (out) and C (inout), f32[128, 64] each; its body begins on line 2.
inline std::string body(std::string_view statements) {
    return fmt::format(
        "kernel k(in A: f32[128, 64], out B: f32[128, 64], inout C: f32[128, 64]) {{\n{}\n}}\n", statements);
}

inline Checked accepts(std::string text, const Options& options = {}) {
    CAPTURE(text);
    Checked found = checked(std::move(text), options);
    CHECK(found.report() == "");
    return found;
}

/// One diagnostic, with that code at that place, whose text (labels, notes and helps included) has every
/// word.
inline Checked refuses(std::string text, std::string_view code, unsigned line, unsigned column,
                       std::initializer_list<std::string_view> words = {}, const Options& options = {}) {
    CAPTURE(text);
    Checked found = checked(std::move(text), options);
    const std::string report = found.report();
    CAPTURE(report);
    REQUIRE(found.result.diagnostics.list.size() == 1);
    CHECK(report.rfind(fmt::format("{} at {}:{}:", code, line, column), 0) == 0);
    for (const std::string_view word : words) CHECK_MESSAGE(report.find(word) != std::string::npos, word);
    return found;
}

} // namespace tmemc::sema
