// The twenty tricky copies of data/matching.json, from program text to plan or refusal.
#include "base/render.hpp"
#include "grammar/parse.hpp"
#include "match/match.hpp"
#include "sema/check.hpp"
#include "tmem_oracle.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

using namespace tmemc;
using nlohmann::json;

namespace {

json issue_of(const match::Message& message) {
    return {{"shape", atlas::row(message.shape).name},
            {"num", message.num},
            {"row", message.row},
            {"column", message.column},
            {"registers", message.registers},
            {"warps", message.warps},
            {"pack", message.pack},
            {"half_split", message.half_split ? json(*message.half_split) : json(nullptr)}};
}

/// (warp, thread, register, lane, column, pack) of everything that the issues move.
std::multiset<std::array<int, 6>> effect(const json& issues) {
    std::multiset<std::array<int, 6>> moved;
    for (const json& issue : issues) {
        const bool pack = issue["pack"];
        const int half_split = issue["half_split"].is_null() ? 0 : issue["half_split"].get<int>();
        const std::vector<int> registers = issue["registers"];
        for (int warp : issue["warps"])
            for (int l = 0; l < 32; ++l)
                for (int q = 0; q < static_cast<int>(registers.size()); ++q) {
                    const auto cell = oracle::message_cell(issue["shape"], issue["row"], issue["column"],
                                                           pack, half_split, l, q);
                    moved.insert(
                        {warp, l, registers[static_cast<std::size_t>(q)], cell.lane, cell.column, pack});
                }
    }
    return moved;
}

std::array<int, 4> messages_per_warp(const json& issues) {
    std::array<int, 4> count{};
    for (const json& issue : issues)
        for (std::size_t warp : issue["warps"]) ++count[warp];
    return count;
}

struct Compiled {
    sema::Program program;
    match::Plan plan;
    base::Diagnostics diagnostics;
};
Compiled compile(const base::Source& source) {
    auto parsed = grammar::parse(source);
    REQUIRE_FALSE(parsed.diagnostics.has_errors());
    auto checked = sema::check(parsed.module);
    REQUIRE_FALSE(checked.diagnostics.has_errors());
    auto matched = match::match(checked.program);
    return {std::move(checked.program), std::move(matched.plan), std::move(matched.diagnostics)};
}

/// The issues of the last copy of the kind.
json last_issues(const Compiled& compiled, sema::TmemCopy::Op op) {
    json issues = json::array();
    for (const match::CopyPlan& copy : compiled.plan.kernels[0].copies) {
        const auto& statement = compiled.program.kernels[0].statements[copy.statement];
        if (std::get<sema::TmemCopy>(statement.what).op != op) continue;
        issues = json::array();
        for (const match::Message& message : copy.messages) issues.push_back(issue_of(message));
    }
    return issues;
}

std::string text_of(const base::Diagnostic& diagnostic) {
    std::string text = diagnostic.message;
    for (const base::Label& label : diagnostic.labels) text += "\n" + label.text;
    for (const std::string& note : diagnostic.notes) text += "\n" + note;
    for (const std::string& help : diagnostic.helps) text += "\n" + help;
    return text;
}

bool contains(const std::string& text, const std::string& word) {
    return text.find(word) != std::string::npos;
}

void check_refusal(const base::Source& source, const base::Diagnostics& diagnostics, const json& expected) {
    REQUIRE(diagnostics.list.size() == 1);
    const base::Diagnostic& refusal = diagnostics.list[0];
    const std::string text = text_of(refusal);
    CAPTURE(text);
    CHECK(refusal.kind->code.starts_with(expected["code"].get<std::string>()));
    CHECK(source.position(refusal.span.begin).line == expected["line"].get<std::uint32_t>());
    for (const std::string word : expected["keywords"]) CHECK(contains(text, word));
    if (!expected.contains("any_of")) return;
    const json& words = expected["any_of"];
    CHECK(std::any_of(words.begin(), words.end(), [&](const json& word) { return contains(text, word); }));
}

} // namespace

TEST_CASE("the tricky copies have the plans or the refusals that were worked out for them") {
    json cases;
    std::ifstream("data/matching.json") >> cases;
    REQUIRE(cases["cases"].size() == 20);
    for (const json& each : cases["cases"]) {
        CAPTURE(each["name"].get<std::string>());
        const base::Source source("case.tmx", each["source"]);
        const Compiled compiled = compile(source);
        const json& expected = each["expect"];
        if (expected.contains("refused")) {
            check_refusal(source, compiled.diagnostics, expected["refused"]);
            continue;
        }
        REQUIRE_FALSE(compiled.diagnostics.has_errors());
        REQUIRE(each["copy"]["index"] == -1);
        const json issues = last_issues(compiled, each["copy"]["op"] == "ld" ? sema::TmemCopy::Op::ld
                                                                             : sema::TmemCopy::Op::st);
        if (expected["compare"] == "exact") {
            CHECK(issues == expected["issues"]);
            continue;
        }
        CHECK(effect(issues) == effect(expected["issues"]));
        const auto count = messages_per_warp(issues);
        for (std::size_t warp = 0; warp < count.size(); ++warp)
            CHECK(count[warp] <= expected["messages_per_warp"][warp].get<int>());
    }
}
