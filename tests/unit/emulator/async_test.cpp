// mbarrier objects, and copies that land late.
#include "program.hpp"

#include <fmt/format.h>

using namespace tmemc::emulator;

namespace {

const std::string prologue =
    ".shared .align 16 .b8 row[512]; .shared .align 8 .b64 phase; .shared .align 8 .b64 other;\n"
    "mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d2, %in, %d1; add.u64 %d3, %out, %d1;\n"
    "mov.u32 %r10, row; mad.lo.u32 %r11, %r0, 4, %r10; setp.eq.u32 %p1, %r0, 0; mov.u32 %r2, 0;\n";
const std::string epilogue = "\nst.global.u32 [%d3], %r2; ret;";

std::vector<std::uint32_t> numbers(std::uint32_t count) {
    std::vector<std::uint32_t> list(count);
    for (std::uint32_t k = 0; k < count; ++k) list[k] = 1000 + k;
    return list;
}
Outcome run(const std::string& body, std::vector<std::uint32_t>& out, std::uint32_t threads) {
    const auto in = numbers(threads);
    out.assign(threads, 7);
    Program program(kernel(prologue + body + epilogue));
    return program.run({{threads, 1, 1}}, in, out, {.max_steps = 10'000'000});
}
std::vector<std::uint32_t> good(const std::string& body, std::uint32_t threads) {
    std::vector<std::uint32_t> out;
    const Outcome outcome = run(body, out, threads);
    CHECK_MESSAGE(!outcome.fault, words(outcome));
    return out;
}
std::string fault(const std::string& body, std::uint32_t threads = 32) {
    std::vector<std::uint32_t> out;
    return words(run(body, out, threads));
}
const std::string one_thread = "@!%p1 bra END;\n"; // the rest goes straight to END

} // namespace

TEST_CASE("the phases of an mbarrier, step by step") {
    // Each result is a bit of %r2, lowest first: whether the wait says true.
    const auto bit = [](const std::string& wait) {
        return wait + "; selp.b32 %r3, 1, 0, %p2; mad.lo.u32 %r2, %r2, 2, %r3;\n";
    };
    const std::string token = bit("mbarrier.test_wait.shared.b64 %p2, [phase], %d10");
    const std::string even = bit("mbarrier.test_wait.parity.shared.b64 %p2, [phase], 0");
    const std::string odd = bit("mbarrier.test_wait.parity.shared.b64 %p2, [phase], 1");
    const auto out =
        good(one_thread + "mbarrier.init.shared.b64 [phase], 3;\n" + odd +   // 1: the phase before the first
                 even +                                                      // 0
                 "mbarrier.arrive.shared.b64 %d10, [phase];\n" + token +     // 0: two are pending
                 "mbarrier.arrive.shared.b64 _, [phase], 2;\n" + token +     // 1
                 even +                                                      // 1
                 odd +                                                       // 0
                 "mbarrier.arrive.expect_tx.shared.b64 %d10, [phase], 96;\n" // phase 1
                 "mbarrier.arrive.noComplete.shared.b64 _, [phase], 1;\n"
                 "mbarrier.arrive_drop.shared.b64 _, [phase];\n" +
                 token +                                                    // 0: 96 bytes are pending
                 "mbarrier.complete_tx.shared.b64 [phase], 64;\n" + token + // 0
                 "mbarrier.complete_tx.shared.b64 [phase], 32;\n" + token + // 1
                 "mbarrier.arrive.shared.b64 %d10, [phase]; mbarrier.pending_count.b64 %r4, %d10;\n"
                 "mbarrier.arrive.shared.b64 %d11, [phase]; mbarrier.pending_count.b64 %r5, %d11;\n" +
                 token + // 1: two were enough, since one has dropped out
                 "mad.lo.u32 %r2, %r2, 16, %r4; mad.lo.u32 %r2, %r2, 16, %r5;\nEND:",
             32);
    CHECK(out[0] == (0b1001100011u << 8 | 2 << 4 | 1));
    CHECK(out[1] == 0);
}

