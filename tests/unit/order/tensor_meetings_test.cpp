// Two copies of one tensor, one of them a store: who must wait for whom.
#include "order/tensor_meetings.hpp"
#include "ordered_program.hpp"

#include <fmt/core.h>

using namespace tmemc;

namespace {

const std::string head =
    "kernel k(inout B: f32[128, 16], inout V: f32[16], inout C: f32[300, 16] pitch 20) grid(2) "
    "warpgroups({}) {{\n"
    "frag X: f32[128, 16]; frag Y: f32[128, 16] atom 16x256b; frag Z: f32[64, 16] atom 16x256b;\n"
    "frag W: f32[16] layout S[(16) : (1)] + R[(128) : (1@tid_in_wg)]; frag P: f32[128];\n"
    "X = 0.0; Y = 0.0; Z = 0.0; W = 0.0; P = 0.0;\n{}\n}}\n";

/// What order says of tensors, less what it says beside.
std::string said(const std::string& body, int warpgroups = 1) {
    std::string text;
    const sema::Program program = tests::program_of(fmt::format(fmt::runtime(head), warpgroups, body));
    for (const auto& each : order::order(program).diagnostics.list)
        if (each.kind->code == std::string("TM0514")) text += each.message + "\n";
    return text;
}

/// How the last copy meets those before it, of one warpgroup.
order::Meeting last(const std::string& body) {
    const sema::Program program = tests::program_of(fmt::format(fmt::runtime(head), 1, body));
    const sema::Kernel& kernel = program.kernels[0];
    order::TensorMeetings meetings(kernel);
    order::Meeting how{};
    for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
        if (!std::holds_alternative<sema::GlobalCopy>(kernel.statements[s].what)) continue;
        how = meetings.worst(s).how;
        meetings.remember(s);
    }
    return how;
}

using order::Meeting;

} // namespace

TEST_CASE("elements that other warps took need a sync") {
    CHECK(said("copy B <- X; copy Z <- B[32:96, :];") ==
          "warp 0 loads row 32, column 0 of `B`, which warp 1 stores, and no `sync` stands between\n");
    CHECK(said("copy B <- X; sync; copy Z <- B[32:96, :];") == "");
    CHECK(said("copy Z <- B[32:96, :]; copy B <- X;") ==
          "warp 1 stores row 32, column 0 of `B`, which warp 0 loads, and no `sync` stands between\n");
    CHECK(said("copy B <- X; copy B[32:96, :] <- Z;") ==
          "warp 0 stores row 32, column 0 of `B`, which warp 1 stores, and no `sync` stands between\n");
    CHECK(said("copy X <- B; copy Z <- B[32:96, :];") == "");                    // two loads
    CHECK(said("copy B[0:64, :] <- X[0:64, :]; copy Z <- B[64:128, :];") == ""); // apart
    CHECK(said("copy B <- X; copy Y <- B;") == "");                              // in one warp
    CHECK(said("copy B <- X; copy X <- B; X = X + 1.0; copy B <- X;") == "");    // in one thread
    CHECK(said("copy V <- W; copy W <- V;") ==
          "warp 1 loads element 0 of `V`, which warp 0 stores, and no `sync` stands between\n");
    CHECK(said("copy B[:, 0] <- P; X = X + cols(B[3, :]);") ==
          "warp 1 loads row 3, column 0 of `B`, which warp 0 stores, and no `sync` stands between\n");
    CHECK(said("for i in 0..2 { copy B <- X; copy Z <- B[32:96, :]; sync; }") ==
          "warp 0 loads row 32, column 0 of `B`, which warp 1 stores, and no `sync` stands between\n");
}

TEST_CASE("bases that depend on the CTA") {
    CHECK(said("copy C[cta.x*128 +: 128, :] <- X; copy Z <- C[cta.x*128 + 32 +: 64, :];") ==
          "warp 0 loads row 32, column 0 of `C`, which warp 1 stores, and no `sync` stands between\n");
    CHECK(said("copy C[cta.x*128 +: 128, :] <- X; copy X <- C[cta.x*128 +: 128, :];") == "");
    CHECK(said("copy C[cta.x*128 +: 128, :] <- X; copy Z <- C[256 +: 64, :] masked;") == ""); // in no CTA
    CHECK(said("copy C[cta.x*128 +: 128, :] <- X; copy Z <- C[cta.x*32 +: 64, :];") ==        // in the first
          "warp 1 loads row 16, column 0 of `C`, which warp 0 stores, and no `sync` stands between\n");
    CHECK(said("copy C[192 +: 128, :] <- X masked; copy C[272 +: 64, :] <- Z masked;") ==
          "warp 0 stores row 272, column 0 of `C`, which warp 2 stores, and no `sync` stands between\n");
    CHECK(said("copy C[224 +: 128, :] <- X masked; copy C[300 +: 64, :] <- Z masked;") == ""); // outside
}

