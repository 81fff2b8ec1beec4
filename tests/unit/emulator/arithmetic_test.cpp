// What the oracles of tests/oracle do not draw: the narrowing of floats around every 16-bit number, and the
// hardest cases of the fused product and sum, at each CPU level. Every row of the opcode table has its oracle
// there.
#include "program.hpp"

#include <bit>
#include <cmath>

using namespace tmemc::emulator;

namespace {

__extension__ using Natural = unsigned __int128;

// To 16 bits by searching the neighbours in double: the nearest, of two equally near the even one.
template <int exponent_bits, int fraction_bits>
Natural narrowed(float value) {
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    constexpr unsigned all_ones = (1u << exponent_bits) - 1;
    if (std::isnan(value)) return 0x7fff;
    const unsigned sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(static_cast<double>(value));
    const auto decode = [&](unsigned code) {
        const unsigned exponent = code >> fraction_bits, fraction = code & ((1u << fraction_bits) - 1);
        if (exponent == 0) return std::ldexp(fraction, 1 - bias - fraction_bits);
        return std::ldexp(fraction + (1u << fraction_bits),
                          static_cast<int>(exponent) - bias - fraction_bits);
    };
    unsigned low = 0,
             high = all_ones << fraction_bits; // the code of infinity decodes to the number it stands behind
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (decode(middle) <= magnitude ? low : high) = middle;
    }
    const double below = magnitude - decode(low), above = decode(high) - magnitude;
    const bool up = above < below || (above == below && (high & 1) == 0);
    return sign | (up ? high : low);
}

} // namespace

TEST_CASE("a narrowing conversion is right around every 16-bit number and halfway between neighbours") {
    // Upper and lower halves of a word take bf16 and f16 in turn; all 65,536 codes, their midpoints, and a
    // step beside.
    std::vector<float> in;
    for (std::uint32_t code = 0; code < 0x7c00; ++code) {
        for (const bool bf16 : {false, true}) {
            const auto value = [&](std::uint32_t c) {
                if (bf16) return static_cast<double>(std::bit_cast<float>(c << 16));
                return c < 0x400 ? std::ldexp(c, -24)
                                 : std::ldexp((c & 0x3ff) + 0x400, static_cast<int>(c >> 10) - 25);
            };
            const auto middle = static_cast<float>((value(code) + value(code + 1)) / 2);
            for (float v : {static_cast<float>(value(code)), middle, std::nextafterf(middle, 0),
                            std::nextafterf(middle, INFINITY)}) {
                in.push_back(v);
                in.push_back(-v);
            }
        }
    }
    while (in.size() % 256 != 0) in.push_back(0);
    std::vector<std::uint32_t> out(in.size()); // two words per two floats
    Program program(
        kernel("mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 128, %tid.x; mul.wide.u32 %d1, %r1, 8;\n"
               "add.u64 %in, %in, %d1; add.u64 %out, %out, %d1; ld.global.v2.f32 {%f1, %f2}, [%in];\n"
               "cvt.rn.bf16x2.f32 %r2, %f1, %f2; cvt.rn.f16x2.f32 %r3, %f1, %f2;\n"
               "st.global.v2.b32 [%out], {%r2, %r3}; ret;"));
    const Outcome outcome =
        program.run({{128, 1, 1}, {static_cast<std::uint32_t>(in.size() / 256), 1, 1}}, in, out);
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    std::size_t wrong = 0;
    for (std::size_t pair = 0; pair < in.size(); pair += 2) {
        wrong += out[pair] !=
                 static_cast<std::uint32_t>(narrowed<8, 7>(in[pair]) << 16 | narrowed<8, 7>(in[pair + 1]));
        wrong += out[pair + 1] !=
                 static_cast<std::uint32_t>(narrowed<5, 10>(in[pair]) << 16 | narrowed<5, 10>(in[pair + 1]));
    }
    CHECK(wrong == 0);
    CHECK(in.size() > 500000);
}

TEST_CASE("a fused product and sum is rounded once, even where a double would round to halfway first") {
    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 lies halfway between two floats; an addend too small for a double
    // decides.
    const float three = 1 + 0x3p-12f, odd = 1 + 0x1p-10f + 0x1p-23f;
    const float factor = 1 + 0x1p-12f, below = 1 + 0x1p-11f, above = below + 0x1p-23f;
    struct Case {
        float a, b, c, want;
    };
    const std::vector<Case> in{{factor, factor, 0x1p-80f, above},
                               {factor, factor, -0x1p-80f, below},
                               {-factor, factor, 0x1p-80f, -below},
                               {-factor, factor, -0x1p-80f, -above},
                               {factor, three, 0x1p-80f, odd + 0x1p-23f},
                               {factor, three, -0x1p-80f, odd},
                               {factor, -three, 0x1p-80f, -odd},
                               {factor, -three, -0x1p-80f, -odd - 0x1p-23f},
                               {0x1p-75f * factor, 0x1p-65f * factor, 0x1p-149f, 0x1p-140f * (1 + 0x1p-9f)}};
    for (const CpuLevel level : {CpuLevel::baseline, cpu_level()}) {
        Program program(kernel("mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 16; add.u64 %in, %in, %d1;\n"
                               "mul.wide.u32 %d1, %r1, 4; add.u64 %out, %out, %d1; ld.global.v4.f32 {%f1, "
                               "%f2, %f3, %f4}, [%in];\n"
                               "fma.rn.f32 %f5, %f1, %f2, %f3; st.global.f32 [%out], %f5; ret;"),
                        level);
        std::vector<float> out(in.size());
        const Outcome outcome = program.run({{static_cast<std::uint32_t>(out.size()), 1, 1}}, in, out);
        REQUIRE_MESSAGE(!outcome.fault, words(outcome));
        for (std::size_t t = 0; t < out.size(); ++t) CHECK(out[t] == in[t].want);
    }
}
