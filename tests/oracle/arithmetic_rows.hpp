// Runs an opcode row of the emulator on many operands, so that an oracle can judge what it computed. A row
// becomes a kernel in which each thread loads its operands, executes the instruction once and stores the
// result:
//
//     mad.lo.u32  ->  ld.global.u32 %r1..%r3, the carry into CC.CF;  mad.lo.u32 %r0, %r1, %r2, %r3;  st %r0
//
// Beside the result a thread stores the carry that the instruction left. Half of the runs are guarded, so
// that lanes that must keep their register are seen to. Not here: what is right (integer_rows_test.cpp,
// float_rows_test.cpp).
#pragma once

#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tmemc::oracle {

using emulator::CpuLevel;
using emulator::Opcode;
__extension__ using Natural = unsigned __int128;

inline constexpr std::size_t operands_per_thread = 5; // the last one is the carry

/// A name taken apart: "add.rn.ftz.f32".
struct Name {
    std::string full;
    std::vector<std::string> words;
    [[nodiscard]] const std::string& operation() const { return words.front(); }
    [[nodiscard]] const std::string& type() const { return words.back(); }
    [[nodiscard]] bool has(std::string_view word) const {
        return std::find(words.begin(), words.end(), word) != words.end();
    }
};
inline Name name_of(const Opcode& row) {
    Name name;
    for (const std::string_view part : {row.stem, row.modifiers, row.type}) {
        if (!part.empty()) name.full += (name.full.empty() ? "" : ".") + std::string(part);
    }
    std::string word;
    for (const char c : name.full + ".") {
        if (c != '.') {
            word += c;
        } else {
            name.words.push_back(word);
            word.clear();
        }
    }
    return name;
}

/// What one thread had and made.
struct Sample {
    std::vector<std::uint64_t> in; // the operands, cut to their widths; predicates 0 or 1
    bool carry = false;            // in CC.CF before
    std::uint64_t out = 0;
    bool carry_out = false;
};

inline std::uint64_t cut(std::uint64_t value, int bits) {
    return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

/// How many sources the text has.
inline std::size_t sources(const Opcode& row) {
    std::size_t count = 0;
    while (count + 1 < row.bits.size() && row.bits[count + 1] > 0) ++count;
    return count;
}

inline std::string operand(int bits, std::size_t number) {
    const char* prefix = bits == 1 ? "%p" : bits == 16 ? "%h" : bits == 32 ? "%r" : "%d";
    return prefix + std::to_string(number);
}

inline std::string row_kernel(const Opcode& row, const std::vector<int>& bits, bool guarded,
                              std::string_view tail) {
    std::string body =
        "mov.u32 %r200, %tid.x; mov.u32 %r202, %ctaid.x; mad.lo.u32 %r200, %r202, 256, %r200;\n"
        "mul.wide.u32 %d50, %r200, 40; add.u64 %in, %in, %d50;\n"
        "mul.wide.u32 %d50, %r200, 16; add.u64 %out, %out, %d50;\n"
        "and.b32 %r201, %r200, 1; setp.eq.u32 %p50, %r201, 1; setp.ne.u32 %p0, %r200, %r200;\n"
        "mov.u16 %h0, 0x5a5a; mov.u32 %r0, 0x5a5a5a5a; mov.u64 %d0, 0x5a5a5a5a5a5a5a5a;\n";
    std::string operands = operand(bits[0], 0);
    for (std::size_t k = 1; k < bits.size(); ++k) {
        const std::string at = "[%in+" + std::to_string(8 * (k - 1)) + "];\n";
        if (bits[k] == 1)
            body += "ld.global.u32 %r100, " + at + "setp.ne.u32 " + operand(1, k) + ", %r100, 0;\n";
        else
            body += "ld.global.u" + std::to_string(bits[k]) + " " + operand(bits[k], k) + ", " + at;
        operands += ", " + operand(bits[k], k);
    }
    // x + (2^32 - 1) has a carry where x is not zero.
    body += "ld.global.u32 %r101, [%in+32]; add.cc.u32 %r101, %r101, 0xffffffff;\n";
    body += (guarded ? "@%p50 " : "") + name_of(row).full + " " + operands + std::string(tail) + ";\n";
    body += "addc.u32 %r102, 0, 0; st.global.u32 [%out+8], %r102;\n";
    if (bits[0] == 1) body += "selp.b32 %r0, 1, 0, %p0;\n";
    const int out = bits[0] == 1 ? 32 : bits[0];
    return emulator::kernel(body + "st.global.u" + std::to_string(out) + " [%out], " + operand(out, 0) +
                            ";\nret;");
}

/// Fills in what the row makes of the samples' operands. `tail` follows the operands in the text. Lanes that
/// the guard leaves out are checked here.
inline void run_row(const Opcode& row, const std::vector<int>& bits, CpuLevel level, bool guarded,
                    std::vector<Sample>& samples, std::string_view tail = "") {
    constexpr std::size_t block = 256;
    std::vector<std::uint64_t> in(samples.size() * operands_per_thread), out(samples.size() * 2);
    for (std::size_t t = 0; t < samples.size(); ++t) {
        for (std::size_t k = 0; k < samples[t].in.size(); ++k)
            in[t * operands_per_thread + k] = samples[t].in[k];
        in[t * operands_per_thread + 4] = samples[t].carry ? 1 : 0;
    }
    REQUIRE(samples.size() % block == 0);
    emulator::Program program(row_kernel(row, bits, guarded, tail), level);
    const emulator::Outcome outcome =
        program.run({{block, 1, 1}, {static_cast<std::uint32_t>(samples.size() / block), 1, 1}}, in, out);
    REQUIRE_MESSAGE(!outcome.fault, emulator::words(outcome));
    std::vector<Sample> executed;
    for (std::size_t t = 0; t < samples.size(); ++t) {
        samples[t].out = out[2 * t];
        samples[t].carry_out = out[2 * t + 1] != 0;
        const bool runs = !guarded || t % 2 == 1;
        if (runs)
            executed.push_back(samples[t]);
        else if (out[2 * t] != (bits[0] == 1 ? 0 : cut(0x5a5a5a5a5a5a5a5a, bits[0])) ||
                 samples[t].carry_out != samples[t].carry)
            FAIL_CHECK(name_of(row).full, " writes where its guard does not hold");
    }
    samples = executed;
}

inline std::vector<int> widths(const Opcode& row) {
    std::vector<int> bits{row.bits[0]};
    for (std::size_t k = 1; k <= sources(row); ++k) bits.push_back(row.bits[k]);
    return bits;
}

/// Calls `judge` for a row at each CPU level, with and without a guard.
inline void at_each_level(const std::function<void(CpuLevel, bool guarded)>& judge) {
    for (const CpuLevel level : {CpuLevel::baseline, emulator::cpu_level()}) {
        judge(level, false);
        judge(level, true);
        if (emulator::cpu_level() == CpuLevel::baseline) break;
    }
}

inline std::string spelled(const Sample& sample) {
    std::string text;
    for (const std::uint64_t value : sample.in) text += fmt::format("{:#x} ", value);
    return text + (sample.carry ? "with carry" : "");
}

} // namespace tmemc::oracle
