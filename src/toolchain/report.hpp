// What went wrong with ptxas, said of the program. An error of ptxas names a line of the PTX; the caller
// knows which statement that line came from. Errors that an unrolled loop repeats are one diagnostic with all
// their PTX lines. Warnings and infos of a ptxas that succeeded stay in Assembled: they are no mistakes.
#pragma once

#include "base/diagnostics.hpp"
#include "toolchain/ptxas.hpp"

#include <cstdint>
#include <functional>

namespace tmemc::toolchain {

/// The span of the program that PTX line `line` (from 1) came from; base::no_place when it came from none.
using SpanOfLine = std::function<base::Span(std::uint32_t line)>;

/// Nothing when ptxas succeeded, else at least one error.
[[nodiscard]] base::Diagnostics report(const Assembled& assembled, const SpanOfLine& span_of_line);

} // namespace tmemc::toolchain
