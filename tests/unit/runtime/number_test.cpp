// Numbers as they are spelled in programs and on the command line.
#include "runtime/number.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace tmemc::runtime;

TEST_CASE("integers in every base keep their value and stay integers") {
    CHECK(parse_number("0") == Number(std::int64_t{0}));
    CHECK(parse_number("1_000") == Number(std::int64_t{1000}));
    CHECK(parse_number("0x1F") == Number(std::int64_t{31}));
    CHECK(parse_number("0b1_01") == Number(std::int64_t{5}));
    CHECK(parse_number("-42") == Number(std::int64_t{-42}));
    CHECK(parse_number("-0x10") == Number(std::int64_t{-16}));
    CHECK(parse_number("007") == Number(std::int64_t{7})); // decimal: the language has no octal
    CHECK(parse_number("9223372036854775807") == Number(std::numeric_limits<std::int64_t>::max()));
    CHECK(parse_number("-9223372036854775808") == Number(std::numeric_limits<std::int64_t>::min()));
}

TEST_CASE("a point or an exponent makes a double") {
    CHECK(parse_number("1.0") == Number(1.0));
    CHECK(parse_number(".5") == Number(0.5));
    CHECK(parse_number("1e-3") == Number(1e-3));
    CHECK(parse_number("-2.5E+2") == Number(-250.0));
    CHECK(parse_number("1_0.2_5") == Number(10.25));
    CHECK(parse_number("0x1e5") == Number(std::int64_t{0x1e5}));
}

TEST_CASE("what is no number, or too large a one, is nothing") {
    for (const char* const text : {"",
                                   "-",
                                   "--1",
                                   "+1",
                                   "1_",
                                   "_1",
                                   "1__0",
                                   "0x",
                                   "0xg",
                                   "0b2",
                                   "1.0.0",
                                   "1e",
                                   "e5",
                                   ".",
                                   "inf",
                                   "nan",
                                   "1 ",
                                   " 1",
                                   "1f",
                                   "9223372036854775808",
                                   "0x8000000000000000",
                                   "99999999999999999999",
                                   "1e999"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_number(text));
    }
}

TEST_CASE("a number prints as one reads it") {
    CHECK(to_string(Number(std::int64_t{-3})) == "-3");
    CHECK(to_string(Number(2.5)) == "2.5");
    CHECK(to_string(Number(1e-3)) == "0.001");
}
