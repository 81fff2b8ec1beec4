// Small reports that every part of a test block needs, so that the same mistake has the same words wherever
// it stands: an unknown name with the nearest of those that there are, a number that does not fit.
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"
#include "runtime/number.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::trial {

/// Reports that no `what` is called `name`, with the nearest of `candidates`.
void report_unknown(base::Diagnostics& diagnostics, base::Span span, std::string_view what,
                    const std::string& name, const std::vector<std::string>& candidates);

/// The number as spelled, or a report that it does not fit and 0.
[[nodiscard]] runtime::Number read_number(const std::string& text, base::Span span,
                                          base::Diagnostics& diagnostics);
[[nodiscard]] runtime::Number read_number(const grammar::ast::Number& number, base::Diagnostics& diagnostics);
[[nodiscard]] std::string spelling(const grammar::ast::Number& number);

[[nodiscard]] constexpr std::string_view plural(std::size_t count) { return count == 1 ? "" : "s"; }

} // namespace tmemc::trial
