// Codes are looked up in the catalogue, so that a misspelt one fails now and not by never being met.
#include "trial/outline.hpp"

#include "trial/reports.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace tmemc::trial {

namespace {

namespace ast = grammar::ast;
namespace catalogue = base::catalogue;

/// TM07xx are what a run can end with, all others what a compilation can.
bool is_fault(std::string_view code) { return code.starts_with("TM07"); }

void check_code(const ast::ExpectOutcome& expect, base::Diagnostics& diagnostics) {
    const bool fault = expect.outcome.text == "fault";
    std::vector<std::string> codes;
    for (const base::Kind* const kind : base::all_kinds()) {
        if (is_fault(kind->code) == fault) codes.emplace_back(kind->code);
    }
    if (std::find(codes.begin(), codes.end(), expect.code.text) != codes.end()) return;
    auto& report = diagnostics.report(catalogue::unknown_in_test, expect.code.place,
                                      fault ? "fault" : "error of a kernel", expect.code.text);
    const bool other = std::any_of(base::all_kinds().begin(), base::all_kinds().end(),
                                   [&](const base::Kind* kind) { return kind->code == expect.code.text; });
    report.help(other ? (fault ? "write `expect error`" : "write `expect fault`")
                      : "a code is one that a message shows in brackets, such as TM0301");
}

} // namespace

Outline outline_of(const ast::Test& test, bool torn, base::Diagnostics& diagnostics) {
    Outline outline;
    std::optional<base::Span> other; // an expectation of a run
    for (const ast::TestStatement& statement : test.statements) {
        if (const auto* const run = std::get_if<ast::Run>(&statement.node))
            outline.runs.push_back(run->kernel);
        if (const auto* const value = std::get_if<ast::ExpectValue>(&statement.node)) other = value->place;
        const auto* const outcome = std::get_if<ast::ExpectOutcome>(&statement.node);
        if (outcome == nullptr) continue;
        check_code(*outcome, diagnostics);
        if (outcome->outcome.text == "error")
            outline.errors.push_back(*outcome);
        else
            other = outcome->place;
    }
    if (!torn && outline.runs.empty())
        diagnostics.report(catalogue::test_cannot_fail, test.place, test.title.text, "run");
    if (!torn && outline.errors.empty() && !other) {
        diagnostics.report(catalogue::test_cannot_fail, test.place, test.title.text, "expect");
    }
    if (!outline.errors.empty() && other) {
        diagnostics.report(catalogue::contradicting_expectations, *other)
            .label(outline.errors.front().place, "a kernel with errors is not run");
    }
    return outline;
}

} // namespace tmemc::trial