TEST_CASE("warps pass a stage to and fro through mbarriers, spinning on try_wait") {
    // Warp 0 fills the row and tells `phase`; warp 1 takes it and tells `other`; ten times.
    const auto out = good(
        "@%p1 mbarrier.init.shared.b64 [phase], 32; @%p1 mbarrier.init.shared.b64 [other], 32; bar.sync 0;\n"
        "mov.u32 %r20, 0; setp.gt.u32 %p3, %r0, 31; @%p3 bra TAKE;\n"
        "FILL: ld.global.u32 %r3, [%d2]; add.u32 %r3, %r3, %r20; st.shared.u32 [%r11], %r3;\n"
        "mbarrier.arrive.shared.b64 _, [phase]; and.b32 %r4, %r20, 1;\n"
        "W1: mbarrier.try_wait.parity.shared.b64 %p2, [other], %r4; @!%p2 bra W1;\n"
        "add.u32 %r20, %r20, 1; setp.lt.u32 %p4, %r20, 10; @%p4 bra FILL; bra END;\n"
        "TAKE: and.b32 %r4, %r20, 1; W2: mbarrier.try_wait.parity.shared.b64 %p2, [phase], %r4, 500;\n"
        "@!%p2 bra W2; xor.b32 %r5, %r0, 32; mad.lo.u32 %r5, %r5, 4, %r10; ld.shared.u32 %r6, [%r5];\n"
        "add.u32 %r2, %r2, %r6; mbarrier.arrive.shared.b64 _, [other];\n"
        "add.u32 %r20, %r20, 1; setp.lt.u32 %p4, %r20, 10; @%p4 bra TAKE;\nEND:",
        64);
    for (std::uint32_t t = 0; t < 64; ++t) CHECK(out[t] == (t < 32 ? 0 : 10 * (1000 + t - 32) + 45));
}

TEST_CASE("what an mbarrier cannot do is found") {
    const std::string made = one_thread + "mbarrier.init.shared.b64 [phase], 2;\n";
    CHECK(fault(made + "mbarrier.arrive.shared.b64 _, [other];\nEND:").substr(0, 6) == "TM0705");
    CHECK(fault(made + "st.shared.b64 [other], 5; mbarrier.arrive.shared.b64 _, [other];\nEND:") ==
          "TM0763 these 8 bytes are no mbarrier in shared memory");
    CHECK(fault(made + "mbarrier.inval.shared.b64 [phase]; mbarrier.arrive.shared.b64 _, [phase];\nEND:") ==
          "TM0763 these 8 bytes are no mbarrier in shared memory");
    CHECK(fault(made + "mbarrier.arrive.noComplete.shared.b64 _, [phase], 2;\nEND:") ==
          "TM0763 an arrival with .noComplete is the last of its phase");
    CHECK(fault(made + "mbarrier.arrive.shared.b64 _, [phase], 3;\nEND:") ==
          "TM0763 3 arrive where 2 of 2 are pending");
    CHECK(fault(made + "mbarrier.arrive.shared.b64 _, [phase], 0;\nEND:") ==
          "TM0763 0 arrivals at once; there are 1 to 1048575");
    CHECK(fault(made + "mbarrier.expect_tx.relaxed.cta.shared.b64 [phase], 1048576;\nEND:") ==
          "TM0763 1048576 bytes would be pending, and at most 1048575 may be");
    CHECK(fault(one_thread + "mbarrier.init.shared.b64 [phase], 0;\nEND:") ==
          "TM0763 it is made for 0 arrivals; there are 1 to 1048575");
    CHECK(fault(one_thread + "mbarrier.init.shared.b64 [phase+4], 1;\nEND:").substr(0, 6) == "TM0707");
}

TEST_CASE("cp.async lands at its wait and not before") {
    const std::string begin = "st.shared.u32 [%r11], 5; cp.async.ca.shared.global [%r11], [%d2], 4;\n";
    const std::string read = "ld.shared.u32 %r3, [%r11]; mad.lo.u32 %r2, %r2, 10000, %r3;\n";
    CHECK(good(begin + read, 32)[3] == 5);
    CHECK(good(begin + "cp.async.wait_all;" + read, 32)[3] == 1003);
    CHECK(good(begin + "cp.async.commit_group;" + read + "cp.async.wait_group 0;" + read, 32)[3] ==
          5 * 10000 + 1003);
    CHECK(good(begin + "cp.async.wait_group 0;" + read, 32)[3] == 5); // of no group yet
    CHECK(good(begin + "cp.async.commit_group; cp.async.wait_group 1;" + read, 32)[3] ==
          5); // the latest may go on
    CHECK(good(begin + "cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1;" + read,
               32)[3] == 1003);
    // Nothing was there before: who does not wait reads what was never written.
    CHECK(fault("cp.async.ca.shared.global [%r11], [%d2], 4;\n" + read).substr(0, 6) == "TM0705");
    // A wait of some lanes is none of the others.
    const auto some = good(begin + "cp.async.commit_group; @%p1 cp.async.wait_group 0;" + read, 32);
    CHECK(some[0] == 1000);
    CHECK(some[1] == 5);
}

