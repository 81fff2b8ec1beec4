// Exact text for each shape of diagnostic. The expected output is written by hand, as a user should see it.
#include "base/render.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tmemc::base;

namespace {

constexpr TypedKind<std::string_view> refused{{"TM9901", "refused", Severity::error, "", "{}"}};
constexpr TypedKind<std::string_view> wasteful{{"TM9902", "wasteful", Severity::warning, "waste", "{}"}};

/// Where `word` stands in the source, its `nth` occurrence from 0.
Span find(const Source& source, std::string_view word, int nth = 0) {
    std::size_t at = source.text().find(word);
    while (nth-- > 0) at = source.text().find(word, at + 1);
    REQUIRE(at != std::string_view::npos);
    return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + word.size())};
}

Diagnostic error(Span span, std::string_view message) {
    Diagnostics out;
    return out.report(refused, span, message);
}

const Source program("epilogue.tmx", "kernel k() {\n"
                                     "  tmem T: f32[64, 64] datapath F;\n"
                                     "  frag Y: f32[128, 64] atom 16x256b;\n"
                                     "  copy_async Y <- T;\n"
                                     "}\n");

} // namespace

TEST_CASE("the shape of the command-line reference") {
    Diagnostic said = error(find(program, "copy_async Y <- T;"), "no tcgen05 instruction moves `Y` from `T`");
    said.note("16x256b: row 16 sits in lane 32").note("32x32b: ...").help("declare `Y` with 64 rows");
    CHECK(render_text(said, program) ==
          R"(epilogue.tmx:4:3: error[TM9901]: no tcgen05 instruction moves `Y` from `T`
    4 |   copy_async Y <- T;
      |   ^^^^^^^^^^^^^^^^^^
  note: 16x256b: row 16 sits in lane 32
  note: 32x32b: ...
  help: declare `Y` with 64 rows
)");
}

TEST_CASE("labels show their own lines, and share the line of the place above") {
    Diagnostic said = error(find(program, "Y <- T"), "rows differ");
    said.label(find(program, "T", 1), "this has 64 rows").label(find(program, "Y"), "this has 128 rows");
    CHECK(render_text(said, program) == R"(epilogue.tmx:4:14: error[TM9901]: rows differ
    4 |   copy_async Y <- T;
      |              ^^^^^^
      |                   - this has 64 rows
    3 |   frag Y: f32[128, 64] atom 16x256b;
      |        - this has 128 rows
)");
}

TEST_CASE("a warning names the flag that silences it, and as an error the one that made it so") {
    Diagnostics out;
    Diagnostic& said = out.report(wasteful, find(program, "Y"), "`Y` is never used");
    CHECK(render_text(said, program) == R"(epilogue.tmx:3:8: warning[TM9902]: `Y` is never used [-Wwaste]
    3 |   frag Y: f32[128, 64] atom 16x256b;
      |        ^
)");
    said.severity = Severity::error;
    const std::string raised = render_text(said, program);
    CHECK(raised.substr(0, raised.find('\n')) ==
          "epilogue.tmx:3:8: error[TM9902]: `Y` is never used [-Werror=waste]");
}

