// What is a hazard and what only looks like one, case by case, with the words that must be said.
#include "ordered_program.hpp"

#include <fmt/core.h>

#include <algorithm>

using namespace tmemc;

namespace {

/// A body in a kernel with a written buffer T on D, its two sub-slabs L and H (64 rows, F), X and Y as
/// fragments of T, and U, V of a sub-slab; everything that is loaded is stored to B at the end.
std::string kernel(const std::string& body, int warpgroups = 1) {
    return fmt::format(R"(
kernel k(in A: f32[128, 64], out B: f32[128, 64]) warpgroups({}) {{
  tmem T: f32[128, 64];
  tmem L: f32[64, 64] datapath F at T;
  tmem H: f32[64, 64] datapath F sub_slab 1 at T;
  frag X: f32[128, 64];
  frag Y: f32[128, 64];
  frag Z: f32[128, 64];
  frag U: f32[64, 64] atom 16x64b;
  frag V: f32[64, 64] atom 16x64b;
  copy X <- A; Y = 0.0; Z = 0.0; U = 1.0; V = 1.0;
  on warpgroup 0 {{ copy_async T <- X; wait st; }}
  sync;
{}
}}
)",
                       warpgroups, body);
}

std::vector<std::string> errors(const std::string& body, int warpgroups = 1) {
    const auto result = order::order(tests::program_of(kernel(body, warpgroups)));
    std::vector<std::string> codes;
    for (const auto& each : result.diagnostics.list)
        if (each.severity == base::Severity::error) codes.emplace_back(each.kind->code);
    return codes;
}

struct Case {
    const char* why;
    const char* body;
    std::vector<std::string> codes;
};

} // namespace

TEST_CASE("one warpgroup") {
    const std::vector<Case> cases{
        {"a load behind a store", "copy_async T <- X; copy_async Y <- T; wait ld, st;", {"TM0501"}},
        {"a store behind a load", "copy_async Y <- T; copy_async T <- X; wait ld, st;", {"TM0502"}},
        {"a store behind a store", "copy_async T <- X; copy_async T <- Y; wait st;", {"TM0503"}},
        {"the wait of the other kind",
         "copy_async T <- X; wait ld; copy_async Y <- T; wait ld, st;",
         {"TM0501"}},
        {"under another name", "copy_async L <- U; copy_async Y <- T; wait ld, st;", {"TM0501"}},
        {"no wait at the end", "copy_async Y <- T;", {"TM0507"}},
        {"both kinds at the end",
         "copy_async T[:, 0:8] <- X[:, 0:8]; copy_async Y[:, 8:16] <- T[:, 8:16];",
         {"TM0507", "TM0507"}},
        {"a load into registers that a load fills",
         "copy_async Y <- T; copy_async Y <- T; wait ld;",
         {"TM0508"}},
        {"a fill of them", "copy_async Y <- T; Y = 0.0; wait ld;", {"TM0508"}},
        {"a copy to them", "copy_async Y <- T; copy Y <- A; wait ld;", {"TM0508"}},
        {"disjoint columns",
         "copy_async T[:, 0:32] <- X[:, 0:32]; copy_async Y[:, 32:64] <- T[:, 32:64]; wait ld, st;",
         {}},
        {"slots of a pipeline",
         R"(for i in 0..8 {
             copy_async T[:, 32*(i%2) +: 32] <- X[:, 0:32];
             copy_async Y[:, 0:32] <- T[:, 32*((i+1)%2) +: 32];
             wait ld, st; })",
         {}},
        {"one column in common",
         "copy_async T[:, 0:33] <- X[:, 0:33]; copy_async Y[:, 32:64] <- T[:, 32:64]; wait ld, st;",
         {"TM0501"}},
        {"the two sub-slabs", "copy_async L <- U; copy_async V <- H; wait ld, st;", {}},
        {"the same sub-slab", "copy_async L <- U; copy_async V <- L; wait ld, st;", {"TM0501"}},
        {"two loads", "copy_async Y <- T; copy_async Z <- T; wait ld;", {}},
        {"a fragment stored from may be overwritten", "copy_async T <- X; X = 0.0; wait st;", {}},
        {"the other registers of a fragment",
         "copy_async Y[:, 0:8] <- T[:, 0:8]; copy_async Y[:, 8:16] <- T[:, 8:16]; wait ld;",
         {}},
        {"no sync is needed", "copy_async T <- X; wait st; copy_async Y <- T; wait ld;", {}},
    };
    for (const Case& each : cases) {
        INFO(each.why);
        CHECK(errors(each.body) == each.codes);
    }
}

