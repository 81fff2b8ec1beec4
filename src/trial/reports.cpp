// Names come with the nearest known one, or with all of them when none is near.
#include "trial/reports.hpp"

#include "base/near.hpp"

#include <fmt/format.h>

#include <optional>

namespace tmemc::trial {

namespace ast = grammar::ast;
namespace catalogue = base::catalogue;

void report_unknown(base::Diagnostics& diagnostics, base::Span span, std::string_view what,
                    const std::string& name, const std::vector<std::string>& candidates) {
    auto& report = diagnostics.report(catalogue::unknown_in_test, span, what, name);
    const std::string near = base::nearest(name, candidates);
    if (!near.empty()) {
        report.help(fmt::format("did you mean `{}`?", near));
    } else if (!candidates.empty()) {
        report.help(fmt::format("there are {}", fmt::join(candidates, ", ")));
    }
}

runtime::Number read_number(const std::string& text, base::Span span, base::Diagnostics& diagnostics) {
    const std::optional<runtime::Number> number = runtime::parse_number(text);
    if (number) return *number;
    diagnostics.report(catalogue::number_out_of_range, span, text, "a 64-bit integer or a double");
    return std::int64_t{0};
}

std::string spelling(const ast::Number& number) {
    const std::string sign = number.negative ? "-" : "";
    if (const auto* const real = std::get_if<ast::Float>(&number.magnitude.node)) return sign + real->text;
    return sign + std::get<ast::Integer>(number.magnitude.node).text;
}

runtime::Number read_number(const ast::Number& number, base::Diagnostics& diagnostics) {
    return read_number(spelling(number), number.place, diagnostics);
}

} // namespace tmemc::trial
