// Structured control flow whose lanes part: the values are those of plain C++, thread by thread, and the
// steps say that lanes meet again where the structure ends. Then what independent thread scheduling promises:
// lanes that wait for other lanes of their warp get on, however often it is the other's turn. Not here:
// barriers (barrier_test.cpp).
#include "program.hpp"

#include <functional>

using namespace tmemc::emulator;

namespace {

constexpr std::uint32_t threads = 96; // three warps

// %r0 is the thread, %r1 its number (0 to 40, three of each or so), %r2 the result.
const std::string prologue =
    "mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %in, %in, %d1; add.u64 %out, %out, %d1;\n"
    "ld.global.u32 %r1, [%in]; mov.u32 %r2, 0;\n";
const std::string epilogue = "\nEND: st.global.u32 [%out], %r2; ret;";

std::vector<std::uint32_t> numbers() {
    std::vector<std::uint32_t> list(threads);
    for (std::uint32_t t = 0; t < threads; ++t) list[t] = t * 29 % 41;
    return list;
}

// Runs the body in at most `steps` warp instructions and compares with `want` of thread and number.
void same(const std::string& body, std::uint64_t steps,
          const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& want) {
    const auto in = numbers();
    std::vector<std::uint32_t> out(threads);
    Program program(kernel(prologue + body + epilogue));
    const Outcome outcome = program.run({{threads}}, in, out, {.max_steps = steps});
    CHECK_MESSAGE(!outcome.fault, words(outcome));
    for (std::uint32_t t = 0; t < threads; ++t) {
        CAPTURE(t);
        CHECK(out[t] == want(t, in[t]));
    }
}

std::string times(int count, const std::string& text) {
    std::string all;
    for (int k = 0; k < count; ++k) all += text;
    return all;
}

} // namespace

TEST_CASE("a loop with break and continue: the lanes that leave wait at its end") {
    // for (i = 0; i < 40; ++i) { if (i >= n) break; if (i & n & 1) continue; r += i; }  then 200 instructions
    same("mov.u32 %r3, 0;\n"
         "LOOP: setp.ge.u32 %p1, %r3, 40; @%p1 bra DONE; setp.ge.u32 %p1, %r3, %r1; @%p1 bra DONE;\n"
         "and.b32 %r4, %r3, %r1; and.b32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra NEXT;\n"
         "add.u32 %r2, %r2, %r3;\nNEXT: add.u32 %r3, %r3, 1; bra LOOP;\nDONE:" +
             times(200, "add.u32 %r2, %r2, 1;\n"),
         3 * (20 + 41 * 14 + 200), [](std::uint32_t, std::uint32_t n) {
             std::uint32_t sum = 200;
             for (std::uint32_t i = 0; i < 40 && i < n; ++i) sum += (i & n & 1) != 0 ? 0 : i;
             return sum;
         });
}

TEST_CASE("a loop in a loop: lanes meet at the end of each turn of the outer one") {
    // for (i = 0; i < 5; ++i) { for (j = 0; j < (n + i) % 7; ++j) r += j; 50 instructions }
    same("mov.u32 %r3, 0;\n"
         "OUTER: add.u32 %r5, %r1, %r3; rem.u32 %r5, %r5, 7; mov.u32 %r4, 0;\n"
         "INNER: setp.ge.u32 %p1, %r4, %r5; @%p1 bra TAIL; add.u32 %r2, %r2, %r4; add.u32 %r4, %r4, 1; bra "
         "INNER;\n"
         "TAIL:" +
             times(50, "add.u32 %r2, %r2, 1;\n") +
             "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 5; @%p2 bra OUTER;",
         3 * (20 + 5 * (6 + 7 * 5 + 50 + 6)), [](std::uint32_t, std::uint32_t n) {
             std::uint32_t sum = 0;
             for (std::uint32_t i = 0; i < 5; ++i) {
                 for (std::uint32_t j = 0; j < (n + i) % 7; ++j) sum += j;
                 sum += 50;
             }
             return sum;
         });
}

TEST_CASE("a switch, with a case that falls through: the lanes of all cases meet behind it") {
    same("and.b32 %r3, %r1, 3;\n"
         "setp.eq.u32 %p1, %r3, 0; @%p1 bra ZERO; setp.eq.u32 %p1, %r3, 1; @%p1 bra ONE;\n"
         "setp.eq.u32 %p1, %r3, 2; @%p1 bra TWO;\nadd.u32 %r2, %r2, 1000; bra BEHIND;\n"
         "TWO: add.u32 %r2, %r2, 20; bra BEHIND;\nONE: add.u32 %r2, %r2, 300;\n"
         "ZERO: add.u32 %r2, %r2, 4000; bra BEHIND;\nBEHIND:" +
             times(200, "add.u32 %r2, %r2, 1;\n"),
         3 * (40 + 200), [](std::uint32_t, std::uint32_t n) {
             switch (n % 4) {
             case 0: return 4200u;
             case 1: return 4500u;
             case 2: return 220u;
             default: return 1200u;
             }
         });
}

