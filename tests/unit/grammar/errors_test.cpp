// Mistakes: every independent one is reported at its place, none that follows from another, with a way out.
#include "helpers.hpp"

#include <fmt/format.h>

using namespace tmemc;
using namespace tmemc::grammar;

TEST_SUITE_BEGIN("grammar");

TEST_CASE("eight mistakes on eight lines are eight messages on those lines") {
    CHECK(mistakes("const W 8;\n"
                   "kernel k(in A f16[128, W], out B: f16[128, W]) {\n"
                   "  tmem T: f16[128, W] datapth D;\n"
                   "  frag X: f16[128, W];\n"
                   "  copy X = A;\n"
                   "  copy_async T <- X\n"
                   "  wait foo;\n"
                   "  for in in 0..8 {\n"
                   "    copyasync X <- T;\n"
                   "  }\n"
                   "  copy B <- X;\n"
                   "}\n") ==
          Lines{"1:9 TM0101 expected `=`, found `8`", "2:15 TM0101 expected `:`, found `f16`",
                "3:23 TM0101 expected `;`, found `datapth`", "5:10 TM0101 expected `<-`, found `=`",
                "6:20 TM0101 expected `;`, found `wait`", "7:8 TM0101 expected `ld` or `st`, found `foo`",
                "8:7 TM0102 expected a name, found `in`, which is a keyword and cannot be a name",
                "9:5 TM0101 expected a statement, found `copyasync`"});
}

TEST_CASE("mistakes in tests, between items and of characters are independent too") {
    CHECK(mistakes("test \"a\" {\n"
                   "  A = random(seed 1);\n"
                   "  B = npy(\"b.npy);\n"
                   "  run k\n"
                   "  expect B = A;\n"
                   "}\n"
                   "stray { text }\n"
                   "kernel k(in A: f16[8], out B f16[8], out C: f16[) {\n"
                   "  Y = X # 3;\n"
                   "  if (x) { copy A B; }\n"
                   "  on wrap 0 { copy A <- ; }\n"
                   "  Y = (X + 1;\n"
                   "}\n"
                   "target sm_100a sm_103a;\n") ==
          Lines{"2:19 TM0101 expected `:`, found `1`",
                "3:11 TM0105 string without its closing quote on the same line",
                "4:8 TM0101 expected `;`, found `expect`", "5:12 TM0101 expected `==` or `~=`, found `=`",
                "7:1 TM0101 expected an item, found `stray`", "8:30 TM0101 expected `:`, found `f16`",
                "8:49 TM0101 expected an expression, found `)`",
                "9:9 TM0103 `#` means nothing outside comments and strings",
                "10:3 TM0101 expected a statement, found `if`", "10:19 TM0101 expected `<-`, found `B`",
                "11:6 TM0101 expected `warpgroup` or `warp`, found `wrap`",
                "11:25 TM0101 expected a region, found `;`", "12:13 TM0101 expected `)`, found `;`",
                "14:16 TM0101 expected `;`, found `sm_103a`"});
}

TEST_CASE("a forgotten semicolon is reported behind the last token and loses nothing") {
    CHECK(mistakes(in_kernel("  copy X <- A  // no end\n\n  wait ld\n  Y = \n  sync;")) ==
          Lines{"2:14 TM0101 expected `;`, found `wait`", "4:10 TM0101 expected `;`, found `Y`",
                "5:6 TM0101 expected a value, found `sync`"});
    CHECK(mistakes("const W = 8\nconst V = 9\nkernel k() { }") ==
          Lines{"1:12 TM0101 expected `;`, found `const`", "2:12 TM0101 expected `;`, found `kernel`"});
    CHECK(mistakes(in_kernel("  sync }")) ==
          Lines{"2:8 TM0101 expected `;`, found `}`", "3:1 TM0101 expected an item, found `}`"});
    CHECK(mistakes("kernel k() { f(T) Y = 1; }") == Lines{"1:19 TM0101 expected `;`, found `Y`"});
    // What follows is no statement: the line goes on, and nothing in it is reported again.
    CHECK(mistakes(in_kernel("  Y = X * 2\n      Z + 3;\n  sync 1;")) ==
          Lines{"2:12 TM0101 expected `;`, found `Z`", "4:8 TM0101 expected `;`, found `1`"});
    CHECK(mistake(in_kernel("  sync\n  sync;")).helps == Lines{"a statement ends with `;`"});
}

