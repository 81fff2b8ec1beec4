// From a compiled program to its machine code, with everything that is to be said on the way: build does so
// for several kinds of output, report for its numbers.
#pragma once

#include "cli/session.hpp"

#include <string>

namespace tmemc::cli {

/// Verifies the text and assembles it; with -### prints the command instead. The exit status; a PTX that
/// ptxas refuses is kept beside `output`.
[[nodiscard]] int machine_code(const Compilation& made, const base::Source& source, const Options& options,
                               const std::string& output, Assembly& assembly);

} // namespace tmemc::cli
