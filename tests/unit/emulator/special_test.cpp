// Special registers: of the thread, the CTA and the grid, alone and as vectors; clocks; and how wide each is.
#include "program.hpp"

#include <fmt/format.h>

using namespace tmemc::emulator;

namespace {

// The values of 32-bit registers, in a grid of 2x3x2 CTAs of 5x4x3 threads: of each thread.
constexpr std::uint32_t threads = 60, ctas = 12;
std::vector<std::vector<std::uint32_t>> values_of(const std::vector<std::string>& names) {
    std::string body =
        "mov.u32 %r0, %tid.x; mad.lo.u32 %r0, %tid.y, 5, %r0; mad.lo.u32 %r0, %tid.z, 20, %r0;\n"
        "mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %ctaid.y, 2, %r1; mad.lo.u32 %r1, %ctaid.z, 6, %r1;\n"
        "mad.lo.u32 %r1, %r1, 60, %r0; mul.wide.u32 %d1, %r1, " +
        std::to_string(4 * names.size()) + "; add.u64 %out, %out, %d1;\n";
    for (std::size_t k = 0; k < names.size(); ++k)
        body += fmt::format("mov.u32 %r2, {}; st.global.u32 [%out+{}], %r2;\n", names[k], 4 * k);
    Program program(kernel(".shared .align 4 .b32 some[25];\n" + body + "ret;"));
    const std::vector<std::uint32_t> in(1);
    std::vector<std::uint32_t> out(names.size() * threads * ctas);
    const Outcome outcome = program.run({{5, 4, 3}, {2, 3, 2}}, in, out);
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    std::vector<std::vector<std::uint32_t>> list(names.size());
    for (std::size_t k = 0; k < out.size(); ++k) list[k % names.size()].push_back(out[k]);
    return list;
}

} // namespace

TEST_CASE("every special register of a thread, its CTA and the grid") {
    const std::vector<std::string> names = {"%laneid",
                                            "%warpid",
                                            "%nwarpid",
                                            "%lanemask_eq",
                                            "%lanemask_lt",
                                            "%lanemask_le",
                                            "%lanemask_gt",
                                            "%lanemask_ge",
                                            "%tid.w",
                                            "%ntid.x",
                                            "%ntid.y",
                                            "%ntid.z",
                                            "%nctaid.x",
                                            "%nctaid.y",
                                            "%nctaid.z",
                                            "%clusterid.y",
                                            "%nclusterid.z",
                                            "%cluster_ctaid.x",
                                            "%cluster_nctaid.y",
                                            "%cluster_ctarank",
                                            "%cluster_nctarank",
                                            "%total_smem_size",
                                            "%dynamic_smem_size",
                                            "%envreg31",
                                            "%pm7",
                                            "WARP_SZ",
                                            "%smid"};
    const auto values = values_of(names);
    for (std::uint32_t k = 0; k < threads * ctas; ++k) {
        const std::uint32_t thread = k % threads, cta = k / threads, lane = thread % 32;
        const std::uint32_t lower = (1u << lane) - 1, own = 1u << lane;
        const std::vector<std::uint32_t> want = {
            lane,   thread / 32, 2, own, lower, lower | own, ~(lower | own),
            ~lower, 0,           5, 4,   3,     2,           3,
            2,      cta / 2 % 3, 2, 0,   1,     0,           1,
            100,    0,           0, 0,   32,    cta};
        REQUIRE(want.size() == names.size());
        for (std::size_t n = 0; n < names.size(); ++n) {
            INFO(names[n] << " thread " << thread << " of CTA " << cta);
            REQUIRE(values[n][k] == want[n]);
        }
    }
}

TEST_CASE("a vector of special registers moves as a whole") {
    Program program(
        kernel("mov.v4.u32 {%r0, %r1, %r2, %r3}, %tid; mov.v4.b32 {%r4, %r5, %r6, %r7}, %nctaid;\n"
               "mad.lo.u32 %r8, %r1, 7, %r0; mul.wide.u32 %d1, %r8, 32; add.u64 %out, %out, %d1;\n"
               "st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3}; st.global.v4.u32 [%out+16], {%r4, %r5, %r6, "
               "%r7}; ret;"));
    const std::vector<std::uint32_t> in(1);
    std::vector<std::uint32_t> out(35 * 8);
    const Outcome outcome = program.run({{7, 5, 1}, {1, 1, 1}}, in, out);
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    for (std::uint32_t t = 0; t < 35; ++t) {
        const std::vector<std::uint32_t> got(out.begin() + 8 * t, out.begin() + 8 * t + 8);
        CHECK(got == std::vector<std::uint32_t>{t % 7, t / 7, 0, 0, 1, 1, 1, 0});
    }
}

TEST_CASE("clocks go on between two reads, and registers of 64 bits and predicates are read as such") {
    Program program(kernel(
        "mov.u64 %d1, %clock64; mov.u32 %r1, %clock; mov.u64 %d2, %globaltimer; mov.u64 %d3, %clock64;\n"
        "mov.u64 %d4, %gridid; mov.pred %p1, %is_explicit_cluster; selp.b64 %d5, 1, 0, %p1;\n"
        "mov.u32 %r2, %clock; sub.u32 %r3, %r2, %r1; cvt.u64.u32 %d6, %r3;\n"
        "st.global.v2.u64 [%out], {%d1, %d2}; st.global.v2.u64 [%out+16], {%d3, %d4};\n"
        "st.global.v2.u64 [%out+32], {%d5, %d6}; ret;"));
    const std::vector<std::uint32_t> in(1);
    std::vector<std::uint64_t> out(6);
    const Outcome outcome = program.run({{1, 1, 1}, {1, 1, 1}}, in, out);
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    CHECK(out[0] < out[1]);
    CHECK(out[1] < out[2]);
    CHECK(out[3] == 1);
    CHECK(out[4] == 0);
    CHECK(out[5] > 0);
}

TEST_CASE("what is no special register, or of another width, is refused") {
    for (const char* instruction :
         {"mov.u32 %r1, %envreg;", "mov.u32 %r1, %tid.v;", "mov.u64 %d1, %tid.x;", "mov.u32 %r1, %clock64;",
          "add.u32 %r1, %clock, 1;", "mov.u32 %r1, %laneid3;"}) {
        const tmemc::base::Source source("s.ptx", kernel(std::string(instruction) + " ret;"));
        CHECK_MESSAGE(load(source).diagnostics.list.size() == 1, instruction);
    }
}