TEST_CASE("a forgotten bracket is closed where the statement ends, and the opener is shown") {
    const auto opener = [](const std::string& text) {
        const base::Source source("test.tmx", text);
        const base::Diagnostic found = mistake(text);
        REQUIRE(found.labels.size() == 1);
        const base::Position place = source.position(found.labels[0].span.begin);
        return fmt::format("{}:{} {}", place.line, place.column, found.labels[0].text);
    };
    CHECK(opener(in_kernel("  frag X: f32[128, 8;\n  sync;")) == "2:14 this `[` is not closed");
    CHECK(opener(in_kernel("  Y = fma(X, (Z + 1), 3;")) == "2:10 this `(` is not closed");
    CHECK(opener(in_kernel("  foo(3,\n  copy A <- B;")) == "2:6 this `(` is not closed");
    CHECK(opener("kernel k(in A: f16[8) { }") == "1:19 this `[` is not closed");
    CHECK(opener("kernel k() {\n  sync;\n") == "1:12 this `{` is not closed");
    CHECK(mistake(in_kernel("  Y = f(X 3);")).labels.empty());
}

TEST_CASE("a forgotten brace is looked for by its indent") {
    const std::string open =
        "kernel k() {\n  for i in 0..8 {\n    sync;\n\n  wait ld;\n}\nkernel l() { sync }\n";
    CHECK(mistakes(open) ==
          Lines{"6:2 TM0101 expected `}`, found `kernel`", "7:19 TM0101 expected `;`, found `}`"});
    const base::Source source("test.tmx", open);
    CHECK(source.position(parse(source).diagnostics.list.at(0).labels.at(0).span.begin) ==
          base::Position{2, 17});

    CHECK(mistakes("kernel k() {\n  for i in 0..8\n    sync;\n  }\n  wait ld st;\n}\n") ==
          Lines{"2:16 TM0101 expected `{`, found `sync`", "5:11 TM0101 expected `;`, found `st`"});
    CHECK(mistakes("kernel k() {\n  for i in 0..8\n    sync;\n  wait ld st;\n}\n") ==
          Lines{"2:16 TM0101 expected `{`, found `sync`", "4:11 TM0101 expected `;`, found `st`"});
    CHECK(mistakes("kernel k()\n  sync;\n}\nconst W 8;\n") ==
          Lines{"1:11 TM0101 expected `{`, found `sync`", "4:9 TM0101 expected `=`, found `8`"});
}

TEST_CASE("several blocks that end together are one mistake") {
    CHECK(mistakes("kernel k() { for i in 0..2 { on warp 0 {\n  sync;\n") ==
          Lines{"2:8 TM0101 expected `}`, found end of file"});
    // What is open when the next item begins stays open: a stray bracket of that item closes none of it.
    const auto found = parse_text("kernel k() {\n  sync;\n\nkernel l() { } }\n").diagnostics.list;
    REQUIRE(found.size() == 2);
    CHECK(found[0].labels.size() == 1);
    CHECK(found[1].message == "expected an item, found `}`");
}

TEST_CASE("a mistake in a head leaves the body to be read") {
    CHECK(mistakes("kernel k(in A: f64[8]) grd(2) {\n  sync 1;\n}\n") ==
          Lines{"1:16 TM0101 expected an element type, found `f64`", "1:24 TM0101 expected `{`, found `grd`",
                "2:8 TM0101 expected `;`, found `1`"});
    CHECK(mistakes(in_kernel("for i of 0..8 {\nsync 1;\n} sync 2;")) ==
          Lines{"2:7 TM0101 expected `in`, found `of`", "3:6 TM0101 expected `;`, found `1`",
                "4:8 TM0101 expected `;`, found `2`"});
    CHECK(mistakes("test title {\n  run;\n}\n") ==
          Lines{"1:6 TM0101 expected a string, found `title`", "2:6 TM0101 expected a name, found `;`"});
}

