// Branches whose lanes part and meet, warps that wait for one another, limits.
#include "program.hpp"

using namespace tmemc::emulator;

namespace {

const std::string prologue =
    "mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %in, %in, %d1; add.u64 %out, %out, %d1;\n"
    "ld.global.u32 %r1, [%in];\n";
const std::string epilogue = "\nst.global.u32 [%out], %r2; ret;";

std::vector<std::uint32_t> run(const std::string& body, const std::vector<std::uint32_t>& in,
                               std::uint32_t threads) {
    std::vector<std::uint32_t> out(in.size());
    Program program(kernel(prologue + body + epilogue));
    const Outcome outcome = program.run({{threads, 1, 1}}, in, out);
    CHECK_MESSAGE(!outcome.fault, words(outcome));
    return out;
}

std::vector<std::uint32_t> numbers(std::uint32_t count) {
    std::vector<std::uint32_t> list(count);
    for (std::uint32_t k = 0; k < count; ++k) list[k] = k * 7 % count + 1;
    return list;
}

} // namespace

TEST_CASE("a loop runs in each lane as often as the lane asks (Collatz)") {
    const auto in = numbers(70); // the last warp has six threads
    const auto out = run("mov.u32 %r2, 0;\n"
                         "LOOP: setp.eq.u32 %p1, %r1, 1; @%p1 bra DONE;\n"
                         "add.u32 %r2, %r2, 1; and.b32 %r3, %r1, 1; setp.eq.u32 %p2, %r3, 1; @%p2 bra ODD;\n"
                         "shr.u32 %r1, %r1, 1; bra LOOP;\n"
                         "ODD: mad.lo.u32 %r1, %r1, 3, 1; bra LOOP;\n"
                         "DONE:",
                         in, 70);
    for (std::size_t t = 0; t < in.size(); ++t) {
        std::uint32_t steps = 0;
        for (std::uint64_t n = in[t]; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) ++steps;
        CHECK(out[t] == steps);
    }
}

TEST_CASE("lanes meet again behind nested branches, so that an aligned barrier finds the whole warp") {
    const auto in = numbers(64);
    const auto out =
        run("mov.u32 %r2, 5; setp.gt.u32 %p1, %r1, 20; @!%p1 bra MEET;\n"
            "add.u32 %r2, %r2, 1; setp.gt.u32 %p2, %r1, 40; @%p2 bra MORE; add.u32 %r2, %r2, 10; bra MEET;\n"
            "MORE: add.u32 %r2, %r2, 100;\nMEET: bar.warp.sync 0xffffffff; bar.sync 0;",
            in, 64);
    for (std::size_t t = 0; t < in.size(); ++t) CHECK(out[t] == (in[t] > 40 ? 106u : in[t] > 20 ? 16u : 5u));
}

TEST_CASE("lanes meet at an aligned instruction even where the code is laid out backwards") {
    const auto in = numbers(32);
    // The lanes that branch to LATE come to MEET from behind, after the others have stood there.
    const auto out =
        run("mov.u32 %r2, 1; setp.gt.u32 %p1, %r1, 16; @%p1 bra LATE; add.u32 %r2, %r2, 1;\n"
            "MEET: bar.warp.sync 0xffffffff; bra END;\nLATE: add.u32 %r2, %r2, 2; bra MEET;\nEND:",
            in, 32);
    for (std::size_t t = 0; t < in.size(); ++t) CHECK(out[t] == (in[t] > 16 ? 3u : 2u));
}

TEST_CASE("some lanes exit early and the others go on, through barriers too") {
    const auto in = numbers(96);
    const auto out = run("mov.u32 %r2, 1; st.global.u32 [%out], %r2; setp.gt.u32 %p1, %r1, 48; @%p1 exit;\n"
                         "bar.sync 0; add.u32 %r2, %r2, %r1;",
                         in, 96);
    for (std::size_t t = 0; t < in.size(); ++t) CHECK(out[t] == (in[t] > 48 ? 1u : 1u + in[t]));
}

TEST_CASE("a barrier no longer waits for a warp that has exited after the others came to it") {
    const auto in = numbers(96);
    const auto out = run("mov.u32 %r2, 1; st.global.u32 [%out], %r2; setp.gt.u32 %p1, %r0, 63; @%p1 exit;\n"
                         "bar.sync 0; add.u32 %r2, %r2, %r1;",
                         in, 96);
    for (std::size_t t = 0; t < in.size(); ++t) CHECK(out[t] == (t > 63 ? 1u : 1u + in[t]));
}

TEST_CASE("lanes that have met again execute together") {
    // Two ways of one instruction each, then 100 together: 130 steps are enough, 200 would be needed apart.
    std::string together;
    for (int k = 0; k < 100; ++k) together += "add.u32 %r2, %r2, 1;\n";
    Program program(kernel(prologue +
                           "setp.gt.u32 %p1, %r1, 16; @%p1 bra ELSE; mov.u32 %r2, 1; bra MEET;\n"
                           "ELSE: mov.u32 %r2, 2;\nMEET:" +
                           together + epilogue));
    const auto in = numbers(32);
    std::vector<std::uint32_t> out(32);
    CHECK(code(program.run({}, in, out, {.max_steps = 130})).empty());
    for (std::size_t t = 0; t < 32; ++t) CHECK(out[t] == (in[t] > 16 ? 102u : 101u));
}

