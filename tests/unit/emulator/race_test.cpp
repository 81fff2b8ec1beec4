// Races between warps, pattern by pattern: what orders two accesses to shared memory (barriers with and
// without a number and a count, fences with flags, atomics) and what does not, byte by byte; and the whole
// chain that tensor memory needs, with each link left out in turn.
#include "program.hpp"

#include <fmt/format.h>

using namespace tmemc::emulator;

namespace {

// `first` is what warp 0 does, `second` what the others do; both work on the bytes of `word`.
std::string two_warps(const std::string& first, const std::string& second) {
    return kernel(".shared .align 16 .b8 word[64];\n.reg .pred %q, %done; mov.u32 %r1, %tid.x; "
                  "setp.gt.u32 %q, %r1, 31; mov.u32 %r7, 7; mov.u16 %h7, 7;\n@%q bra SECOND;\n" +
                  first + "\nbra END;\nSECOND:\n" + second + "\nEND: ret;");
}

std::string outcome_of(const std::string& text, std::uint32_t threads = 64) {
    Program program(text);
    std::vector<std::uint32_t> in(64), out(64);
    Limits limits;
    limits.max_steps = 200000;
    return code(program.run({{threads, 1, 1}, {1, 1, 1}}, in, out, limits));
}

const std::string writes = "st.shared.b32 [word], %r7;";
const std::string reads = "ld.shared.b32 %r2, [word];";
const std::string race = "TM0782";

} // namespace

TEST_CASE("accesses of two warps to the same bytes need a barrier between") {
    CHECK(outcome_of(two_warps(writes + "bar.sync 0;", "bar.sync 0;" + reads)) == "");
    CHECK(outcome_of(two_warps(writes, reads)) == race);
    CHECK(outcome_of(two_warps(writes, writes)) == race);
    CHECK(outcome_of(two_warps(writes + "bar.sync 0;", reads + "bar.sync 0;")) !=
          ""); // never written, or a race
    // A read and a later write.
    const std::string written = writes + "bar.sync 0;";
    CHECK(outcome_of(two_warps(written + reads, "bar.sync 0;" + writes)) == race);
    CHECK(outcome_of(two_warps(written + reads + "bar.sync 0;", "bar.sync 0; bar.sync 0;" + writes)) == "");
    CHECK(outcome_of(two_warps(written + reads, "bar.sync 0;" + reads)) == "");
    // Several readers; one of them is not ordered.
    const std::string three =
        kernel(".shared .align 4 .b32 word;\n.reg .pred %a, %b; mov.u32 %r1, %tid.x; shr.u32 %r1, %r1, 5; "
               "setp.eq.u32 %a, %r1, 0; setp.eq.u32 %b, %r1, 1; mov.u32 %r7, 7;\n"
               "@!%a bra X; st.shared.b32 [word], %r7; X: bar.sync 0;\n"
               "@%b bra Y; ld.shared.b32 %r2, [word]; Y: @%a bra END; bar.sync 1, 64;\n"
               "@!%b bra END; st.shared.b32 [word], %r7; END: ret;");
    CHECK(outcome_of(three, 96) == race); // warp 0's read
}

TEST_CASE("a barrier orders those who meet at it and nobody else") {
    CHECK(outcome_of(two_warps(writes + "bar.sync 1, 64;", "bar.sync 1, 64;" + reads)) == "");
    CHECK(outcome_of(two_warps(writes + "bar.sync 1, 32;", "bar.sync 2, 32;" + reads)) == race);
    CHECK(outcome_of(two_warps("bar.sync 1, 64;" + writes, "bar.sync 1, 64;" + reads)) != "");
    // The same barrier, at different times.
    CHECK(outcome_of(two_warps(writes + "bar.sync 1, 32;", "bar.sync 1, 32;" + reads)) == race);
    // By way of a third warp.
    const std::string relay =
        kernel(".shared .align 4 .b32 word;\n.reg .pred %a, %b; mov.u32 %r1, %tid.x; shr.u32 %r1, %r1, 5; "
               "setp.eq.u32 %a, %r1, 0; setp.eq.u32 %b, %r1, 1; mov.u32 %r7, 7;\n"
               "@%a bra A; @%b bra B; bar.sync 2, 64; ld.shared.b32 %r2, [word]; bra END;\n"
               "A: st.shared.b32 [word], %r7; bar.sync 1, 64; bra END;\n"
               "B: bar.sync 1, 64; bar.sync 2, 64;\nEND: ret;");
    CHECK(outcome_of(relay, 96) == "");
}

TEST_CASE("bytes are told apart, whatever the size of the accesses before") {
    const auto bytes = [](const char* a, const char* b) { return outcome_of(two_warps(a, b)); };
    CHECK(bytes("st.shared.u8 [word], %h7;", "st.shared.u8 [word+1], %h7;") == "");
    CHECK(bytes("st.shared.u8 [word+1], %h7;", "st.shared.u8 [word+1], %h7;") == race);
    CHECK(bytes("st.shared.v4.b32 [word], {%r7, %r7, %r7, %r7};", "st.shared.u8 [word+9], %h7;") == race);
    CHECK(bytes("st.shared.v4.b32 [word], {%r7, %r7, %r7, %r7};", "st.shared.u8 [word+16], %h7;") == "");
    CHECK(bytes("st.shared.u8 [word+9], %h7;", "st.shared.v4.b32 [word], {%r7, %r7, %r7, %r7};") == race);
    CHECK(bytes("st.shared.u16 [word+2], %h7;", "st.shared.b32 [word+4], %r7;") == "");
    // Generic addresses meet the same bytes.
    CHECK(bytes("mov.u64 %d1, word; cvta.shared.u64 %d1, %d1; st.b32 [%d1], %r7;",
                "ld.shared.b32 %r2, [word];") == race);
    // The lanes of a warp are ordered.
    CHECK(outcome_of(kernel(".shared .b32 word; mov.u32 %r1, %tid.x; st.shared.b32 [word], %r1; "
                            "ld.shared.b32 %r2, [word];"),
                     32) == "");
}