TEST_CASE("lanes return out of a loop in an if; the rest goes on together, to a barrier too") {
    same("setp.lt.u32 %p1, %r1, 20; @%p1 bra ELSE;\n"
         "LOOP: add.u32 %r2, %r2, 1; add.u32 %r3, %r2, 25; setp.eq.u32 %p2, %r3, %r1; @%p2 bra LEAVE;\n"
         "setp.lt.u32 %p3, %r2, 10; @%p3 bra LOOP; bra MEET;\n"
         "LEAVE: st.global.u32 [%out], %r1; exit;\n"
         "ELSE: mov.u32 %r2, 77;\nMEET: bar.sync 0;" +
             times(200, "add.u32 %r2, %r2, 1;\n"),
         3 * (20 + 10 * 7 + 10 + 200), [](std::uint32_t, std::uint32_t n) {
             if (n < 20) return 277u;
             return n > 25 && n <= 35 ? n : 210u;
         });
}

TEST_CASE("lanes whose conditions depend on the turn part and meet in every turn") {
    // for (i = 0; i < 32; ++i) { if (thread % 32 == i) r += 100 else r += 1; 10 instructions }
    same("mov.u32 %r3, 0; and.b32 %r4, %r0, 31;\n"
         "LOOP: setp.eq.u32 %p1, %r3, %r4; @%p1 bra MINE; add.u32 %r2, %r2, 1; bra JOIN;\n"
         "MINE: add.u32 %r2, %r2, 100;\nJOIN:" +
             times(10, "add.u32 %r2, %r2, 1;\n") +
             "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 32; @%p2 bra LOOP;",
         3 * (20 + 32 * (5 + 10 + 3)), [](std::uint32_t, std::uint32_t) { return 100u + 31u + 320u; });
}

TEST_CASE("two lanes of a warp take turns a hundred times, each waiting for the other in a loop") {
    // Lane 0 waits for an even number and makes it odd, lane 1 the other way round.
    same(".shared .align 4 .b32 ball;\nsetp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [ball], 0; bar.sync 0;\n"
         "setp.gt.u32 %p1, %r0, 1; @%p1 bra END; mov.u32 %r3, 0;\n"
         "ROUND: ld.volatile.shared.u32 %r4, [ball]; and.b32 %r5, %r4, 1; setp.ne.u32 %p2, %r5, %r0;\n"
         "@%p2 bra ROUND; add.u32 %r4, %r4, 1; st.volatile.shared.u32 [ball], %r4; add.u32 %r3, %r3, 1;\n"
         "setp.lt.u32 %p3, %r3, 50; @%p3 bra ROUND; mov.u32 %r2, %r4;",
         100'000'000, [](std::uint32_t t, std::uint32_t) { return t > 1 ? 0u : 99u + t; });
}

TEST_CASE("a warp waits for one that waits for a third") {
    // Warp 0 waits for warp 1's flag, which waits for warp 2's.
    same(".shared .align 4 .b32 flags[4];\nshr.u32 %r3, %r0, 5; mov.u32 %r4, flags; mad.lo.u32 %r4, %r3, 4, "
         "%r4;\n"
         "st.shared.u32 [%r4], 0; bar.sync 0; setp.eq.u32 %p1, %r3, 2; @%p1 bra LAST;\n"
         "SPIN: ld.volatile.shared.u32 %r2, [%r4+4]; setp.eq.u32 %p2, %r2, 0; @%p2 bra SPIN;\n"
         "LAST: add.u32 %r2, %r2, 1; st.volatile.shared.u32 [%r4], %r2;",
         10'000'000, [](std::uint32_t t, std::uint32_t) { return 3 - t / 32; });
}

TEST_CASE("a deadlock in one CTA of many is found on any number of host threads, and the others are right") {
    const auto in = numbers();
    Program program(kernel("mov.u32 %r0, %ctaid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %out, %out, %d1;\n"
                           "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; setp.eq.u32 %p2, %r0, 5;\n"
                           "and.pred %p1, %p1, %p2; @%p1 bra OTHER; bar.sync 0; bra DONE;\n"
                           "OTHER: bar.sync 1;\nDONE: st.global.u32 [%out], %r0; ret;"));
    for (const std::uint32_t workers : {1u, 2u, 7u}) {
        std::vector<std::uint32_t> out(12, 99);
        const Outcome outcome = program.run({{64}, {12}}, in, out, {.threads = workers});
        CHECK(code(outcome) == "TM0748");
        REQUIRE(outcome.fault);
        CHECK(outcome.fault->cta == Dimensions{5, 0, 0});
        for (std::uint32_t n = 0; n < 5; ++n) CHECK(out[n] == n);
    }
}
