// Diagnostics as people and editors read them. Text is GNU style on its first line, so editors jump, then the source
// with a caret under the span, labels under other places, notes and help:
//
//     epilogue.tmx:9:3: error[TM0301]: no tcgen05 instruction moves `Y` from `T`
//         9 |   copy_async Y <- T;
//           |   ^^^^^^^^^^^^^^^^^^
//       note: 16x256b: row 16 sits in lane 32, which only warp 1 reaches
//       help: declare `Y` with 64 rows
//
// JSON is one object a line in the shape of LSP's Diagnostic (lines and UTF-16 characters from 0).
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"

#include <string>

namespace tmemc::base {

struct TextOptions {
    bool color = false;
};
[[nodiscard]] std::string render_text(const Diagnostic& diagnostic, const Source& source, const TextOptions& = {});
[[nodiscard]] std::string render_json(const Diagnostic& diagnostic, const Source& source);

/// -Wall, -Wno-NAME, -Werror[=NAME], -w and -ferror-limit, applied to the diagnostics of a whole run.
struct WarningOptions {
    bool all_as_errors = false;
    std::vector<std::string> as_errors; // flags
    std::vector<std::string> silenced;  // flags
    bool silence_all = false;
};
[[nodiscard]] Diagnostics filter(const Diagnostics& diagnostics, const WarningOptions& options);

} // namespace tmemc::base
