// Diagnostics as people and editors read them. Text is GNU style on its first line, so editors jump, then the
// source with carets under the span, labels under other places, notes and helps:
//
// epilogue.tmx:9:3: error[TM0301]: no tcgen05 instruction moves `Y` from `T`
//     9 |   copy_async Y <- T;
//       |   ^^^^^^^^^^^^^^^^^^
//     6 |   frag Y: f32[128, 64] atom 16x256b;
//       |        - declared here
//   note: 16x256b: row 16 sits in lane 32, which only warp 1 reaches
//   help: declare `Y` with 64 rows
//
// A warning names its flag after the message: "warning[TM0510]: ... [-Wunused]".
// JSON is one object a line in the shape of LSP's Diagnostic (lines and UTF-16 characters from 0).
// Not here: how one line of the source is cut and underlined (excerpt.hpp).
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tmemc::base {

struct TextOptions {
    bool color = false;
};
/// Ends with a line break.
[[nodiscard]] std::string render_text(const Diagnostic& diagnostic, const Source& source,
                                      const TextOptions& = {});
/// One line, without its line break: {"file", "range", "severity", "code", "source", "message",
/// "relatedInformation": the labels, "data": {"name": the row's, "notes", "helps", "flag": of a warning}}
[[nodiscard]] std::string render_json(const Diagnostic& diagnostic, const Source& source);
/// The same shape, without a code, for what is said of no source: by the command line, or of a run.
[[nodiscard]] std::string render_json(Severity severity, const std::string& sentence,
                                      const std::vector<std::string>& notes);

/// -Wall, -Wno-NAME, -Werror[=NAME], -w and -ferror-limit, applied to the diagnostics of a whole run. What is
/// silenced stays silent under -Werror.
struct WarningOptions {
    bool all_as_errors = false;
    std::vector<std::string> as_errors; // flags
    std::vector<std::string> silenced;  // flags
    bool silence_all = false;
    std::size_t error_limit = 0; // errors kept; the last one says how many are not shown. 0: all
};
[[nodiscard]] Diagnostics filter(const Diagnostics& diagnostics, const WarningOptions& options);

} // namespace tmemc::base
