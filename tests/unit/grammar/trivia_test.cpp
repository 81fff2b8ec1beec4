// Comments and blank lines beside the tree.
#include "helpers.hpp"

using namespace tmemc;
using namespace tmemc::grammar;

TEST_SUITE_BEGIN("grammar");

namespace {

// Kind, the text between its marks, and where its line begins.
std::string shown(const std::string& text) {
    const base::Source source("test.tmx", text);
    std::string result;
    for (const TriviaItem& each : parse(source).trivia) {
        using Kind = TriviaItem::Kind;
        const base::Position place = source.position(each.span.begin);
        result += std::to_string(place.line) + ":" + std::to_string(place.column);
        result += each.kind == Kind::blank_line     ? " blank"
                  : each.kind == Kind::line_comment ? " line "
                                                    : " block ";
        if (each.kind != Kind::blank_line) result += std::string(source.text(each.span));
        result += each.own_line ? " own\n" : "\n";
    }
    return result;
}

} // namespace

TEST_CASE("each comment and each blank line stands in the trivia with its place") {
    CHECK(shown("// a\n"
                "\n"
                "const W = 8; // b\n"
                "  \t\n"
                "  /* c */ const V = /* d */ 9;\n"
                "/* e\n"
                "\n"
                "*/ // f") == "1:1 line // a own\n"
                              "2:1 blank own\n"
                              "3:14 line // b\n"
                              "4:4 blank own\n"
                              "5:3 block /* c */ own\n"
                              "5:21 block /* d */\n"
                              "6:1 block /* e\n\n*/ own\n"
                              "8:4 line // f\n");
}

TEST_CASE("a CRLF belongs to no comment and is the whole of a blank line") {
    const base::Source source("test.tmx", "// a\r\n\r\nconst W = 8;\r\n");
    const Trivia trivia = parse(source).trivia;
    REQUIRE(trivia.size() == 2);
    CHECK(source.text(trivia[0].span) == "// a");
    CHECK(source.text(trivia[1].span) == "\r\n");
}

TEST_CASE("two slashes in a string are no comment") { CHECK(shown("test \"http://x\" { }") == ""); }

TEST_SUITE_END();
