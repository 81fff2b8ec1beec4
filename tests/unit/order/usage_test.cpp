// Read and never written, written and never read.
#include "ordered_program.hpp"

#include <fmt/core.h>

using namespace tmemc;

namespace {

std::string kernel(const std::string& body, int warpgroups = 1) {
    return fmt::format("kernel k(in A: f32[128, 8], out B: f32[128, 8]) warpgroups({}) {{\n{}\n}}\n",
                       warpgroups, body);
}

std::string all(const std::string& body, int warpgroups = 1) {
    std::string text;
    for (const auto& each : order::order(tests::program_of(kernel(body, warpgroups))).diagnostics.list)
        text += fmt::format("{}: {}\n", each.kind->code, each.message);
    return text;
}

const std::string objects = "tmem T: f32[128, 8]; frag X: f32[128, 8]; frag Y: f32[128, 8];\n";

} // namespace

TEST_CASE("a read of what nothing has written") {
    CHECK(all("frag X: f32[128, 8]; copy B <- X;") ==
          "TM0510: this reads `X`, and nothing has written its row 0, column 0\n");
    CHECK(all("frag X: f32[128, 8]; X[:, 0:4] = 0.0; copy B <- X;") ==
          "TM0510: this reads `X`, and nothing has written its row 0, column 4\n");
    CHECK(all("frag X: f32[128, 8]; X[0:64, :] = 0.0; copy B <- X; copy B <- X;") ==
          "TM0510: this reads `X`, and nothing has written its row 64, column 0\n");
    CHECK(all("frag X: f32[128, 8]; X[0:64, :] = 0.0; X[64:128, :] = 1.0; copy B <- X;") == "");
    CHECK(all(objects + "copy_async Y <- T; wait ld; copy B <- Y; X = 0.0;") ==
          "TM0511: this load reads columns 0..7 of `T`, lanes 0..127, and nothing has stored to them\n");
    CHECK(all(objects + "copy X <- A; copy_async T[:, 0:4] <- X[:, 0:4]; wait st; copy_async Y <- T; wait "
                        "ld; copy B <- Y;") ==
          "TM0511: this load reads columns 4..7 of `T`, lanes 0..127, and nothing has stored to them\n");
}

TEST_CASE("a function is given the cells of its parameter, and not those between") {
    const auto found =
        order::order(
            tests::program_of("function f(tmem a: f32[64, 8] datapath F, out frag X: f32[128, 8]) { tmem U: "
                              "f32[128, 8] at a; copy_async X <- U; wait ld; }"))
            .diagnostics.list;
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind->code == std::string("TM0511"));
}

TEST_CASE("every warpgroup has fragments of its own, and all have the same tensor memory") {
    CHECK(all("frag X: f32[128, 8]; on warpgroup 0 { copy X <- A; } on warpgroup 1 { copy B <- X; }", 2) ==
          "TM0510: this reads `X`, and nothing has written its row 0, column 0\n");
    CHECK(all("frag X: f32[128, 8]; on warpgroup 0 { copy X <- A; } on warpgroup 0 { copy B <- X; }", 2) ==
          "");
    CHECK(all(objects + "copy X <- A; on warpgroup 0 { copy_async T <- X; wait st; } sync; on warpgroup 1 { "
                        "copy_async Y <- T; wait ld; copy B <- Y; }",
              2) == "");
}

TEST_CASE("a wait with nothing outstanding") {
    CHECK(all("frag X: f32[128, 8]; copy X <- A; wait ld; copy B <- X;") ==
          "TM0520: no load is outstanding here\n");
    CHECK(all("frag X: f32[128, 8]; copy X <- A; wait ld, st; copy B <- X;") ==
          "TM0520: no load or store is outstanding here\n");
    CHECK(all(objects +
              "copy X <- A; copy_async T <- X; wait ld, st; copy_async Y <- T; wait ld; copy B <- Y;") ==
          "TM0520: no load is outstanding here\n");
    CHECK(all(objects + "copy X <- A; for i in 0..2 { wait st; copy_async T <- X; } wait st; copy_async Y <- "
                        "T; wait ld; copy B <- Y;") == "");
    CHECK(all(objects + "copy X <- A; on warpgroup 0 { copy_async T <- X; } wait st; sync; copy_async Y <- "
                        "T; wait ld; copy B <- Y;",
              2) == "");
    CHECK(all(objects + "copy X <- A; on warpgroup 0 { copy_async T <- X; wait st; } on warpgroup 1 { wait "
                        "st; } sync; copy_async Y <- T; wait ld; copy B <- Y;",
              2) == "TM0520: no store is outstanding here\n");
}

TEST_CASE("a copy whose result nobody reads") {
    CHECK(all("frag X: f32[128, 8]; copy X <- A;") == "TM0521: nothing reads what this writes to `X`\n");
    CHECK(all("frag X: f32[128, 8]; copy X <- A; copy X <- A; copy B <- X;") ==
          "TM0521: nothing reads what this writes to `X`\n");
    CHECK(all("frag X: f32[128, 8]; copy X <- A; X = 0.0; copy B <- X;") ==
          "TM0521: nothing reads what this writes to `X`\n");
    CHECK(all("frag X: f32[128, 8]; copy X <- A; X[:, 1:8] = 0.0; copy B <- X;") == "");
    CHECK(all(objects + "copy X <- A; copy_async T <- X; wait st; Y = 0.0; copy B <- Y;") ==
          "TM0521: nothing reads what this writes to `T`\n");
    CHECK(all("for i in 0..3 { frag X: f32[128, 8]; copy X <- A; for j in 2..i+1 { copy B <- X; } }")
              .find("TM0521") == std::string::npos);
}

TEST_CASE("an object that nothing uses") {
    CHECK(all("frag X: f32[128, 8];") == "TM0522: `X` is never used\n");
    CHECK(all("tmem T: f32[128, 8];") == "TM0522: `T` is never used\n");
    CHECK(all("tmem T: f32[128, 8]; tmem U: f32[128, 8] at T; frag X: f32[128, 8]; copy X <- A; copy_async U "
              "<- X; wait st; copy_async X <- U; wait ld; copy B <- X;") == "");
}