TEST_CASE("a span over several lines is underlined to the end of its first line, blanks aside") {
    const Source source("a.tmx", "kernel k() {   \r\n  wait st;\r\n}\r\n");
    CHECK(render_text(error({7, 31}, "too long"), source) == R"(a.tmx:1:8: error[TM9901]: too long
    1 | kernel k() {
      |        ^^^^^
)");
}

TEST_CASE("an empty span gets one caret, at the end of the file too") {
    const Source source("a.tmx", "kernel");
    CHECK(render_text(error({2, 2}, "here"), source) == R"(a.tmx:1:3: error[TM9901]: here
    1 | kernel
      |   ^
)");
    CHECK(render_text(error({6, 6}, "expected a name, found the end"), source) ==
          R"(a.tmx:1:7: error[TM9901]: expected a name, found the end
    1 | kernel
      |       ^
)");
    const Source closed("a.tmx", "kernel\n");
    CHECK(render_text(error({7, 7}, "end"), closed) == "a.tmx:2:1: error[TM9901]: end\n    2 |\n      | ^\n");
}

TEST_CASE("a source without text, without a name, or a place that is none show no excerpt") {
    CHECK(render_text(error({0, 0}, "empty"), Source("a.tmx", "")) == "a.tmx:1:1: error[TM9901]: empty\n");
    CHECK(render_text(error({0, 0}, "no driver"), Source("", "")) == "tmemc: error[TM9901]: no driver\n");
    Diagnostic said = error(no_place, "no ptxas");
    said.label(no_place, "a label of no place");
    CHECK(render_text(said, program) ==
          "epilogue.tmx: error[TM9901]: no ptxas\n  note: a label of no place\n");
    CHECK(render_text(error({5000, 6000}, "far"), Source("a.tmx", "x")).find("a.tmx:1:2:") == 0);
}

TEST_CASE("carets stand under what they mean behind tabs, wide and combining characters") {
    const Source tabs("a.tmx", "\tcopy\tY;\n");
    CHECK(render_text(error(find(tabs, "Y"), "tab"), tabs) == "a.tmx:1:7: error[TM9901]: tab\n"
                                                              "    1 |     copy    Y;\n"
                                                              "      |             ^\n");
    // Three ideographs of two columns each, then e with a combining accent, one column for two code points.
    const Source wide("a.tmx", "/*\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2 e\xcc\x81*/ Y;\n");
    CHECK(render_text(error(find(wide, "Y"), "wide"), wide) ==
          "a.tmx:1:12: error[TM9901]: wide\n"
          "    1 | /*\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2 e\xcc\x81*/ Y;\n"
          "      |              ^\n");
    CHECK(render_text(error(find(wide, "\xe5\xad\x97"), "wide"), wide) ==
          "a.tmx:1:4: error[TM9901]: wide\n"
          "    1 | /*\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2 e\xcc\x81*/ Y;\n"
          "      |     ^^\n");
}

TEST_CASE("a long line is cut to a window around the caret") {
    const std::string a(200, 'a'), b(200, 'b');
    const Source source("long.tmx", a + "HERE" + b + "\n");
    const std::string text = render_text(error({200, 204}, "cut"), source);
    const std::string code = "    1 | ..." + std::string(40, 'a') + "HERE" + std::string(110, 'b') + "...\n";
    CHECK(text ==
          "long.tmx:1:201: error[TM9901]: cut\n" + code + "      | " + std::string(43, ' ') + "^^^^\n");

    // At either end only one side is cut; an underline does not leave the window.
    CHECK(render_text(error({0, 1}, "left"), source) ==
          "long.tmx:1:1: error[TM9901]: left\n    1 | " + std::string(154, 'a') + "...\n      | ^\n");
    CHECK(render_text(error({404, 404}, "right"), source) ==
          "long.tmx:1:405: error[TM9901]: right\n    1 | ..." + std::string(154, 'b') + "\n      | " +
              std::string(157, ' ') + "^\n");
    CHECK(render_text(error({0, 404}, "all"), source) == "long.tmx:1:1: error[TM9901]: all\n    1 | " +
                                                             std::string(154, 'a') + "...\n      | " +
                                                             std::string(154, '^') + "\n");
}

TEST_CASE("a line of 160 columns is not cut, one of 161 is") {
    const Source fits("a.tmx", std::string(160, 'x')), cut("a.tmx", std::string(161, 'x'));
    CHECK(render_text(error({0, 1}, "m"), fits).find("...") == std::string::npos);
    CHECK(render_text(error({0, 1}, "m"), cut).find("...") != std::string::npos);
}

TEST_CASE("line numbers are aligned, and long ones push the bar") {
    std::string lines;
    for (int i = 1; i < 123456; ++i) lines += "\n";
    const Source source("a.tmx", lines + "Y");
    CHECK(render_text(error({123455, 123456}, "deep"), source) == R"(a.tmx:123456:1: error[TM9901]: deep
123456 | Y
       | ^
)");
}

TEST_CASE("a note of several lines stays together, and nothing in a message reaches the terminal raw") {
    Diagnostic said = error(no_place, "bad \x1b[31m character");
    said.note("it printed: one\ntwo").help("line\r\nbreak");
    CHECK(render_text(said, program) == "epilogue.tmx: error[TM9901]: bad <U+001B>[31m character\n"
                                        "  note: it printed: one\n"
                                        "        two\n"
                                        "  help: line<U+000D>\n"
                                        "        break\n");
}

TEST_CASE("colours change nothing but escape sequences, and come only when asked for") {
    Diagnostic said = error(find(program, "Y"), "message");
    said.label(find(program, "T"), "label").note("note").help("help");
    const std::string plain = render_text(said, program);
    std::string colored = render_text(said, program, {true});
    CHECK(plain.find('\x1b') == std::string::npos);
    CHECK(colored.find("\x1b[1;31merror[TM9901]:\x1b[0m") != std::string::npos);
    CHECK(colored.find("\x1b[1;31m^\x1b[0m") != std::string::npos);
    CHECK(colored.find("\x1b[1;34m- label\x1b[0m") != std::string::npos);
    for (std::size_t at = colored.find('\x1b'); at != std::string::npos; at = colored.find('\x1b'))
        colored.erase(at, colored.find('m', at) + 1 - at);
    CHECK(colored == plain);
}
