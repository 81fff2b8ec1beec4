// One-operation kernels to be run on a GPU and on the emulator: the good probes of tests/data/opcodes that
// only have registers and constants. A thread loads four words into registers 1 to 4 of every kind, executes
// the instruction and stores what it wrote:
//
//     add.cc.u32 %r0, %r1, %r2;   ->   out[0] = %r0;  out[1] = the predicates written, and the carry
//
// Inputs are drawn from the instruction's text, so a recording holds results only: for each instruction a
// hash of all of them, and the first few. The programs of device_programs.hpp are recorded by their names in
// the same way, and their inputs are drawn from their text. Nothing but the standard library is used here:
// device_record.cpp is compiled alone on a machine with a GPU, device_replay_test.cpp compares the emulator
// with what it wrote.
#pragma once

#include "device_programs.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace device {

inline constexpr std::size_t threads = 1024, block = 256, samples = 4;

struct Case {
    std::string instruction; // or the name of a program
    std::string program{}, functions{};
    [[nodiscard]] std::string name() const { return instruction.substr(0, instruction.find(' ')); }
    [[nodiscard]] std::string type() const { return name().substr(name().rfind('.') + 1); }
    /// Whose last bits PTX leaves open.
    [[nodiscard]] bool approximate() const {
        return name().find(".approx") != std::string::npos || name().find(".full") != std::string::npos;
    }
};

inline std::vector<Case> cases(const std::string& folder) {
    std::vector<Case> list;
    for (const char* file : {"approximate", "bits", "carry", "compare", "convert", "count", "divide",
                             "double", "float", "half", "integer", "mixed", "move", "narrow", "sign"}) {
        std::ifstream in(folder + "/" + file + ".txt");
        for (std::string line; std::getline(in, line);) {
            const std::size_t first = line.find(" | "), second = line.find(" |", first + 3);
            if (line.empty() || line[0] == '#' || second == std::string::npos) continue;
            const std::string good = line.substr(first + 3, second - first - 3);
            const bool registers_only = good.find_first_of("[{@") == std::string::npos &&
                                        good.find("%q") == std::string::npos &&
                                        good.find('%') != std::string::npos;
            if (registers_only && good.back() == ';') list.push_back({good});
        }
    }
    for (const Program& each : programs()) list.push_back({each.name, each.text, each.functions});
    return list;
}

inline std::uint64_t hash(const void* data, std::size_t bytes, std::uint64_t so_far = 0xcbf29ce484222325) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (std::size_t k = 0; k < bytes; ++k) so_far = (so_far ^ at[k]) * 0x100000001b3;
    return so_far;
}

// ---- inputs

/// A number with the given fields: random, with exponents near the middle, the ends or one another.
inline std::uint64_t draw_float(std::mt19937_64& random, int bits, int fraction) {
    const std::uint64_t exponents = (std::uint64_t{1} << (bits - 1 - fraction)) - 1, bias = exponents / 2;
    std::uint64_t exponent = bias - 3 + random() % 7,
                  mantissa = random() & ((std::uint64_t{1} << fraction) - 1);
    const std::uint64_t how = random() % 8;
    if (how == 0) exponent = random() % (exponents + 1);
    if (how == 1) exponent = random() % 2;
    if (how == 2) exponent = exponents - random() % 2;
    if (how == 3) exponent = bias / 2 + random() % 4;
    if (random() % 4 == 0) mantissa = random() % 2 == 0 ? 0 : mantissa & (mantissa << (random() % 8));
    return random() % 2 << (bits - 1) | exponent << fraction | mantissa;
}

inline std::uint64_t draw_integer(std::mt19937_64& random) {
    static constexpr std::uint64_t edges[] = {0,
                                              1,
                                              2,
                                              31,
                                              32,
                                              33,
                                              63,
                                              64,
                                              255,
                                              0x7fff,
                                              0x8000,
                                              0xffff,
                                              0x7fffffff,
                                              0x80000000,
                                              0xffffffff,
                                              0x7fffffffffffffff,
                                              0x8000000000000000,
                                              0xffffffffffffffff};
    const std::uint64_t how = random() % 3, edge = edges[random() % std::size(edges)];
    return how == 0 ? random() : how == 1 ? edge : random() >> random() % 64;
}

