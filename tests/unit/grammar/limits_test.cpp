// What is refused before the rules see it, and what they must survive: depth, size, length, bytes that are no
// text.
#include "helpers.hpp"

#include "grammar/limits.hpp"

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

std::string repeat(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}
std::string nested(const std::string& open, const std::string& close, int depth) {
    return repeat(open, depth) + "1" + repeat(close, depth);
}

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("brackets nest 200 deep and no deeper") {
    (void)module_of("const A = " + nested("(", ")", 200) + ";");
    CHECK(mistakes("const A = " + nested("(", ")", 201) + ";") ==
          Lines{"1:211 TM0108 more than 200 brackets and signs inside each other"});
    (void)module_of("kernel k() {" + repeat("for i in 0..2 {", 199) + repeat("}", 199) + "}");
    CHECK(mistakes("kernel k() {" + repeat("for i in 0..2 {", 200) + repeat("}", 200) + "}").size() == 1);
    (void)module_of("kernel k() { Y = " + nested("cast<f16>(select(1 < 2, 3, f(", ")))", 66) + "; }");
}

TEST_CASE("a sign is a level, a binary minus is none") {
    (void)module_of("const A = " + repeat("-", 200) + "1;");
    CHECK(mistakes("const A = " + repeat("-", 201) + "1;") ==
          Lines{"1:211 TM0108 more than 200 brackets and signs inside each other"});
    (void)module_of("const A = 1 " + repeat("-", 201) + "1;");
    CHECK(mistakes("const A = 1 " + repeat("-", 202) + "1;").size() == 1);
    (void)module_of("const A = " + nested("-(", ")", 100) + ";");
    CHECK(mistakes("const A = " + nested("-(", ")", 101) + ";").size() == 1);
    (void)module_of("const A = " + nested("(", ")", 200) + repeat(" - -(1)", 1000) + ";");
    CHECK(mistakes("const A = " + repeat("-", 1000000) + "1;").size() == 1);
}

TEST_CASE("unclosed brackets count until the statement ends") {
    CHECK(mistakes(in_kernel(repeat("Y = (1;\n", 300))).size() == 300);
    CHECK(mistakes("const A = " + repeat("(", 100000)).size() == 1);
    CHECK(parse_text(repeat("}", 100000)).diagnostics.list.size() == 1);
}

TEST_CASE("long chains and long blocks are read in one go") {
    const auto constant = item<ast::Const>("const A = 1" + repeat(" + 2*3", 100000) + ";");
    CHECK(constant.value.rest.size() == 100000);
    const auto kernel =
        item<ast::Kernel>("kernel k() {\n" + repeat("  copy_async X[:, 8 +: 8] <- T;\n", 20000) + "}");
    CHECK(kernel.body.statements.size() == 20000);
}

TEST_CASE("16 MB are read, a byte more is not") {
    std::string text = "const W = 8; //";
    text.resize(largest_source, 'x');
    CHECK(mistakes(text) == Lines{});
    CHECK(mistakes(text + "x") == Lines{"1:16777218 TM0109 the source has 16777217 bytes, more than 16 MB"});
}

TEST_CASE("bytes that are no UTF-8 are reported, once a line, also in comments") {
    CHECK(mistakes("const W = 8; // \xff\xfe\nconst V = \xe2\x82;\nconst U 3;\n") ==
          Lines{"1:17 TM0110 byte 0xff is not UTF-8 text", "2:11 TM0110 byte 0xe2 is not UTF-8 text",
                "3:9 TM0101 expected `=`, found `3`"});
    CHECK(mistakes(std::string("const W\0 = 8;", 13)) == Lines{"1:8 TM0110 byte 0x00 is not UTF-8 text"});
    CHECK(mistake("\xff\xfe"
                  "c")
              .helps == Lines{"the file looks like UTF-16; save it as UTF-8"});
    CHECK(parse_text(repeat("\xc0\n", 1000)).diagnostics.list.size() == 20);
    CHECK(mistakes("const W = 8; // größe 漢\n") == Lines{});
}

TEST_SUITE_END();