TEST_CASE("two warpgroups") {
    const std::vector<Case> cases{
        {"no wait, no sync",
         "on warpgroup 0 { copy_async T <- X; } on warpgroup 1 { copy_async Y <- T; wait ld; } wait st;",
         {"TM0504"}},
        {"no sync",
         "on warpgroup 0 { copy_async T <- X; wait st; } on warpgroup 1 { copy_async Y <- T; wait ld; }",
         {"TM0505"}},
        {"the sync first",
         "on warpgroup 0 { copy_async T <- X; } sync; wait st; on warpgroup 1 { copy_async Y <- T; wait ld; "
         "}",
         {"TM0506"}},
        {"the other one waits",
         "on warpgroup 0 { copy_async T <- X; } on warpgroup 1 { wait st; } sync; on warpgroup 1 { "
         "copy_async Y <- T; wait ld; } wait st;",
         {"TM0504"}},
        {"both in order",
         "on warpgroup 0 { copy_async T <- X; wait st; } sync; on warpgroup 1 { copy_async Y <- T; wait ld; "
         "}",
         {}},
        {"both in order, outside of on",
         "on warpgroup 0 { copy_async T <- X; } wait st; sync; copy_async Y <- T; wait ld;",
         {}},
        {"two store the same cells",
         "on warpgroup 0 { copy_async T <- X; wait st; } on warpgroup 1 { copy_async T <- X; wait st; }",
         {"TM0505"}},
        {"two store their own cells",
         "on warpgroup 0 { copy_async T[:, 0:8] <- X[:, 0:8]; wait st; } on warpgroup 1 { copy_async T[:, "
         "8:16] <- X[:, 8:16]; wait st; }",
         {}},
        {"everybody stores", "copy_async T <- X; wait st;", {"TM0512"}},
        {"everybody loads", "copy_async Y <- T; wait ld;", {}},
        {"a store behind the other's load",
         "on warpgroup 1 { copy_async Y <- T; wait ld; } on warpgroup 0 { copy_async T <- X; wait st; }",
         {"TM0505"}},
        {"one of them ends without a wait",
         "on warpgroup 1 { copy_async Y <- T; } on warpgroup 0 { wait ld; }",
         {"TM0507"}},
    };
    for (const Case& each : cases) {
        INFO(each.why);
        CHECK(errors(each.body, 2) == each.codes);
    }
}

TEST_CASE("a fragment read behind its load is a warning, and none with --auto-wait") {
    const sema::Program program = tests::program_of(kernel("copy_async Y <- T; copy B <- Y; wait ld;"));
    const auto warned = [&](bool automatic) {
        const auto codes = tests::codes(order::order(program, {automatic}).diagnostics);
        return std::count(codes.begin(), codes.end(), "TM0509");
    };
    CHECK(warned(false) == 1);
    CHECK(warned(true) == 0);
}

TEST_CASE("both places are shown, with the cells in terms of the buffer") {
    const auto result = order::order(tests::program_of(
        kernel("copy_async L[16:32, 8:24] <- U[16:32, 8:24]; copy_async Y <- T; wait ld, st;")));
    const auto& first = result.diagnostics.list.at(0);
    CHECK(first.kind->code == "TM0501");
    CHECK(first.message ==
          "this load reads columns 8..23 of `T`, lanes 32..47, whose store has not been waited for");
    REQUIRE(first.labels.size() == 1);
    CHECK(first.labels[0].text == "the store is here");
    CHECK(first.labels[0].span.begin < first.span.begin);
}

TEST_CASE("a mistake in a loop is told once") {
    const auto result = order::order(
        tests::program_of(kernel("for i in 0..5 { copy_async T[:, 8*i +: 8] <- X[:, 0:8]; copy_async Y[:, "
                                 "8*i +: 8] <- T[:, 8*i +: 8]; } wait ld, st;")));
    REQUIRE(tests::codes(result.diagnostics) == std::vector<std::string>{"TM0501"});
    CHECK(result.diagnostics.list[0].notes ==
          std::vector<std::string>{"with i = 0, and in 4 more iterations"});
}

TEST_CASE("ten thousand copies take time in their number") {
    // Nothing waits for the loads until the end: were each compared with all before it, this would not end.
    const auto result = order::order(tests::program_of(
        kernel("for i in 0..10000 { frag F: f32[128, 1]; copy_async F <- T[:, i%64 +: 1]; } wait ld;")));
    CHECK_FALSE(result.diagnostics.has_errors());
}
