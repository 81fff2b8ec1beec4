// Columns of the screen, counted by hand.
#include "base/display.hpp"

#include <doctest/doctest.h>

using namespace tmemc::base;

namespace {

std::size_t width(std::string_view line) {
    std::size_t columns = 0;
    for (const Glyph& each : glyphs(line)) columns += each.width;
    return columns;
}

} // namespace

TEST_CASE("a tab reaches to the next multiple of four") {
    CHECK(glyphs("\tx")[1].column == 4);
    CHECK(glyphs("a\tx")[2].column == 4);
    CHECK(glyphs("abc\tx")[4].column == 4);
    CHECK(glyphs("abcd\tx")[5].column == 8);
    CHECK(printable("a\tb") == "a   b");
}

TEST_CASE("the example of the header") {
    const std::vector<Glyph> line = glyphs("\t\xc3\xa9\xe6\xbc\xa2x");
    REQUIRE(line.size() == 4);
    CHECK(line[1] == Glyph{"\xc3\xa9", 1, 4, 1});
    CHECK(line[2] == Glyph{"\xe6\xbc\xa2", 3, 5, 2});
    CHECK(line[3] == Glyph{"x", 6, 7, 1});
}

TEST_CASE("wide characters take two columns, joined ones none") {
    CHECK(width("\xe3\x81\x82") == 2);             // hiragana a
    CHECK(width("\xed\x95\x9c") == 2);             // Hangul han
    CHECK(width("\xef\xbc\xa1") == 2);             // fullwidth A
    CHECK(width("\xf0\x9f\x98\x80") == 2);         // grinning face
    CHECK(width("e\xcc\x81") == 1);                // e and a combining acute accent
    CHECK(width("\xe2\x86\x92") == 1);             // rightwards arrow
    CHECK(width("\xe2\x80\x94") == 1);             // em dash
    CHECK(width("\xd0\x96\xd1\x8f") == 2);         // two Cyrillic letters
    CHECK(width("\xe2\x9c\x85\xef\xb8\x8f") == 2); // check mark with a variation selector
}

TEST_CASE("what a terminal would obey is spelled out") {
    CHECK(printable("\x1b[31m") == "<U+001B>[31m");
    CHECK(printable("a\nb") == "a<U+000A>b");
    CHECK(printable(std::string_view("\0", 1)) == "<U+0000>");
    CHECK(printable("\xe2\x80\xae") == "<U+202E>"); // right-to-left override
    CHECK(printable("\xc2\x9b") == "<U+009B>");     // one-byte CSI
    CHECK(width("\x1b") == 8);
}

TEST_CASE("a byte that is no UTF-8 is shown as the replacement character") {
    CHECK(printable("a\xffz") == "a\xef\xbf\xbdz");
    CHECK(width("\xff") == 1);
}

TEST_CASE("plain text is shown as it is") {
    CHECK(printable("copy_async Y <- T; // \xc3\xa9") == "copy_async Y <- T; // \xc3\xa9");
}
