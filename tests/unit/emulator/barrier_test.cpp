// Barriers of the CTA in all their forms, and of some lanes of a warp.
#include "program.hpp"

using namespace tmemc::emulator;

namespace {

const std::string prologue =
    "mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %in, %in, %d1; add.u64 %out, %out, %d1;\n"
    "ld.global.u32 %r1, [%in]; mov.u32 %r2, 0; mov.u32 %r50, %laneid; setp.lt.u32 %p9, %r50, 16;\n";
const std::string epilogue = "\nst.global.u32 [%out], %r2; ret;";

std::vector<std::uint32_t> numbers(std::uint32_t count) {
    std::vector<std::uint32_t> list(count);
    for (std::uint32_t k = 0; k < count; ++k) list[k] = k * 7 % count + 1;
    return list;
}

std::vector<std::uint32_t> run(const std::string& body, const std::vector<std::uint32_t>& in) {
    std::vector<std::uint32_t> out(in.size());
    Program program(kernel(prologue + body + epilogue));
    const Outcome outcome = program.run({{static_cast<std::uint32_t>(in.size()), 1, 1}}, in, out);
    CHECK_MESSAGE(!outcome.fault, words(outcome));
    return out;
}

std::string fault_of(const std::string& body, std::uint32_t threads) {
    const auto in = numbers(threads);
    std::vector<std::uint32_t> out(in.size());
    Program program(kernel(prologue + body + epilogue));
    return words(program.run({{threads, 1, 1}}, in, out, {.max_steps = 1000000}));
}

} // namespace

TEST_CASE("barrier.red gives every thread the count, the and and the or of all predicates") {
    for (const std::string form : {"bar.red", "barrier.cta.red"}) {
        const auto in = numbers(69); // the last warp has five threads
        const std::string aligned = form == "bar.red" ? "" : ".aligned";
        const auto out =
            run("setp.gt.u32 %p1, %r1, 60; setp.gt.u32 %p2, %r1, 0;\n" + form + ".popc" + aligned +
                    ".u32 %r3, 1, %p1;\n" + form + ".and" + aligned + ".pred %p3, 2, %p1; " + form + ".or" +
                    aligned + ".pred %p4, 3, %p1; " + form + ".and" + aligned +
                    ".pred %p5, 2, %p2;\nselp.b32 %r4, 1000, 0, %p3; selp.b32 %r5, 2000, 0, %p4;\n"
                    "selp.b32 %r6, 4000, 0, %p5; add.u32 %r2, %r3, %r4; add.u32 %r2, %r2, %r5;\n"
                    "add.u32 %r2, %r2, %r6;",
                in);
        CHECK(out == std::vector<std::uint32_t>(69, 9 + 2000 + 4000));
    }
}

TEST_CASE("halves of warps that come to barriers on their own ways are counted thread by thread") {
    const auto in = numbers(64);
    // The lower halves write and the upper ones read what the other warp's wrote: by different instructions.
    const auto out =
        run(".shared .align 4 .b32 row[64];\nmov.u32 %r10, row; @%p9 bra LOW;\n"
            "barrier.sync 3; xor.b32 %r11, %r0, 48; mad.lo.u32 %r11, %r11, 4, %r10;\n"
            "ld.shared.u32 %r2, [%r11]; bra END;\n"
            "LOW: mad.lo.u32 %r11, %r0, 4, %r10; st.shared.u32 [%r11], %r1; barrier.sync 3;\nEND:",
            in);
    for (std::size_t t = 0; t < 64; ++t) CHECK(out[t] == (t % 32 < 16 ? 0u : in[t ^ 48]));
}

TEST_CASE("barrier.red without .aligned counts the predicates of all ways") {
    const auto in = numbers(96);
    const auto out =
        run("setp.gt.u32 %p1, %r1, 40; @%p9 bra LOW;\nbarrier.red.popc.u32 %r2, 0, %p1; bra END;\n"
            "LOW: barrier.red.popc.u32 %r2, 0, %p1; add.u32 %r2, %r2, 1000;\nEND:",
            in);
    for (std::size_t t = 0; t < 96; ++t) CHECK(out[t] == (t % 32 < 16 ? 1056u : 56u));
}

