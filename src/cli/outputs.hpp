// Which outputs `build` makes and where they go: --emit, -o and the input's name agreed upon.
//
//     tmemc build dir/x.tmx                              x.cubin
//     tmemc build x.tmx -o y.ptx                         y.ptx: the suffix names the kind
//     tmemc build x.tmx --emit=header,plan=p.json        x.h, p.json
//
// And what holds of every verb: no output is an input, and no two outputs are one file.
#pragma once

#include "cli/options.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::cli {

/// Every emission with its path; complains and is absent when their kinds do not go together.
[[nodiscard]] std::optional<std::vector<Emission>> outputs(const Options& options);
/// Whether what the verb would write, with -o, --emit, -MF, --save or --explain-svg, destroys neither what it
/// reads nor another output. False after a complaint; asked before anything is done.
[[nodiscard]] bool outputs_apart(const Options& options);
/// Whether the suffix of -o is one of `known`, or --format says the form: a suffix that names another kind of
/// file is not overruled in silence. False after a complaint.
[[nodiscard]] bool suffix_fits(const Options& options, std::initializer_list<std::string_view> known);
/// "dir/x.tmx" to "x.cubin", in the current folder.
[[nodiscard]] std::string default_output(const std::string& input, Kind kind);

} // namespace tmemc::cli