TEST_CASE("a barrier orders what warps write and read in shared memory, turn after turn") {
    const auto in = numbers(256);
    // Each turn a thread takes its right neighbour's number and adds it.
    const auto out =
        run(".shared .align 4 .b32 row[256];\nmov.u32 %r10, row; mad.lo.u32 %r11, %r0, 4, %r10;\n"
            "add.u32 %r12, %r0, 1; and.b32 %r12, %r12, 255; mad.lo.u32 %r12, %r12, 4, %r10;\n"
            "mov.u32 %r2, %r1; mov.u32 %r20, 0;\n"
            "LOOP: st.shared.u32 [%r11], %r2; bar.sync 1, 256; ld.shared.u32 %r13, [%r12];\n"
            "add.u32 %r2, %r2, %r13; bar.sync 1, 256; add.u32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 9;\n"
            "@%p1 bra LOOP;",
            in, 256);
    std::vector<std::uint32_t> want = in;
    for (int turn = 0; turn < 9; ++turn) {
        std::vector<std::uint32_t> next(256);
        for (std::size_t t = 0; t < 256; ++t) next[t] = want[t] + want[(t + 1) % 256];
        want = next;
    }
    CHECK(out == want);
}

TEST_CASE("lanes that spin on another lane of their warp, or on another warp, are served") {
    const auto in = numbers(64);
    // Thread 40 sets the flag only after all others spin; it stands behind them in the code.
    const auto out = run(
        ".shared .align 4 .b32 flag;\nsetp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [flag], 0; bar.sync 0;\n"
        "setp.eq.u32 %p1, %r0, 40; @%p1 bra SET;\n"
        "SPIN: ld.volatile.shared.u32 %r2, [flag]; setp.eq.u32 %p2, %r2, 0; @%p2 bra SPIN; bra END;\n"
        "SET: st.volatile.shared.u32 [flag], 77; mov.u32 %r2, 77;\nEND:",
        in, 64);
    CHECK(out == std::vector<std::uint32_t>(64, 77));
    // The one that is waited for has a loop of its own to go through; it is given whole slices for it.
    Program slow(kernel(
        prologue +
        ".shared .align 4 .b32 flag;\nsetp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [flag], 0; bar.sync 0;\n"
        "setp.eq.u32 %p1, %r0, 9; @%p1 bra WORK;\n"
        "SPIN: ld.volatile.shared.u32 %r2, [flag]; setp.eq.u32 %p2, %r2, 0; @%p2 bra SPIN; bra END;\n"
        "WORK: mov.u32 %r2, 0;\nMORE: add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 1000; @%p3 bra MORE;\n"
        "st.volatile.shared.u32 [flag], %r2;\nEND:" +
        epilogue));
    std::vector<std::uint32_t> last(64);
    CHECK(code(slow.run({}, in, last, {.max_steps = 1000000})).empty());
    CHECK(last[9] == 1000);
    CHECK(last[31] == 1000);
}

TEST_CASE("every number of steps below a kernel's own stops it, and its own does not") {
    const std::vector<std::uint32_t> in = numbers(32);
    std::vector<std::uint32_t> out(32);
    Program program(kernel(prologue + "mov.u32 %r2, 3;" + epilogue)); // 10 instructions
    for (std::uint64_t steps = 1; steps < 10; ++steps) {
        CHECK(code(program.run({}, in, out, {.max_steps = steps})) == "TM0708");
    }
    CHECK(code(program.run({}, in, out, {.max_steps = 10})).empty());
}

TEST_CASE("predicates of the guard choose lanes, and thread instructions count them") {
    const auto in = numbers(32);
    std::vector<std::uint32_t> out(32);
    Program program(
        kernel(prologue +
               "mov.u32 %r2, 0; setp.lt.u32 %p1, %r0, 5; @%p1 mov.u32 %r2, 1; @!%p1 add.u32 %r2, %r2, 2;" +
               epilogue));
    const Outcome outcome = program.run({}, in, out);
    REQUIRE(!outcome.fault);
    for (std::uint32_t t = 0; t < 32; ++t) CHECK(out[t] == (t < 5 ? 1u : 2u));
    CHECK(outcome.thread_instructions == 32 * 12);
}

TEST_CASE("every CTA begins with nothing: shared memory, registers, and the right to allocate") {
    const std::string alloc =
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], %r3; ld.shared.b32 %r4, [slot];\n"
        "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n"
        "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, %r3;\n";
    const std::string setup = ".shared .align 4 .b32 slot; mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 0;\n";
    const std::vector<std::uint32_t> in(1);
    std::vector<std::uint32_t> out(1);
    const Limits one{.threads = 1}; // the same warps and memories for both
    // The second CTA allocates more than the first did.
    Program allocations(kernel(setup + "selp.b32 %r3, 32, 64, %p1;\n" + alloc + "ret;"));
    CHECK(words(allocations.run({{32, 1, 1}, {2, 1, 1}}, in, out, one)).empty());
    Program shared(kernel(setup + "@%p1 st.shared.u32 [slot], 1; ld.shared.u32 %r5, [slot]; ret;"));
    const Outcome outcome = shared.run({{32, 1, 1}, {2, 1, 1}}, in, out, one);
    CHECK(code(outcome) == "TM0705");
    CHECK(outcome.fault->cta == Dimensions{1, 0, 0});
    Program registers(kernel(setup + "@%p1 mov.u32 %r5, 1; add.u32 %r6, %r5, 1; ret;"));
    CHECK(code(registers.run({{32, 1, 1}, {2, 1, 1}}, in, out, one)) == "TM0704");
}