TEST_CASE("a keyword as a name is told so") {
    const auto used = [](const std::string& place, const std::string& what, const std::string& word) {
        return Lines{fmt::format("{} TM0102 expected {}, found `{}`, which is a keyword and cannot be a name",
                                 place, what, word)};
    };
    CHECK(mistakes("const step = 8;") == used("1:7", "a name", "step"));
    CHECK(mistakes("kernel wait() { }") == used("1:8", "a name", "wait"));
    CHECK(mistakes("kernel k(in out: f16[8]) { }") == used("1:13", "a name", "out"));
    CHECK(mistakes("kernel k(step: f32) { }") == used("1:10", "a parameter", "step"));
    CHECK(mistakes(in_kernel("frag kernel: f32[8];")) == used("2:6", "a name", "kernel"));
    CHECK(mistakes(in_kernel("let f32 = 3;")) == used("2:5", "a name", "f32"));
    CHECK(mistakes(in_kernel("copy in <- A;")) == used("2:6", "a region", "in"));
    CHECK(mistakes(in_kernel("let a = at + 3;")) == used("2:9", "an expression", "at"));
    CHECK(mistakes(in_kernel("Y = X * st;")) == used("2:9", "a value", "st"));
    CHECK(mistakes(in_kernel("step = 3;")) == used("2:1", "a statement", "step"));
    CHECK(mistakes(in_test("out = iota;")) == used("2:1", "a test statement", "out"));
    CHECK(mistake("const step = 8;").helps == Lines{"choose another name, `step_` for example"});
}

TEST_CASE("typical slips come with a way out") {
    const auto help = [](const std::string& statement) {
        const base::Diagnostic found = mistake(in_kernel(statement));
        return found.helps.empty() ? std::string() : found.helps[0];
    };
    CHECK(help("copy X = A;") == "`copy` and `copy_async` move with `<-`: TARGET <- SOURCE");
    CHECK(help("copy A -> X;") == "the target comes first: TARGET <- SOURCE");
    CHECK(help("X <- A;") == "a copy begins with `copy` or `copy_async`");
    CHECK(help("X[0:8] <- A;") == "a copy begins with `copy` or `copy_async`");
    CHECK(help("Y = select(a <-1, b, c);") ==
          "`<-` is one token; write `< -` to compare with a negative value");
    CHECK(help("copyasync X <- T;") == "did you mean `copy_async`?");
    CHECK(help("X: f32[8];") == "a declaration begins with `tmem`, `frag` or `smem`");
    CHECK(help("Y += 2;") == "write Y = Y + ...;");
    CHECK(help("tmem T: f32[8] datapth D;") == "did you mean `datapath`?");
    CHECK(help("frag X: f23[8];") == "did you mean `f32`?");
    CHECK(help("frag X: double[8];") ==
          "the element types are f32 f16 bf16 tf32 f8e4m3 f8e5m2 u8 s8 u16 s16 u32 s32 b8 b16 b32");
    CHECK(help("for i in 0:8 { }") == "a loop counts over `0..8`; `0:8` is a slice");
    CHECK(help("for i in 0.8 { }") == "integers stand here; a loop counts over `0..8`");
    CHECK(help("  const x = 3;") == "constants stand outside kernels; inside, `let` names a value");
    CHECK(help("wait all;") == "`wait ld` waits for loads from tensor memory, `wait st` for stores");
    CHECK(mistake("kernel k(A: f16[8]) { }").helps ==
          Lines{"a tensor parameter begins with `in`, `out` or `inout`"});
}

TEST_CASE("after a thousand messages nobody reads on") {
    std::string text = "kernel k() {\n";
    for (int i = 0; i < 1500; ++i) text += "  sync 1;\n";
    CHECK(parse_text(text + "}\n").diagnostics.list.size() == 1000);
    CHECK(parse_text(std::string(5000, '#') + "\n").diagnostics.list.size() == 1);
}

TEST_CASE("with mistakes the tree is that of the rest") {
    CHECK(parse_text("const W = 8; const V 9;").module.items.size() == 1);
    CHECK(parse_text("const V 9;").module.items.empty());
    CHECK(parse_text("const W = 8; const V = 9;").module.items.size() == 2);
}

TEST_SUITE_END();
