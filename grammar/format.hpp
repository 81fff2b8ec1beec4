// Text to canonical text, with every comment in its place. The printer (print.hpp) knows how a program
// without comments looks, so the formatter borrows that: it prints the tree, scans what was printed, and
// learns for each token of the source whether nothing, a blank or a new line stands before it. Into these
// gaps go the comments and blank lines that the scan of the source found.
//
//     const  W=8 ;// columns           const W = 8;  // columns
//     copy X<-A  // in                 copy X  // in
//     [ : ,0:8];                           <- A[:, 0:8];
//
// Blanks and line breaks change and nothing else: the tokens of the text stay as they are spelled, and so do
// the comments but for blanks at the ends of their lines. That is checked on each result, together with the
// trees being equal. Formatting what was formatted changes nothing.
//
// In four steps: format_gaps (what stands before a token), format_comments (statements with their comments),
// format_wrap (a statement to lines of 100 columns), format_lines (comments aligned, lines to text).
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"

#include <string>

namespace tmemc::grammar {

struct FormatResult {
    std::string text; // ends with a line break, or is empty when there is nothing; with errors empty
    base::Diagnostics diagnostics; // what parse() has to say
};

[[nodiscard]] FormatResult format(const base::Source& source);

} // namespace tmemc::grammar