TEST_CASE("who arrives goes on, and who waits sees what it wrote before") {
    const auto in = numbers(96);
    // Warp 0 produces and never waits; warps 1 and 2 consume.
    const auto out =
        run(".shared .align 4 .b32 row[32];\nmov.u32 %r10, row; mad.lo.u32 %r10, %r50, 4, %r10;\n"
            "setp.gt.u32 %p1, %r0, 31; @%p1 bra CONSUME;\n"
            "st.shared.u32 [%r10], %r1; bar.arrive 5, 96; mov.u32 %r2, 7; bra END;\n"
            "CONSUME: bar.sync 5, 96; ld.shared.u32 %r2, [%r10];\nEND:",
            in);
    for (std::size_t t = 0; t < 96; ++t) CHECK(out[t] == (t < 32 ? 7u : in[t % 32]));
}

TEST_CASE("named barriers serve different warps at the same time, turn after turn") {
    const auto in = numbers(128);
    const auto out = run("shr.u32 %r10, %r0, 6; add.u32 %r10, %r10, 1; mov.u32 %r11, 64; mov.u32 %r12, 0;\n"
                         "LOOP: bar.sync %r10, %r11; add.u32 %r2, %r2, %r10; add.u32 %r12, %r12, 1;\n"
                         "setp.lt.u32 %p1, %r12, 20; @%p1 bra LOOP;",
                         in);
    for (std::size_t t = 0; t < 128; ++t) CHECK(out[t] == (t < 64 ? 20u : 40u));
}

TEST_CASE("lanes that exit are waited for no longer, at barriers of any kind") {
    const auto in = numbers(64);
    const std::string leave = "st.global.u32 [%out], 1; @%p9 exit; ";
    for (const std::string wait : {"barrier.sync 0;", "bar.sync 0;", "bar.warp.sync -1;",
                                   "barrier.cluster.arrive; barrier.cluster.wait;"}) {
        INFO(wait);
        const auto out = run(leave + wait + " mov.u32 %r2, 5;", in);
        for (std::size_t t = 0; t < 64; ++t) CHECK(out[t] == (t % 32 < 16 ? 1u : 5u));
        // The others already wait when these leave.
        const auto late =
            run("@!%p9 bra WAIT; mov.u32 %r2, 1; st.global.u32 [%out], %r2; bar.warp.sync 0xffff;"
                "exit;\nWAIT: " +
                    wait + " mov.u32 %r2, 5;",
                in);
        for (std::size_t t = 0; t < 64; ++t) CHECK(late[t] == (t % 32 < 16 ? 1u : 5u));
    }
}

TEST_CASE("lanes of one member mask meet at different bar.warp.sync, and others go their way") {
    const auto in = numbers(32);
    const std::string start = ".shared .align 4 .b32 row[32];\nmov.u32 %r10, row; xor.b32 %r11, %r0, 16;\n"
                              "mad.lo.u32 %r11, %r11, 4, %r10; mad.lo.u32 %r10, %r0, 4, %r10;\n";
    const auto out =
        run(start + "@%p9 bra LOW;\nst.shared.u32 [%r10], %r1; bar.warp.sync -1; ld.shared.u32 %r2, "
                    "[%r11]; bra END;\nLOW: st.shared.u32 [%r10], %r1; bar.warp.sync -1;\n"
                    "ld.shared.u32 %r2, [%r11];\nEND:",
            in);
    for (std::size_t t = 0; t < 32; ++t) CHECK(out[t] == in[t ^ 16]);
    // Each lane names its own half: both complete at one instruction, without having to come together.
    const auto halves =
        run(start + "selp.b32 %r12, 0xffff, 0xffff0000, %p9; @%p9 bra LOW; add.u32 %r2, %r2, 5;\n"
                    "LOW: bar.warp.sync %r12; add.u32 %r2, %r2, 1;",
            in);
    for (std::size_t t = 0; t < 32; ++t) CHECK(halves[t] == (t < 16 ? 1u : 6u));
    // A guard leaves lanes out, which go on.
    const auto guarded = run("@%p9 bar.warp.sync 0xffff; add.u32 %r2, %r2, 1;", in);
    CHECK(guarded == std::vector<std::uint32_t>(32, 1));
}