TEST_CASE("flags order what stands before a release behind an acquire") {
    const auto flag = [](const std::string& release, const std::string& acquire) {
        return outcome_of(
            kernel(".shared .align 16 .b8 word[64];\n.reg .pred %q, %again; mov.u32 %r1, %tid.x; "
                   "setp.gt.u32 %q, %r1, 31; mov.u32 %r7, 7; mov.u32 %r0, 0;\n"
                   "@%q bra GO; st.shared.b32 [word+16], %r0; GO: bar.sync 0; @%q bra SECOND;\n"
                   "st.shared.b32 [word], %r7;" +
                   release + "\nbra END;\nSECOND:\nAGAIN: " + acquire +
                   "\nsetp.eq.u32 %again, %r2, 0; @%again bra AGAIN; ld.shared.b32 %r3, [word];\nEND: ret;"));
    };
    const std::string release = "st.release.cta.shared.b32 [word+16], %r7;";
    const std::string acquire = "ld.acquire.cta.shared.b32 %r2, [word+16];";
    CHECK(flag(release, acquire) == "");
    CHECK(flag("st.relaxed.cta.shared.b32 [word+16], %r7;", acquire) == race);
    CHECK(flag(release, "ld.relaxed.cta.shared.b32 %r2, [word+16];") == race);
    CHECK(flag("st.shared.b32 [word+16], %r7;", acquire) == race); // on the flag itself
}

namespace {

// Two warps of one slice, 0 and 4, and the links between an access of the one and an access of the other.
std::string tensor(const std::string& first, const std::string& between_first,
                   const std::string& between_others, const std::string& second) {
    return tensor_kernel(
        32,
        ".reg .pred %a, %b; .reg .b32 %w; shr.u32 %w, %tid, 5; setp.eq.u32 %a, %w, 0; "
        "setp.eq.u32 %b, %w, 4; mov.u32 %r7, 7;\n@!%a bra F; "
        "tcgen05.st.sync.aligned.32x32b.x2.b32 [%t], {%r7, %r7}; tcgen05.wait::st.sync.aligned; F: "
        "tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;\n@!%a bra X;\n" +
            first + between_first + "\nbra Y;\nX:\n" + between_others + "\nY:\n@!%b bra Z;\n" + second +
            "\nZ: tcgen05.fence::before_thread_sync;\n");
}

} // namespace

TEST_CASE("tensor memory needs the wait, both fences and the barrier between two warps") {
    const std::string st = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%t+1], {%r7};";
    const std::string ld = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%t+1];";
    const std::string wait_st = "tcgen05.wait::st.sync.aligned;", wait_ld = "tcgen05.wait::ld.sync.aligned;";
    const std::string before = "tcgen05.fence::before_thread_sync;",
                      after = "tcgen05.fence::after_thread_sync;", bar = "bar.sync 1;";
    const auto run = [&](const std::string& first, const std::string& chain, const std::string& others,
                         const std::string& second) {
        return outcome_of(tensor(first, chain, others, second), 160);
    };
    CHECK(run(st, wait_st + before + bar, bar + after, ld + wait_ld) == "");
    CHECK(run(st, wait_st + bar, bar + after, ld + wait_ld) == "TM0783");
    CHECK(run(st, wait_st + before + bar, bar, ld + wait_ld) == "TM0783");
    CHECK(run(st, wait_st + before, after, ld + wait_ld) == "TM0783");
    CHECK(run(st, before + wait_st + bar, bar + after, ld + wait_ld) == "TM0783");
    CHECK(run(st, before + bar + wait_st, bar + after, ld + wait_ld) != "");
    CHECK(run(ld, wait_ld + before + bar, bar + after, st + wait_st) == "");
    CHECK(run(ld, wait_ld + bar, bar + after, st + wait_st) == "TM0783");
    CHECK(run(ld, wait_st + before + bar + wait_ld, bar + after, st + wait_st) != "");
    CHECK(run(ld, wait_ld + bar, bar + after, ld + wait_ld) == ""); // two loads
    const std::string other = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%t], {%r7};";
    CHECK(run(st, wait_st + bar, bar, other + wait_st) == ""); // other cells
}

TEST_CASE("a store that is never waited for lands late, also for the loads of other warps") {
    // Without observers: the load of warp 4 finds what was there before.
    const std::string body =
        tensor("tcgen05.st.sync.aligned.32x32b.x1.b32 [%t], {%w};", "bar.sync 1;", "bar.sync 1;",
               "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%t]; tcgen05.wait::ld.sync.aligned; "
               "st.global.b32 [%out], %r3;");
    Program program(body);
    std::vector<std::uint32_t> in(64), out(64);
    Limits limits;
    limits.hazards_are_faults = false;
    CHECK(words(program.run({{160, 1, 1}, {1, 1, 1}}, in, out, limits)) == "");
    CHECK(out[0] == 7); // and not 0, warp 0's number
}
