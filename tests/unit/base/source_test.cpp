// Offsets to lines and columns. The expected numbers are counted by hand in the literals.
#include "base/source.hpp"

#include <doctest/doctest.h>

using namespace tmemc::base;

TEST_CASE("a place is a line and a column from 1") {
    const Source source("a.tmx", "a\nbc\n");
    CHECK(source.position(0) == Position{1, 1});
    CHECK(source.position(1) == Position{1, 2}); // the line break belongs to its line
    CHECK(source.position(2) == Position{2, 1});
    CHECK(source.position(3) == Position{2, 2});
    CHECK(source.position(5) == Position{3, 1}); // the end, behind the last line break
    CHECK(source.line_count() == 3);
    CHECK(source.text({3, 4}) == "c");
}

TEST_CASE("lines end with LF or CRLF and are given without it") {
    const Source source("a.tmx", "one\r\ntwo\nthree\r");
    CHECK(source.line(1) == "one");
    CHECK(source.line(2) == "two");
    CHECK(source.line(3) == "three\r"); // a lone CR breaks no line
    CHECK(source.line(0) == "");
    CHECK(source.line(4) == "");
    CHECK(source.line_begin(2) == 5);
    CHECK(source.line_begin(3) == 9);
    CHECK(source.line_begin(99) == 15);
    CHECK(source.position(5) == Position{2, 1});
}

TEST_CASE("a column counts code points, not bytes") {
    const Source source("a.tmx", "\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80x"); // é 漢 😀 x: 2 + 3 + 4 bytes
    CHECK(source.position(2).column == 2);
    CHECK(source.position(5).column == 3);
    CHECK(source.position(9).column == 4);
    CHECK(source.position(10).column == 5);
}

TEST_CASE("a byte that is no UTF-8 counts as one column") {
    const Source source("a.tmx", "a\xff\x80z");
    CHECK(source.position(3) == Position{1, 4});
}

TEST_CASE("a byte-order mark has no column and belongs to no line") {
    const Source source("a.tmx", "\xef\xbb\xbfkernel\n");
    CHECK(source.position(0) == Position{1, 1});
    CHECK(source.position(3) == Position{1, 1});
    CHECK(source.position(4) == Position{1, 2});
    CHECK(source.line(1) == "kernel");
    CHECK(source.line_begin(1) == 3);
    CHECK(source.text().size() == 10); // kept as it was read
}

TEST_CASE("an empty source has one empty line") {
    const Source source("a.tmx", "");
    CHECK(source.line_count() == 1);
    CHECK(source.line(1) == "");
    CHECK(source.position(0) == Position{1, 1});
    CHECK(source.text({0, 0}) == "");
}

TEST_CASE("offsets beyond the end are the end") {
    const Source source("a.tmx", "ab");
    CHECK(source.position(1000) == Position{1, 3});
    CHECK(source.text({1, 1000}) == "b");
    CHECK(source.text({1000, 2000}) == "");
    CHECK(source.text({2, 1}) == "");
    CHECK(source.position(no_place.begin) == Position{1, 3});
}

TEST_CASE("joined spans hold both, and no place adds nothing") {
    CHECK(join({2, 4}, {7, 9}) == Span{2, 9});
    CHECK(join({7, 9}, {2, 4}) == Span{2, 9});
    CHECK(join({2, 9}, {4, 5}) == Span{2, 9});
    CHECK(join(no_place, {2, 4}) == Span{2, 4});
    CHECK(join({2, 4}, no_place) == Span{2, 4});
}
