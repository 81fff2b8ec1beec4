// A grid on several threads gives what it gives on one: values, counts, and the fault that comes first in
// order.
#include "program.hpp"

using namespace tmemc::emulator;

namespace {

constexpr std::array<std::uint32_t, 4> thread_counts{1, 2, 5, 16};

// %r1 is the CTA's number and %out the place of its word.
const std::string prologue = "mov.u32 %r1, %ctaid.x; mul.wide.u32 %d1, %r1, 4; add.u64 %out, %out, %d1;\n";

// Goes round `turns` times and does nothing.
std::string busy(const std::string& label, int turns) {
    return "mov.u32 %r9, " + std::to_string(turns) + ";\n" + label + ": sub.u32 %r9, %r9, 1;\n" +
           "setp.ne.u32 %p9, %r9, 0; @%p9 bra " + label + ";\n";
}

} // namespace

TEST_CASE("every CTA of a grid runs once, on however many threads") {
    Program program(
        kernel("mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;\n"
               "mad.lo.u32 %r4, %r3, 5, %r2; mad.lo.u32 %r4, %r4, 7, %r1;\n"
               "mul.wide.u32 %d1, %r4, 4; add.u64 %out, %out, %d1; mad.lo.u32 %r2, %r2, 10, %r1;\n"
               "mad.lo.u32 %r2, %r3, 100, %r2; ld.global.u32 %r5, [%out];\n"
               "add.u32 %r5, %r5, %r2; st.global.u32 [%out], %r5; ret;"));
    std::vector<std::uint32_t> want;
    for (std::uint32_t z = 0; z < 3; ++z) {
        for (std::uint32_t y = 0; y < 5; ++y) {
            for (std::uint32_t x = 0; x < 7; ++x) want.push_back(1000 + 100 * z + 10 * y + x);
        }
    }
    for (const std::uint32_t threads : thread_counts) {
        std::vector<std::uint32_t> out(want.size(), 1000);
        const Outcome outcome = program.run({{1}, {7, 5, 3}}, out, out, {.threads = threads});
        CHECK_MESSAGE(!outcome.fault, words(outcome));
        CHECK(out == want);
        CHECK(outcome.thread_instructions == want.size() * 15);
    }
}

TEST_CASE("the fault of a grid is the one of the lowest CTA that has one, sooner or later than the others") {
    // CTAs from 5 on fail; first CTA 5 takes longest, then all of the others take longer. Those below 5 give
    // every thread the time to come up.
    for (const auto& [own, others] : {std::pair{1000000, 1}, std::pair{5000, 20000}}) {
        Program program(kernel(
            prologue + "setp.lt.u32 %p1, %r1, 5; @%p1 bra END; setp.gt.u32 %p1, %r1, 5; @%p1 bra OTHERS;\n" +
            busy("OWN", own) + "add.u32 %r3, %r2, 1;\nOTHERS:\n" + busy("LOOP", others) +
            "add.u32 %r3, %r2, 1;\nEND:\n" + busy("START", 300000) + "st.global.u32 [%out], %r1; ret;"));
        for (const std::uint32_t threads : thread_counts) {
            std::vector<std::uint32_t> out(40);
            const Outcome outcome = program.run({{1}, {40}}, out, out, {.threads = threads});
            CHECK(code(outcome) == "TM0704");
            REQUIRE(outcome.fault);
            CHECK(outcome.fault->cta == Dimensions{5, 0, 0});
            for (std::uint32_t n = 0; n < 5; ++n) CHECK(out[n] == n);
        }
    }
}

TEST_CASE("a CTA that never ends is given up when one before it fails") {
    Program program(kernel(prologue + "setp.gt.u32 %p1, %r1, 0; @%p1 bra EVER;\n" + busy("LOOP", 1000000) +
                           "add.u32 %r3, %r2, 1;\nEVER: bra EVER; ret;"));
    for (const std::uint32_t threads : thread_counts) {
        std::vector<std::uint32_t> out(40);
        const Limits limits{.timeout = std::chrono::seconds(60), .threads = threads};
        const Outcome outcome = program.run({{1}, {40}}, out, out, limits);
        CHECK(code(outcome) == "TM0704");
        CHECK(outcome.seconds < 50);
    }
}

TEST_CASE("time runs out for all threads at once, and steps for the CTA that takes one too many") {
    Program ever(kernel("EVER: bra EVER; ret;"));
    Program ten(
        kernel(prologue + "mov.u32 %r2, 7; st.global.u32 [%out], %r2; mov.u32 %r2, 8; ret;")); // 9 steps
    for (const std::uint32_t threads : thread_counts) {
        std::vector<std::uint32_t> out(20);
        const Limits time{.timeout = std::chrono::milliseconds(30), .threads = threads};
        const Outcome late = ever.run({{1}, {20}}, out, out, time);
        CHECK(code(late) == "TM0709");
        CHECK(late.seconds < 10);
        REQUIRE(late.fault);
        CHECK(late.fault->cta == Dimensions{0, 0, 0});

        const Outcome enough = ten.run({{1}, {20}}, out, out, {.max_steps = 20 * 9, .threads = threads});
        CHECK(code(enough).empty());
        const Outcome few = ten.run({{1}, {20}}, out, out, {.max_steps = 12 * 9 + 1, .threads = threads});
        CHECK(code(few) == "TM0708");
        REQUIRE(few.fault);
        CHECK(few.fault->cta == Dimensions{12, 0, 0});
    }
}

TEST_CASE("a CTA may wait for what one before it writes") {
    // A running sum: each CTA waits for the word of its left neighbour.
    Program program(kernel(prologue +
                           "mov.u32 %r2, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra WRITE;\n"
                           "SPIN: ld.volatile.global.u32 %r2, [%out+-4]; setp.eq.u32 %p2, %r2, 0;\n"
                           "@%p2 bra SPIN; add.u32 %r2, %r2, 1;\n"
                           "WRITE: st.volatile.global.u32 [%out], %r2; ret;"));
    for (const std::uint32_t threads : thread_counts) {
        std::vector<std::uint32_t> out(100);
        const Outcome outcome = program.run({{1}, {100}}, out, out, {.threads = threads});
        CHECK_MESSAGE(!outcome.fault, words(outcome));
        for (std::uint32_t n = 0; n < 100; ++n) CHECK(out[n] == n + 1);
    }
}
