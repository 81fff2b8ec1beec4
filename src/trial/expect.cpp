// The left side and the tolerances of an expectation; its right side is resolve_value()'s.
#include "trial/expect.hpp"

#include "trial/reports.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace tmemc::trial {

namespace {

namespace ast = grammar::ast;
namespace catalogue = base::catalogue;

void check_indices(const ast::ExpectValue& expect, const runtime::Formal& left,
                   base::Diagnostics& diagnostics) {
    const std::size_t dimensions = left.shape.size(); // none: it is not known
    if (dimensions != 0 && !expect.indices.empty() && expect.indices.size() != dimensions) {
        diagnostics.report(catalogue::wrong_index_count, expect.tensor.place, left.name, dimensions,
                           plural(dimensions), expect.indices.size(),
                           expect.indices.size() == 1 ? "index" : "indices");
    }
    for (std::size_t i = 0; i < expect.indices.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (expect.indices[i].text != expect.indices[j].text) continue;
            diagnostics
                .report(catalogue::repeated_index, expect.indices[i].place, expect.indices[i].text,
                        expect.tensor.text)
                .label(expect.indices[j].place, "the first");
        }
    }
}

double tolerance(const std::optional<ast::Number>& number, base::Diagnostics& diagnostics) {
    if (!number) return 0;
    const double value =
        std::visit([](auto each) { return static_cast<double>(each); }, read_number(*number, diagnostics));
    if (value < 0) {
        diagnostics.report(catalogue::number_out_of_range, number->place, fmt::format("{}", value),
                           "a tolerance, which is not negative");
    }
    return value;
}

std::optional<runtime::Tolerance> check_tolerance(const ast::ExpectValue& expect,
                                                  base::Diagnostics& diagnostics) {
    if (expect.comparison == "~=") {
        if (!expect.rtol && !expect.atol) {
            diagnostics.report(catalogue::tolerance_missing, expect.place)
                .help("say how near: expect B ~= A rtol 1e-3 atol 1e-5;");
        }
        return runtime::Tolerance{tolerance(expect.rtol, diagnostics), tolerance(expect.atol, diagnostics)};
    }
    const std::array numbers{std::pair{"rtol", &expect.rtol}, std::pair{"atol", &expect.atol}};
    for (const auto& [word, number] : numbers) {
        if (!*number) continue;
        diagnostics.report(catalogue::tolerance_without_use, (*number)->place, word)
            .help("`~=` compares within tolerances");
    }
    return std::nullopt;
}

/// Only a tensor with a value can be compared.
const runtime::Formal* left_side(const ast::ExpectValue& expect, const Scope& scope,
                                 base::Diagnostics& diagnostics) {
    const auto found = scope.parameters.find(expect.tensor.text);
    if (found == scope.parameters.end()) {
        if (scope.excuses(expect.tensor.text)) return nullptr;
        std::vector<std::string> known;
        for (const auto& [name, formal] : scope.parameters) known.push_back(name);
        report_unknown(diagnostics, expect.tensor.place, "parameter of the kernels run so far",
                       expect.tensor.text, known);
        return nullptr;
    }
    if (!found->second.is_scalar()) return &found->second;
    diagnostics.report(catalogue::wrong_kind_of_values, expect.tensor.place, expect.tensor.text, "scalar",
                       "no expectation: a kernel cannot change it");
    return nullptr;
}

} // namespace

std::optional<Expectation> bind_expectation(const ast::ExpectValue& expect, const Scope& scope,
                                            base::Diagnostics& diagnostics) {
    const runtime::Formal* const left = left_side(expect, scope, diagnostics);
    Expectation expectation;
    if (left != nullptr) expectation.left = *left; // else what stands beside it may be wrong, too
    expectation.span = expect.place;
    expectation.tolerance = check_tolerance(expect, diagnostics);
    check_indices(expect, expectation.left, diagnostics);
    resolve_value(expect, scope, expectation, diagnostics);
    if (left == nullptr) return std::nullopt;
    return expectation;
}

} // namespace tmemc::trial
