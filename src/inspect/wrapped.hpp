// Text in at most 100 columns: cut at blanks, or where a word is longer than a line; lines after the first
// are indented. "a long line" of width 6 and indent 2 is "a long", "  line".
#pragma once

#include <cstddef>
#include <string>

namespace tmemc::inspect {

inline constexpr std::size_t text_width = 100;

/// Ends with a line break.
[[nodiscard]] std::string wrapped(std::string text, std::size_t indent, std::size_t width = text_width);

} // namespace tmemc::inspect
