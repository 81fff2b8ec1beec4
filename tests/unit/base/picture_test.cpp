// Pictures of refusals: which columns there are, and how they look as text and as SVG.
#include "base/picture.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace tmemc::base;

namespace {

Picture of(int wanted, int found, int count = 128) {
    return two_places("row 1, col 2", "thread", count, {"fragment wants it", wanted, "register 0"},
                      {"32x32b puts it", found, "register 3"});
}

} // namespace

TEST_CASE("places near each other stand among their neighbours") {
    const Picture picture = of(1, 0);
    CHECK(picture.heads == std::vector<std::string>{"thread 0", "thread 1", "thread 2", "thread 3"});
    CHECK(picture.wanted.cells == std::vector<std::string>{"", "register 0", "", ""});
    CHECK(picture.found.cells == std::vector<std::string>{"register 3", "", "", ""});
    CHECK(of(127, 126).heads.front() == "thread 124");
    CHECK(of(5, 5).heads.front() == "thread 5");
    CHECK(of(0, 1, 2).heads.size() == 2);
}

TEST_CASE("places far apart stand alone") {
    CHECK(of(90, 3).heads == std::vector<std::string>{"thread 3", "...", "thread 90"});
    CHECK(of(90, 3).wanted.cells == std::vector<std::string>{"", "", "register 0"});
}

TEST_CASE("long words leave the two columns that matter, within 80") {
    const Picture near = two_places("row 63, column 127", "register", 8,
                                    {"fragment X wants it here", 1, "63@tid_in_wg + 403@m"},
                                    {"16x256b.x8 puts it there", 2, "62@tid_in_wg + 1@m"});
    CHECK(near.heads == std::vector<std::string>{"register 1", "register 2"});
    const Picture far = two_places("row 63, column 127", "register", 128,
                                   {"fragment X wants it here", 100, "63@tid_in_wg + 403@m"},
                                   {"16x256b.x8 puts it there", 2, "62@tid_in_wg + 301@m"});
    CHECK(far.heads == std::vector<std::string>{"register 2", "register 100"});
    CHECK(far.found.cells == std::vector<std::string>{"62@tid_in_wg + 301@m", ""});
    for (const Picture* each : {&near, &far}) {
        const std::string text = picture_text(*each);
        for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
            CHECK(text.find('\n', begin) - begin <= 80);
    }
}

TEST_CASE("the text is a table without trailing blanks") {
    CHECK(picture_text(of(90, 3)) == "      row 1, col 2      | thread 3   | ... | thread 90\n"
                                     "      fragment wants it |            |     | register 0\n"
                                     "      32x32b puts it    | register 3 |     |\n");
}

TEST_CASE("a name of any length leaves the table narrow, and none becomes markup") {
    Picture picture = of(0, 1);
    picture.wanted.label = std::string(300, 'x');
    picture.found.label = "a < b & c";
    CHECK(picture_text(picture).find("xxx...") != std::string::npos);
    CHECK(picture_text(picture).size() < 3 * 81);
    CHECK(picture_svg(picture, "1 < 2").find("a &lt; b &amp; c") != std::string::npos);
    CHECK(picture_svg(picture, "1 < 2").find("<title>1 &lt; 2</title>") != std::string::npos);
}
