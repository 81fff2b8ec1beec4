// Dependency files: what has to be made again when what has changed, as a rule that make includes and ninja
// reads.
//
//     tmemc build dir/x.tmx --emit=ptx,cubin -MD      x.d: "x.ptx x.cubin: dir/x.tmx"
//
// A blank or # in a name is written with a backslash before it, a $ twice, and so is a colon, which would
// begin the list of inputs; backslashes before a blank are doubled. Both tools read names back from this; a
// line break cannot be written at all. A program is one file, so there is one input.
#pragma once

#include "cli/session.hpp"

#include <string>
#include <vector>

namespace tmemc::cli {

/// The rule; the last input has a line break behind it.
[[nodiscard]] std::string dependency_rule(const std::vector<std::string>& outputs,
                                          const std::vector<std::string>& inputs);
/// That of `wanted`, made of the input of the options. What goes to standard output is named as the file that
/// it would be, and a rule asked for alone speaks of the cubin.
[[nodiscard]] std::string dependency_file(const std::vector<Emission>& wanted, const Options& options);
/// For a verb with one output: beside it the rule of it when -MD asks for that. Its path may be empty or "-",
/// which is standard output and is named after the input.
[[nodiscard]] std::vector<Delivery> with_dependency_file(Delivery output, Kind kind, const Options& options);

} // namespace tmemc::cli