inline std::vector<std::uint64_t> inputs(const Case& of) {
    const std::string text = of.instruction + of.functions + of.program;
    std::mt19937_64 random(hash(text.data(), text.size()));
    const std::string type = of.type();
    std::vector<std::uint64_t> words(threads * 4);
    for (std::uint64_t& word : words) {
        if (type == "f64")
            word = draw_float(random, 64, 52);
        else if (type.find("f32") != std::string::npos)
            word = draw_float(random, 32, 23) << 32 | draw_float(random, 32, 23);
        else if (type.find("bf16") != std::string::npos)
            word = draw_float(random, 16, 7) << 16 | draw_float(random, 16, 7);
        else if (type.find("f16") != std::string::npos)
            word = draw_float(random, 16, 10) << 16 | draw_float(random, 16, 10);
        else
            word = draw_integer(random);
    }
    return words;
}

// ---- the kernel

inline std::string kernel(const Case& of, const std::string& version, const std::string& target) {
    const bool program = !of.program.empty();
    std::string text =
        ".version " + version + "\n.target " + target + "\n.address_size 64\n" + of.functions +
        (program ? ".global .align 16 .b8 memory[16384]; .shared .align 16 .b8 window[4096];\n" : "") +
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n" + declarations() +
        "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
        "mov.u32 %i0, %ctaid.x; mov.u32 %i1, %tid.x; mad.lo.u32 %i0, %i0, 256, %i1;\n"
        "mul.wide.u32 %w0, %i0, 32; add.u64 %in, %in, %w0;\n"
        "mul.wide.u32 %w0, %i0, 16; add.u64 %out, %out, %w0;\n"
        "mov.b16 %h0, 0; mov.b32 %r0, 0; mov.b64 %d0, 0; mov.f32 %f0, 0f00000000;\n"
        "mov.f64 %g0, 0d0000000000000000; setp.ne.u32 %p0, %i0, %i0;\n";
    for (const char n : {'1', '2', '3', '4'}) {
        std::string load =
            "ld.global.u64 %w#, [%in+@]; cvt.u32.u64 %r#, %w#; cvt.u16.u64 %h#, %w#; mov.b64 %d#, %w#;\n"
            "mov.b32 %f#, %r#; mov.b64 %g#, %d#; and.b32 %i2, %r#, 1; setp.ne.u32 %p#, %i2, 0;\n";
        for (std::size_t at; (at = load.find('#')) != std::string::npos;) load[at] = n;
        load.replace(load.find('@'), 1, std::to_string(8 * (n - '1')));
        text += load;
    }
    if (program)
        return text + of.program + "st.global.u64 [%out], %w0; st.global.u64 [%out+8], %w1; ret;\n}\n";
    text += "and.b32 %i2, %r4, 1; add.cc.u32 %i2, %i2, 0xffffffff;\n" + of.instruction +
            "\naddc.u32 %i2, 0, 0;\n";
    // What the first operand names was written.
    const std::size_t begin = of.instruction.find(' ') + 1;
    const std::string written = of.instruction.substr(begin, of.instruction.find(',') - begin);
    const auto writes = [&](const char* name) { return written.find(name) != std::string::npos; };
    std::string value = "mov.b64 %w0, 0;\n";
    if (writes("%h0")) value = "cvt.u64.u16 %w0, %h0;\n";
    if (writes("%r0")) value = "cvt.u64.u32 %w0, %r0;\n";
    if (writes("%d0")) value = "mov.b64 %w0, %d0;\n";
    if (writes("%f0")) value = "mov.b32 %i3, %f0; cvt.u64.u32 %w0, %i3;\n";
    if (writes("%g0")) value = "mov.b64 %w0, %g0;\n";
    const std::size_t second = written.find("|%p");
    const std::string other = second == std::string::npos ? "%p0" : written.substr(second + 1);
    return text + value + "selp.b32 %i3, 1, 0, %p0; selp.b32 %i4, 2, 0, " + other +
           "; or.b32 %i3, %i3, %i4; shl.b32 %i2, %i2, 2;\nor.b32 %i3, %i3, %i2; cvt.u64.u32 %w1, %i3;\n"
           "st.global.u64 [%out], %w0; st.global.u64 [%out+8], %w1; ret;\n}\n";
}

/// A line of a recording: the instruction, the hash of all results, the first of them.
inline std::string line(const Case& of, const std::vector<std::uint64_t>& results) {
    char number[32];
    std::snprintf(number, sizeof number, "%016llx",
                  static_cast<unsigned long long>(hash(results.data(), results.size() * 8)));
    std::string text = of.instruction + " | " + number + " |";
    const std::size_t kept = !of.program.empty() ? 1 : of.approximate() ? 4 * samples : samples;
    for (std::size_t t = 0; t < kept; ++t) {
        std::snprintf(number, sizeof number, " %llx", static_cast<unsigned long long>(results[2 * t]));
        text += number;
    }
    return text;
}

} // namespace device
