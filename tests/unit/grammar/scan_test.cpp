// Characters to tokens. A scan is written as its tokens with a letter for the kind: w word, k keyword, i
// integer, f floating, a atom, s string, y symbol, ? unknown.
#include "helpers.hpp"

#include "grammar/scan.hpp"

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

std::string scanned(const std::string& text) {
    const base::Source source("test.tmx", text);
    base::Diagnostics diagnostics;
    std::string result;
    for (const Token& token : scan(source, diagnostics).tokens) {
        if (token.kind == Token::Kind::end) break;
        constexpr std::string_view letters = "wifasy?";
        if (!result.empty()) result += " ";
        result += token.keyword ? 'k' : letters[static_cast<std::size_t>(token.kind)];
        result += ":" + std::string(token.text);
    }
    return result;
}

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("the longest token wins") {
    CHECK(scanned("X<-1") == "w:X y:<- i:1");
    CHECK(scanned("X < -1.0") == "w:X y:< y:- f:1.0");
    CHECK(scanned("0..8") == "i:0 y:.. i:8");
    CHECK(scanned("a+:b") == "w:a y:+: w:b");
    CHECK(scanned("<=<==>=>!=~====") == "y:<= y:<= y:= y:>= y:> y:!= y:~= y:== y:=");
    CHECK(scanned("cta.x") == "w:cta y:. w:x");
    CHECK(scanned("()[]{},;:@+-* /%") == "y:( y:) y:[ y:] y:{ y:} y:, y:; y:: y:@ y:+ y:- y:* y:/ y:%");
}

TEST_CASE("numbers keep their spelling") {
    CHECK(scanned("0 7 007 1_000 0x1f 0xAB_cd 0b10_01") ==
          "i:0 i:7 i:007 i:1_000 i:0x1f i:0xAB_cd i:0b10_01");
    CHECK(scanned("1.0 .5 1. 1e-3 1E+3 2.5e10 .5e2") == "f:1.0 f:.5 f:1. f:1e-3 f:1E+3 f:2.5e10 f:.5e2");
    CHECK(scanned("1.0..2") == "f:1.0 y:.. i:2");
    CHECK(scanned("0...5") == "i:0 y:.. f:.5");
}

TEST_CASE("an atom is one token") {
    CHECK(scanned("32x32b 16x64b 16x128b 16x256b 16x32bx2") ==
          "a:32x32b a:16x64b a:16x128b a:16x256b a:16x32bx2");
    CHECK(scanned("0x32b") == "i:0x32b");
}

TEST_CASE("keywords and dtypes are no names, the words of a place are") {
    CHECK(scanned("kernel f16 bf16 warpgroups kernels") == "k:kernel k:f16 k:bf16 k:warpgroups w:kernels");
    CHECK(scanned("S R cta x y z min max cast select rtol atol fault error") ==
          "w:S w:R w:cta w:x w:y w:z w:min w:max w:cast w:select w:rtol w:atol w:fault w:error");
    CHECK(scanned("tid_in_wg wid_in_wg laneid m TLane TCol") ==
          "w:tid_in_wg w:wid_in_wg w:laneid w:m w:TLane w:TCol");
    CHECK(scanned("iota random row_max fma") == "w:iota w:random w:row_max w:fma");
    CHECK(scanned("_a1 A9") == "w:_a1 w:A9");
}

TEST_CASE("strings stand on one line and know two escapes") {
    CHECK(scanned(R"("a b" "")") == R"(s:"a b" s:"")");
    CHECK(scanned(R"("say \"x\" \\" y)") == R"(s:"say \"x\" \\" w:y)");
    CHECK(item<ast::Test>(R"(test "a \"b\" \\ /* c" { })").title.text == R"(a "b" \ /* c)");
}

TEST_CASE("comments, a byte-order mark and CRLF leave nothing behind") {
    CHECK(scanned("\xef\xbb\xbf"
                  "a // b\r\nc /* d\r\n e */ f") == "w:a w:c w:f");
    CHECK(scanned("a /**/ b /* * / */ c // ") == "w:a w:b w:c");
    CHECK(scanned("a */* twice */ 2") == "w:a y:* i:2");
    CHECK(scanned("") == "");
    CHECK(module_of("\xef\xbb\xbf"
                    "const W = 8;\r\n") == module_of("const W = 8;"));
}

TEST_CASE("what is no token is reported once, where it stands") {
    CHECK(mistakes("const W = 12ab;") == Lines{"1:11 TM0107 `12ab` is not a number"});
    CHECK(mistakes("const W = 1__0;") == Lines{"1:11 TM0107 `1__0` is not a number"});
    CHECK(mistakes("const W = 1_;") == Lines{"1:11 TM0107 `1_` is not a number"});
    CHECK(mistakes("const W = 0x;") == Lines{"1:11 TM0107 `0x` is not a number"});
    CHECK(mistakes("const W = 0b12;") == Lines{"1:11 TM0107 `0b12` is not a number"});
    CHECK(mistakes(in_kernel("  Y = 1.0f;")) == Lines{"2:7 TM0107 `1.0f` is not a number"});
    CHECK(mistakes(in_kernel("  Y = 1.2.3;")) == Lines{"2:7 TM0107 `1.2.3` is not a number"});
    CHECK(mistakes(in_kernel("  Y = X && Z;")) ==
          Lines{"2:9 TM0103 `&&` means nothing outside comments and strings"});
    CHECK(mistakes(in_kernel("  let größe = 3;")) ==
          Lines{"2:9 TM0103 `öß` means nothing outside comments and strings"});
    CHECK(mistakes("const W = 8; */") ==
          Lines{"1:14 TM0103 `*/` means nothing outside comments and strings"});
    CHECK(mistakes("const W = 8; /* end\n") == Lines{"1:14 TM0104 this comment is never closed"});
    CHECK(mistakes("kernel k() {\n  sync; /* end\n}\n") == Lines{"2:9 TM0104 this comment is never closed"});
    CHECK(mistakes("test \"a { }\n") ==
          Lines{"1:6 TM0105 string without its closing quote on the same line"});
    CHECK(mistakes("test \"a\\n\\\" b\" { }") == Lines{"1:8 TM0106 unknown escape `\\n` in a string"});
}

TEST_CASE("pasted characters and foreign spellings get a help of their own") {
    CHECK(mistake(in_kernel("Y = X \u2212 1;")).helps == Lines{"a minus sign of the language is `-`"});
    CHECK(mistake(in_kernel("# note")).helps == Lines{"a comment begins with `//`"});
    CHECK(mistake("const W = 0X1F;").helps == Lines{"the prefixes are `0x` and `0b`"});
    CHECK(mistake(in_kernel("frag X: f32[128, 8] atom 32x64b;")).helps ==
          Lines{"the atoms are 32x32b, 16x64b, 16x128b, 16x256b and 16x32bx2"});
}

TEST_SUITE_END();
