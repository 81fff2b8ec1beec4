// Well-formed and malformed sequences; the table of RFC 3629, section 4, at its borders.
#include "base/utf8.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace tmemc::base;

namespace {
constexpr CodePoint malformed{0xfffd, 1, false};
}

TEST_CASE("each length of sequence is read at its first and last code point") {
    CHECK(first_code_point(std::string_view("\0", 1)) == CodePoint{0, 1, true});
    CHECK(first_code_point("\x7f") == CodePoint{0x7f, 1, true});
    CHECK(first_code_point("\xc2\x80") == CodePoint{0x80, 2, true});
    CHECK(first_code_point("\xdf\xbf") == CodePoint{0x7ff, 2, true});
    CHECK(first_code_point("\xe0\xa0\x80") == CodePoint{0x800, 3, true});
    CHECK(first_code_point("\xef\xbf\xbf") == CodePoint{0xffff, 3, true});
    CHECK(first_code_point("\xf0\x90\x80\x80") == CodePoint{0x10000, 4, true});
    CHECK(first_code_point("\xf4\x8f\xbf\xbf") == CodePoint{0x10ffff, 4, true});
}

TEST_CASE("what follows the first code point does not matter") {
    CHECK(first_code_point("ab") == CodePoint{'a', 1, true});
    CHECK(first_code_point("\xc3\xa9\xff") == CodePoint{0xe9, 2, true});
}

TEST_CASE("a byte that begins no well-formed sequence is one code point of its own") {
    for (const char* text : {"\x80", "\xbf", "\xff", "\xfe", "\xf8\x88\x80\x80\x80", "\xc0\x80", "\xc1\xbf",
                             "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",                          // overlong
                             "\xed\xa0\x80", "\xed\xbf\xbf",                              // surrogates
                             "\xf4\x90\x80\x80",                                          // beyond U+10FFFF
                             "\xc3", "\xe6\xbc", "\xf0\x9f\x98", "\xc3z", "\xe6\xbcz"}) { // cut short
        CAPTURE(text);
        CHECK(first_code_point(text) == malformed);
    }
}

TEST_CASE("no text has no code point") { CHECK(first_code_point("").bytes == 0); }
