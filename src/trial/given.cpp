// One row per generator says what stands in its parentheses; `npy` is a generator here, though it is a file.
#include "trial/given.hpp"

#include "trial/reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tmemc::trial {

namespace {

namespace ast = grammar::ast;
namespace catalogue = base::catalogue;
using runtime::Generator;

enum class Argument { none, seed, number, file };
struct Row {
    std::string_view name;
    Argument argument;
    std::string_view takes; // as a diagnostic says it
};
constexpr auto rows =
    std::to_array<Row>({{"iota", Argument::none, "no argument"},
                        {"random", Argument::seed, "a seed that is not negative: random(seed: 1)"},
                        {"zeros", Argument::none, "no argument"},
                        {"ones", Argument::none, "no argument"},
                        {"full", Argument::number, "a number: full(1.5)"},
                        {"cells", Argument::none, "no argument"},
                        {"npy", Argument::file, "the name of a file: npy(\"a.npy\")"}});

const Row* row_named(std::string_view name) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

/// The seed of random(seed: n); bare `random` is seed 0.
std::optional<std::uint64_t> seed(const ast::GeneratorCall& call, base::Diagnostics& diagnostics) {
    if (std::holds_alternative<std::monostate>(call.argument.node)) return 0;
    const auto* const written = std::get_if<ast::Number>(&call.argument.node);
    if (written == nullptr || (call.label && call.label->text != "seed")) return std::nullopt;
    const runtime::Number number = read_number(*written, diagnostics);
    const auto* const integer = std::get_if<std::int64_t>(&number);
    if (integer == nullptr || *integer < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*integer);
}

/// What the call means, when its argument is what the row says.
std::optional<runtime::Values> values_of(const ast::GeneratorCall& call, const Row& row,
                                         base::Diagnostics& diagnostics) {
    if (row.argument == Argument::seed) {
        const auto number = seed(call, diagnostics);
        if (!number) return std::nullopt;
        return Generator{Generator::Kind::random, *number};
    }
    if (call.label) return std::nullopt;
    const auto* const number = std::get_if<ast::Number>(&call.argument.node);
    const auto* const file = std::get_if<ast::String>(&call.argument.node);
    if (row.argument == Argument::number && number != nullptr) {
        return Generator{Generator::Kind::full, 0, read_number(*number, diagnostics)};
    }
    if (row.argument == Argument::file && file != nullptr) return runtime::NpyPath{file->text};
    if (row.argument == Argument::none && number == nullptr && file == nullptr) {
        return Generator{*runtime::generator_named(row.name)};
    }
    return std::nullopt;
}

std::optional<runtime::Values> number_for(const ast::Number& number, const runtime::Formal* formal,
                                          base::Diagnostics& diagnostics) {
    if (formal != nullptr && !formal->is_scalar()) {
        diagnostics
            .report(catalogue::wrong_kind_of_values, number.place, formal->name, "tensor", "a generator")
            .help(fmt::format("{} = full({});", formal->name, spelling(number)));
        return std::nullopt;
    }
    return Generator{Generator::Kind::full, 0, read_number(number, diagnostics)};
}

std::optional<runtime::Values> generator_for(const ast::GeneratorCall& call, const runtime::Formal* formal,
                                             base::Diagnostics& diagnostics) {
    const Row* const row = row_named(call.name.text);
    if (row == nullptr) {
        std::vector<std::string> names;
        names.reserve(rows.size());
        for (const Row& each : rows) names.emplace_back(each.name);
        report_unknown(diagnostics, call.name.place, "generator", call.name.text, names);
        return std::nullopt;
    }
    if (formal != nullptr && formal->is_scalar()) {
        diagnostics.report(catalogue::wrong_kind_of_values, call.place, formal->name, "scalar", "a number")
            .help(fmt::format("{} = 1;", formal->name));
        return std::nullopt;
    }
    auto values = values_of(call, *row, diagnostics);
    if (!values) diagnostics.report(catalogue::generator_argument, call.place, row->name, row->takes);
    return values;
}

} // namespace

std::optional<runtime::Values> bind_values(const ast::Given& given, const runtime::Formal* formal,
                                           base::Diagnostics& diagnostics) {
    if (const auto* const number = std::get_if<ast::Number>(&given.generator.node)) {
        return number_for(*number, formal, diagnostics);
    }
    return generator_for(std::get<ast::GeneratorCall>(given.generator.node), formal, diagnostics);
}

} // namespace tmemc::trial
