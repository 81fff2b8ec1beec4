// A line of source as a terminal shows it: which column each character stands in and how many it takes, so
// that carets meet what they point at. A tab reaches to the next multiple of four, a CJK ideograph or an
// emoji takes two columns, a combining accent none. What a terminal would obey instead of show (escapes,
// bidirectional overrides) is spelled out: "<U+001B>". Example: "\té漢x" is four blanks, é in column 4, 漢 in
// columns 5 and 6, x in column 7. Not here: choosing what to show and underlining it (render_text.cpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::base {

/// One character on the screen.
struct Glyph {
    std::string text;       // what is printed: the character, blanks for a tab, "<U+001B>"
    std::size_t offset = 0; // its first byte in the line
    std::size_t column = 0; // from 0
    std::size_t width = 1;  // columns; 0 when it joins the one before
    bool operator==(const Glyph&) const = default;
};

/// The glyphs of one line of text, in order.
[[nodiscard]] std::vector<Glyph> glyphs(std::string_view line);

/// `text` with what a terminal would obey spelled out; line breaks are spelled out too, tabs become blanks.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace tmemc::base
