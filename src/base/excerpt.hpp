// A line of the source with an underline, the way every message shows a place:
//
//         9 |   copy_async Y <- T;
//           |              - declared here
//
// A span that goes on over the line is underlined to the end of its first line; an empty one gets one mark. A
// line too long for a screen is cut to a window around the mark, "..." standing for the rest.
#pragma once

#include "base/source.hpp"

#include <string>

namespace tmemc::base {

struct Excerpt {
    std::uint32_t line = 0; // its number
    std::string code;       // "    9 |   copy_async Y <- T;"
    std::string gutter;     // "      | ", what stands under the number
    std::string underline;  // "             -": blanks, then marks
    bool whole = true;      // false: cut to a window
};

/// The line in which `span` begins, underlined with `mark`.
[[nodiscard]] Excerpt excerpt(const Source& source, Span span, char mark);

} // namespace tmemc::base