TEST_CASE("cp.async fills with zeros what it does not read") {
    const auto out = good("mad.lo.u32 %r12, %r0, 16, %r10; and.b32 %r4, %r0, 31; min.u32 %r4, %r4, 16;\n"
                          "and.b32 %r5, %r0, 3; setp.eq.u32 %p3, %r5, 0; setp.gt.u32 %p4, %r0, 16;\n"
                          "@%p4 mov.u32 %r4, 16; cp.async.cg.shared.global [%r12], [%in], 16, %r4;\n"
                          "@%p4 cp.async.cg.shared.global [%r12], [%in], 16, %p3;\n"
                          "cp.async.wait_all; ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r12];\n"
                          "add.u32 %r2, %r20, %r21; add.u32 %r2, %r2, %r22; add.u32 %r2, %r2, %r23;",
                          32);
    for (std::uint32_t t = 0; t < 32; ++t) {
        const std::uint32_t bytes = t > 16 ? (t % 4 == 0 ? 0 : 16) : t;
        std::vector<std::uint8_t> cut(16);
        std::uint32_t sum = 0;
        for (std::uint32_t k = 0; k < 4; ++k) {
            std::uint32_t word = 1000 + k;
            const std::uint32_t kept = bytes <= 4 * k ? 0 : std::min(bytes - 4 * k, 4u);
            sum += kept == 4 ? word : word & ((1u << 8 * kept) - 1);
        }
        CHECK(out[t] == sum);
    }
}

TEST_CASE("an mbarrier tracks copies by threads and in bulk") {
    const std::string init = "@%p1 mbarrier.init.shared.b64 [phase], COUNT; bar.sync 0;\n";
    const std::string wait = "W: mbarrier.try_wait.parity.shared.b64 %p2, [phase], 0; @!%p2 bra W;\n";
    const auto with = [](std::string text, const std::string& count) {
        return text.replace(text.find("COUNT"), 5, count);
    };
    const std::string take = "xor.b32 %r5, %r0, 63; mad.lo.u32 %r5, %r5, 4, %r10; ld.shared.u32 %r2, [%r5];";
    const std::string copy = "cp.async.ca.shared.global [%r11], [%d2], 4;\n";
    for (const auto& body :
         {with(init, "64") + copy + "cp.async.mbarrier.arrive.noinc.shared.b64 [phase];\n",
          with(init, "64") + copy +
              "cp.async.mbarrier.arrive.shared.b64 [phase];\n"
              "mbarrier.arrive.shared.b64 _, [phase];\n",
          with(init, "1") + "@!%p1 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [phase], 256;\n"
                            "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [row], "
                            "[%in], 256, [phase];\n"}) {
        const auto out = good(body + wait + take, 64);
        for (std::uint32_t t = 0; t < 64; ++t) CHECK(out[t] == 1000 + (t ^ 63));
        // Who does not wait may find nothing.
        std::string early = body;
        if (early.find("bra W") != std::string::npos) early.replace(early.find("bra W"), 5, "bra N");
        CHECK(fault(early + "N: " + take, 64).substr(0, 6) == "TM0705");
    }
}

TEST_CASE("a bulk copy to global memory lands at the wait for its group") {
    const std::string begin =
        "st.shared.u32 [%r11], %r0; st.global.u32 [%d3], 9; bar.sync 0; @!%p1 bra END;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%out], [row], 128;\n"
        "cp.async.bulk.commit_group;\n";
    const std::string take = "ld.global.u32 %r2, [%out+12];\nEND: setp.ne.u32 %p5, %r0, 0; @%p5 exit;";
    CHECK(good(begin + take, 32)[0] == 9);
    const auto out = good(begin + "cp.async.bulk.wait_group.read 0;" + take, 32);
    CHECK(out[0] == 3);
    for (std::uint32_t t = 1; t < 32; ++t) CHECK(out[t] == t);
    CHECK(fault("@!%p1 bra END; cp.async.bulk.global.shared::cta.bulk_group [%out], [row], 20;\nEND:") ==
          "TM0764 a bulk copy of 20 bytes from 0x0 to 0x11100; all three are multiples of 16");
    CHECK(fault("@!%p1 bra END; cp.async.bulk.global.shared::cta.bulk_group [%out], [row], 256;\nEND:")
              .substr(0, 6) == "TM0706");
}