TEST_CASE("warpgroups") {
    CHECK(said("on warpgroup 0 { copy B <- X; } on warpgroup 1 { copy X <- B; }", 2) ==
          "warp 4 loads row 0, column 0 of `B`, which warp 0 stores, and no `sync` stands between\n");
    CHECK(said("on warpgroup 0 { copy B <- X; } sync; on warpgroup 1 { copy X <- B; }", 2) == "");
    CHECK(said("on warpgroup 0 { copy B <- X; copy X <- B; }", 2) == "");
    CHECK(said("on warpgroup 0 { copy B <- X; } copy X <- B;") == ""); // there is no other
}

TEST_CASE("outside of `on`, each warpgroup does it") {
    CHECK(said("copy X <- B; X = X + 1.0; copy B <- X;", 2) ==
          "warp 4 stores row 0, column 0 of `B`, which warp 0 loads, and no `sync` stands between\n");
    CHECK(said("copy B <- X; copy X <- B;", 2) ==
          "warp 4 loads row 0, column 0 of `B`, which warp 0 stores, and no `sync` stands between\n");
    CHECK(said("copy B <- X; copy B <- Y;", 2) ==
          "warp 4 stores row 0, column 0 of `B`, which warp 0 stores, and no `sync` stands between\n");
    CHECK(said("copy X <- B; X = X + 1.0; sync; copy B <- X;", 2) == "");
    CHECK(said("for i in 0..2 { copy X <- B; sync; copy B <- X; }", 2) ==
          "warp 4 loads row 0, column 0 of `B`, which warp 0 stores, and no `sync` stands between\n");
    CHECK(said("for i in 0..2 { copy X <- B; sync; copy B <- X; sync; }", 2) == "");
    CHECK(said("copy X <- B; copy Y <- B;", 2) == "");
    CHECK(said("copy B <- X;", 2) == "");
    CHECK(said("for i in 0..2 { X = X + 1.0; copy B <- X; }", 2) == "");
    CHECK(said("copy B[0:64, :] <- X[0:64, :]; copy Z <- B[64:128, :];", 2) == "");
    CHECK(said("on warpgroup 0 { copy B <- X; } copy X <- B;", 2) ==
          "warp 4 loads row 0, column 0 of `B`, which warp 0 stores, and no `sync` stands between\n");
    CHECK(said("copy X <- B; on warpgroup 1 { copy B <- X; }", 2) ==
          "warp 4 stores row 0, column 0 of `B`, which warp 0 loads, and no `sync` stands between\n");
}

TEST_CASE("what lower orders within a warp") {
    CHECK(last("copy B <- X; copy X <- B;") == Meeting::in_thread);
    CHECK(last("copy B <- X; copy Y <- B;") == Meeting::in_warp);
    CHECK(last("copy Y <- B; copy B <- X;") == Meeting::in_warp);
    CHECK(last("copy B <- X; copy Z <- B[32:96, :];") == Meeting::across_warps);
    CHECK(last("copy X <- B; copy Y <- B;") == Meeting::nowhere);
    CHECK(last("copy B[:, 0:8] <- X[:, 0:8]; copy Y[:, 8:16] <- B[:, 8:16];") == Meeting::nowhere);
    // Perhaps in another CTA than those that were looked at.
    CHECK(last("copy C[cta.x*128 +: 128, :] <- X; copy Z <- C[236 +: 64, :];") == Meeting::across_warps);
    CHECK(last("copy C[cta.x*4 +: 128, :] <- X; copy P[0:16] <- C[cta.x*7 + 200 +: 16, 0];") ==
          Meeting::in_warp);
    // A staged loop of turns that do the same.
    CHECK(last("for i in 0..40 { copy B <- X; } copy Y <- B;") == Meeting::in_warp);
}