TEST_CASE("arriving at the cluster's barrier and waiting at it are two steps") {
    const auto in = numbers(96);
    const auto out =
        run(".shared .align 4 .b32 row[96];\nmov.u32 %r10, row; mov.u32 %r12, 0;\n"
            "mad.lo.u32 %r11, %r0, 4, %r10;\n"
            "LOOP: st.shared.u32 [%r11], %r1; barrier.cluster.arrive.release.aligned;\n"
            "add.u32 %r3, %r0, 40; rem.u32 %r3, %r3, 96; mad.lo.u32 %r3, %r3, 4, %r10;\n"
            "barrier.cluster.wait.acquire.aligned; ld.shared.u32 %r4, [%r3]; add.u32 %r2, %r2, %r4;\n"
            "barrier.cluster.arrive; barrier.cluster.wait; add.u32 %r1, %r1, 1;\n"
            "add.u32 %r12, %r12, 1; setp.lt.u32 %p1, %r12, 5; @%p1 bra LOOP;",
            in);
    for (std::size_t t = 0; t < 96; ++t) CHECK(out[t] == 5 * in[(t + 40) % 96] + 10);
}

TEST_CASE("barriers that cannot complete or make no sense are found") {
    CHECK(fault_of("bar.sync 1, 64;", 32) ==
          "TM0785 barrier 1 waits for 64 threads, and no more than 32 come");
    CHECK(fault_of("@%p9 bra LOW; barrier.sync 2; LOW: bar.warp.sync 0xffffffff;", 64) ==
          "TM0785 barrier 2 waits for 64 threads, and no more than 32 come");
    CHECK(fault_of(
              "setp.gt.u32 %p1, %r0, 31; @%p1 bra HIGH; bar.sync 1, 64; bra END; HIGH: bar.sync 1, 96; END:",
              96) == "TM0749 the threads at barrier 1 wait for different numbers: 64 and 96");
    CHECK(fault_of("bar.sync %r0;", 32) ==
          "TM0749 the number of the barrier is 0 in thread 0 and 1 in thread 1");
    CHECK(fault_of("mov.u32 %r3, 17; barrier.sync %r3;", 32) == "TM0749 there is no barrier 17");
    CHECK(fault_of("mov.u32 %r3, 33; bar.arrive 1, %r3;", 32) ==
          "TM0749 33 threads are no whole number of warps");
    CHECK(fault_of("@%p9 bar.sync 0;", 32) ==
          "TM0736 `.sync.aligned` needs the whole warp, and thread 16 does not execute it now");
    CHECK(fault_of("@%p9 bra LOW; bar.warp.sync 0xffff0001; bra END; LOW: bar.warp.sync -1; END:", 32) ==
          "TM0760 it waits for the threads of its member mask 0xffff0001, and thread 0 does not come");
    CHECK(fault_of("bar.warp.sync 0xfffffffe;", 32) ==
          "TM0761 the member mask 0xfffffffe lacks the executing thread 0");
    CHECK(
        fault_of("setp.gt.u32 %p1, %r0, 31; @%p1 bra END; barrier.cluster.arrive; barrier.cluster.wait; END: "
                 "@%p1 bar.warp.sync -1; @%p1 bar.sync 0, 128;",
                 64)
            .substr(0, 6) == "TM0748");
}
