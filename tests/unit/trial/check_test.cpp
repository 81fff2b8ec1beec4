// Mistakes in `test` blocks, found without running them: all of a block are told, one each, and nothing that
// only follows from another mistake.
#include "trial/check.hpp"

#include "bench.hpp"
#include "sema/check.hpp"

using namespace tmemc;

namespace {

const std::string kernels = "const W = 8;\n"
                            "kernel half(in A: f16[128, W], out B: f16[128, W]) { frag X: f16[128, W]; copy "
                            "X <- A; copy B <- X; }\n"
                            "kernel scaled(in A: f32[128, W], out C: f32[128, W], s: f32) { frag X: f32[128, "
                            "W]; copy X <- A; X = X * s; copy C <- X; }\n";

/// The code and the text at its place of everything that check() says of a program.
std::string found(const std::string& text) {
    const base::Source source("t.tmx", text);
    const grammar::ParseResult parsed = grammar::parse(source);
    base::Diagnostics before = parsed.diagnostics;
    sema::Options options;
    options.lost_names = parsed.lost_names;
    const sema::CheckResult checked = sema::check(parsed.module, options);
    before.append(checked.diagnostics);
    std::string said;
    for (const base::Diagnostic& each :
         trial::check(checked.program, parsed.module, before, parsed.lost_names).list)
        said += (said.empty() ? "" : ", ") + std::string(each.kind->code) + " " +
                std::string(source.text(each.span));
    return said;
}
std::string found_in(const std::string& block) { return found(kernels + "test \"t\" { " + block + " }"); }

} // namespace

TEST_CASE("no mistake hides another") {
    CHECK(found_in("A = iota; run half; expect B == A;").empty());
    CHECK(
        found_in("Q = ones; A = iotta; R = nix; run half; expect B ~= A; expect B[r] == E; expect F == G;") ==
        "TM0272 Q, TM0272 iotta, TM0272 nix, TM0272 R, TM0277 expect B ~= A;, TM0271 B, TM0272 E, "
        "TM0272 F, TM0272 G");
    CHECK(found_in("A = iota; run half; expect B[r, c] == A[E, 1 : 2] + sqr(F) + max(G);") ==
          "TM0272 E, TM0274 A[E, 1 : 2], TM0272 sqr, TM0272 F, TM0270 max(G), TM0272 G");
    CHECK(found_in("A = iota; expect B ~= 1; run half; expect fault TM0703; expect B == E(1);") ==
          "TM0268 expect B ~= 1;, TM0277 expect B ~= 1;, TM0269 expect B == E(1);, TM0272 E");
}

TEST_CASE("nothing that follows is told") {
    CHECK(found_in("Q = ones; A = iota; run half; expect B == Q; expect B == Q + 1;") == "TM0272 Q");
    CHECK(found_in("A = iota; run half; expect B == rows(row_max(E + 1)) % 2 + cast<f16>(F[A]);") ==
          "TM0272 E, TM0274 A, TM0272 F");
    CHECK(found_in("A = nix; run half; run scaled; expect B == A;") == "TM0272 nix, TM0265 run scaled;");
    CHECK(found_in("A = cells; run half; expect B == A;") == "TM0264 A = cells;");
}

TEST_CASE("an unknown kernel is read as the one that is meant, or as any") {
    CHECK(found_in("A = iota; Q = ones; run hafl; expect B == E;") == "TM0272 Q, TM0272 hafl, TM0272 E");
    CHECK(found_in("A = iota; Q = ones; run other; expect B ~= E;") == "TM0272 other, TM0277 expect B ~= E;");
}

TEST_CASE("what another mistake took away is no second mistake") {
    const std::string use = "test \"t\" { A = iota; run k; expect B == A * N; expect B == E; }";
    const std::string body = " { frag X: f16[128, 8]; copy X <- A; copy B <- X; }";
    CHECK(found("const N = 1 / 0; kernel k(in A: f16[128, 8], out B: f16[128, 8])" + body + use) ==
          "TM0272 E");
    CHECK(found("const N = 1; kernel k(in A: f16[128, Z], out B: f16[128, 8])" + body + use) == "TM0272 E");
    CHECK(found("const N = 1; kernel k(in A f16[128, 8], out B: f16[128, 8])" + body + use) == "TM0272 E");
    CHECK(found("const N = 1; kernel k(in A: f16[128, 8], out B: f16[128, 8])" + body +
                "test \"t\" { A iota; run k; Q = nix; expect B ~= A; }") ==
          "TM0272 nix, TM0277 expect B ~= A;");
}

TEST_CASE("a block that expects errors needs no inputs, but known names") {
    CHECK(found_in("run half; expect error TM0301;").empty());
    CHECK(found_in("Q = ones; run half; expect error TM0301;") == "TM0272 Q");
    CHECK(found_in("run hafl; expect error TM9301;") == "TM0272 TM9301, TM0272 hafl");
}
