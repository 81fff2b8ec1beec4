// Widths come from two short tables of Unicode blocks (UAX #11 "East Asian Width" and the general categories
// Mn, Me). They are coarse on purpose: a block counts as wide or combining as a whole.
#include "base/display.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <fmt/core.h>

namespace tmemc::base {

namespace {

constexpr std::size_t tab_stop = 4;

struct Block {
    char32_t first, last;
};
constexpr Block wide[] = {
    {0x1100, 0x115f},   // Hangul Jamo, leading consonants
    {0x231a, 0x231b},   // watch, hourglass
    {0x2329, 0x232a},   // angle brackets
    {0x2614, 0x2615},   // umbrella, hot beverage
    {0x26a1, 0x26a1},   // high voltage
    {0x2705, 0x2705},   // white heavy check mark
    {0x274c, 0x274c},   // cross mark
    {0x2e80, 0x303e},   // CJK radicals, CJK symbols and punctuation
    {0x3041, 0xa4cf},   // kana, bopomofo, CJK ideographs, Yi
    {0xa960, 0xa97c},   // Hangul Jamo, extended
    {0xac00, 0xd7a3},   // Hangul syllables
    {0xf900, 0xfaff},   // CJK compatibility ideographs
    {0xfe30, 0xfe6f},   // CJK compatibility forms
    {0xff01, 0xff60},   // fullwidth forms
    {0xffe0, 0xffe6},   // fullwidth signs
    {0x16fe0, 0x1b2fb}, // Tangut, Khitan, kana supplements
    {0x1f300, 0x1f64f}, // pictographs, emoticons
    {0x1f680, 0x1f6ff}, // transport and map symbols
    {0x1f900, 0x1f9ff}, // supplemental pictographs
    {0x1fa70, 0x1faff}, // pictographs, extended
    {0x20000, 0x3fffd}, // CJK ideographs, extensions
};
constexpr Block joined[] = {
    {0x0300, 0x036f},   // combining diacritical marks
    {0x0483, 0x0489},   // Cyrillic
    {0x0591, 0x05bd},   // Hebrew points
    {0x064b, 0x065f},   // Arabic marks
    {0x0e34, 0x0e3a},   // Thai vowels
    {0x0e47, 0x0e4e},   // Thai tones
    {0x1ab0, 0x1aff},   // combining diacritical marks, extended
    {0x1dc0, 0x1dff},   // combining diacritical marks, supplement
    {0x200b, 0x200d},   // zero width space and joiners
    {0x20d0, 0x20f0},   // combining marks for symbols
    {0x302a, 0x302d},   // ideographic tone marks
    {0x3099, 0x309a},   // kana voiced sound marks
    {0xfe00, 0xfe0f},   // variation selectors
    {0xfe20, 0xfe2f},   // combining half marks
    {0xe0100, 0xe01ef}, // variation selectors, supplement
};
constexpr Block obeyed[] = {
    {0x0000, 0x001f}, // C0 controls
    {0x007f, 0x009f}, // delete, C1 controls
    {0x061c, 0x061c}, // Arabic letter mark
    {0x200e, 0x200f}, // left-to-right and right-to-left marks
    {0x2028, 0x202e}, // line and paragraph separators, bidirectional embeddings and overrides
    {0x2066, 0x2069}, // bidirectional isolates
    {0xfeff, 0xfeff}, // byte-order mark
};

template <std::size_t Count>
bool is_in(const Block (&blocks)[Count], char32_t c) {
    return std::any_of(std::begin(blocks), std::end(blocks),
                       [c](const Block& each) { return each.first <= c && c <= each.last; });
}

std::size_t width_of(char32_t c) {
    if (is_in(joined, c)) return 0;
    return is_in(wide, c) ? 2 : 1;
}

} // namespace

std::vector<Glyph> glyphs(std::string_view line) {
    std::vector<Glyph> found;
    std::size_t column = 0;
    for (std::size_t offset = 0; offset < line.size();) {
        const CodePoint point = first_code_point(line.substr(offset));
        Glyph glyph{std::string(line.substr(offset, point.bytes)), offset, column, 1};
        if (!point.valid) {
            glyph.text = "\xef\xbf\xbd"; // U+FFFD, the replacement character
        } else if (point.value == '\t') {
            glyph.width = tab_stop - column % tab_stop;
            glyph.text.assign(glyph.width, ' ');
        } else if (is_in(obeyed, point.value)) {
            glyph.text = fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(point.value));
            glyph.width = glyph.text.size();
        } else {
            glyph.width = width_of(point.value);
        }
        offset += point.bytes;
        column += glyph.width;
        found.push_back(std::move(glyph));
    }
    return found;
}

std::string printable(std::string_view text) {
    std::string shown;
    for (const Glyph& glyph : glyphs(text)) shown += glyph.text;
    return shown;
}

} // namespace tmemc::base
