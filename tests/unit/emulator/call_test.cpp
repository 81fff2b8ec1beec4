// Functions, scopes and jump tables as people write them: what calls keep and what they do not. nvcc's are in
// cuda_calls_test.cpp.
#include "program.hpp"

using namespace tmemc;
using namespace tmemc::emulator;

namespace {

/// A kernel with `out` in %out and the thread in %t, behind the functions.
std::string module_of(const std::string& functions, const std::string& body) {
    return ".version 9.0\n.target sm_100a\n.address_size 64\n" + functions +
           ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
           ".reg .pred %p<9>; .reg .b32 %r<9>, %t; .reg .b64 %d<9>, %out;\n"
           "ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mul.wide.u32 %d8, %t, 4; add.u64 %out, %out, "
           "%d8;\n" +
           body + "\nret;\n}\n";
}

std::vector<std::uint32_t> results(const std::string& text, const char* fault = "") {
    Program program(text);
    std::vector<std::uint32_t> in(1), out(32);
    const Outcome outcome = program.run({{32, 1, 1}}, in, out);
    CHECK_MESSAGE(code(outcome) == fault, words(outcome));
    return out;
}

// Adds twice the numbers from n down to 1, once before and once after its inner call, that it keeps in its
// own frame, where the inner calls find them by address.
constexpr const char* sum_by_address =
    ".func add_to(.param .b64 where, .param .b32 n) {\n"
    ".reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<4>; .local .align 8 .b32 own[2];\n"
    "ld.param.b64 %d1, [where]; ld.param.b32 %r1, [n];\n"
    "ld.b32 %r2, [%d1]; add.u32 %r2, %r2, %r1; st.local.b32 [own+4], %r2; st.local.b32 [own], %r1;\n"
    "setp.le.u32 %p, %r1, 1; @%p bra LAST;\n"
    "sub.u32 %r3, %r1, 1; mov.u64 %d2, own+4; cvta.local.u64 %d3, %d2;\n"
    "{ .param .b64 where; .param .b32 n; st.param.b64 [where], %d3; st.param.b32 [n], %r3; call add_to, "
    "(where, n); }\n"
    "LAST: ld.local.b32 %r2, [own+4]; ld.local.b32 %r3, [own]; add.u32 %r2, %r2, %r3; st.b32 [%d1], %r2; "
    "ret; }\n";

} // namespace

TEST_CASE("a recursive function has its registers and its frame back after an inner call") {
    const auto out = results(module_of(
        sum_by_address, ".local .b32 total; .reg .b64 %a; mov.u32 %r1, 0; st.local.b32 [total], %r1;\n"
                        "mov.u64 %a, total; cvta.local.u64 %a, %a; add.u32 %r2, %t, 1;\n"
                        "{ .param .b64 x; .param .b32 y; st.param.b64 [x], %a; st.param.b32 [y], %r2;\n"
                        "call add_to, (x, y); }\n"
                        "ld.local.b32 %r3, [total]; st.global.b32 [%out], %r3;"));
    for (std::uint32_t t = 0; t < 32; ++t) CHECK(out[t] == (t + 1) * (t + 2));
}

TEST_CASE("lanes that return from different places of a function meet again behind the call") {
    const std::string early =
        ".func (.param .b32 r) f(.param .b32 x) { .reg .pred %p; .reg .b32 %r<3>;\n"
        "ld.param.b32 %r1, [x]; setp.gt.u32 %p, %r1, 9; @%p bra BIG; st.param.b32 [r], %r1; ret;\n"
        "BIG: add.u32 %r1, %r1, 100; st.param.b32 [r], %r1; }\n"; // the brace returns too
    const auto out = results(module_of(
        early,
        "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %t; call (y), f, (x); ld.param.b32 %r1, [y]; }\n"
        "bar.warp.sync 0xffffffff; st.global.b32 [%out], %r1;"));
    for (std::uint32_t t = 0; t < 32; ++t) CHECK(out[t] == (t > 9 ? t + 100 : t));
}

TEST_CASE("a function begins with nothing in its registers, and its results must be written") {
    const std::string lazy = ".func (.param .b32 r) f(.param .b32 x) { .reg .pred %p; .reg .b32 %r<3>;\n"
                             "ld.param.b32 %r1, [x]; setp.eq.u32 %p, %r1, 0; @%p mov.b32 %r2, 7;\n"
                             "st.param.b32 [r], %r2; }\n";
    const std::string call = "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), f, (x); "
                             "ld.param.b32 %r3, [y]; }\n";
    const std::string use = "add.u32 %r3, %r3, 1;\n"; // the mark alone may travel
    results(module_of(lazy, "mov.b32 %r1, 0;\n" + call + use));
    results(module_of(lazy, "mov.b32 %r1, 0;\n" + call + "mov.b32 %r1, 1;\n" + call));
    results(module_of(lazy, "mov.b32 %r1, 0;\n" + call + "mov.b32 %r1, 1;\n" + call + use), "TM0704");
    const std::string silent = ".func (.param .b32 r) f() { ret; }\n";
    results(module_of(silent, "{ .param .b32 y; call (y), f; ld.param.b32 %r3, [y]; }\n" + use), "TM0704");
}

TEST_CASE("a name in an inner scope hides the one outside, and labels and registers end with their scope") {
    const auto out =
        results(module_of("", "mov.b32 %r1, 5;\n"
                              "{ .reg .b32 %r1; mov.b32 %r1, 9; bra L; L: add.u32 %r2, %r1, 1; }\n"
                              "{ bra L; L: add.u32 %r2, %r2, %r1; }\n"
                              "st.global.b32 [%out], %r2;"));
    CHECK(out[3] == 15);
    const base::Source source("t.ptx",
                              module_of("", "{ .reg .b32 x; L: mov.b32 x, 1; } mov.b32 x, 2; bra L;"));
    std::vector<std::string> found;
    for (const auto& each : load(source, CpuLevel::baseline).diagnostics.list) found.push_back(each.message);
    CHECK(found ==
          std::vector<std::string>{"`mov.b32` does not fit its operands: the destination is a register",
                                   "`bra` does not fit its operands: there is no label `L`"});
}

TEST_CASE("brx.idx sends every lane to its own target") {
    const auto out =
        results(module_of("", "rem.u32 %r1, %t, 3;\nT: .branchtargets A, B, C;\nbrx.idx %r1, T;\n"
                              "A: mov.b32 %r2, 10; bra E;\nB: mov.b32 %r2, 20; bra E;\n"
                              "C: mov.b32 %r2, 30;\nE: bar.warp.sync 0xffffffff; "
                              "st.global.b32 [%out], %r2;"));
    for (std::uint32_t t = 0; t < 32; ++t) CHECK(out[t] == 10 * (t % 3 + 1));
}
