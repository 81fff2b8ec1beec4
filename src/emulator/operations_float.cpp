// Single-precision arithmetic, and its narrowing to pairs of 16-bit numbers. Every operation rounds once, to
// nearest even; a result that is not a number is the canonical one, whatever went in. Compiled with
// -ffp-contract=off: no product and sum become a fused one unless the program says fma. Source: PTX ISA 9.7.3
// (floating point), 9.7.9 (cvt).
#include "emulator/lanes.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

inline float canonical(float value) { return value == value ? value : std::bit_cast<float>(0x7fffffffu); }

// a * b + c rounded once. Without the instruction: the product of two floats is exact in double; the sum is
// rounded to odd, by its exact error, so that the second rounding cannot go wrong.
inline float fused(float a, float b, float c) {
#ifdef __FMA__
    return __builtin_fmaf(a, b, c);
#else
    const double product = static_cast<double>(a) * static_cast<double>(b);
    const double addend = c;
    const double sum = product + addend;
    const double part = sum - product;
    const double error = (product - (sum - part)) + (addend - part);
    std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
    const bool inexact = error < 0 || error > 0;
    const bool away =
        ((std::bit_cast<std::uint64_t>(error) ^ bits) >> 63) == 0; // the exact sum is further from zero
    if (inexact && (bits & 1) == 0) bits += away ? 1 : ~std::uint64_t{0};
    return static_cast<float>(std::bit_cast<double>(bits));
#endif
}

// A pair of floats in a 64-bit register.
template <class F>
std::uint64_t each_half(F f) {
    return std::uint64_t{std::bit_cast<std::uint32_t>(canonical(f(32)))} << 32 |
           std::bit_cast<std::uint32_t>(canonical(f(0)));
}
inline float half(std::uint64_t pair, int shift) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(pair >> shift));
}

inline std::uint32_t to_bf16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return value == value ? (bits + 0x7fff + (bits >> 16 & 1)) >> 16 : 0x7fff;
}

// Below the smallest normal half, adding 0.5 lets the processor round at the right bit: its last place is
// 2^-24.
inline std::uint32_t to_f16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    const std::uint32_t magnitude = bits & 0x7fffffff;
    const std::uint32_t small =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
    const std::uint32_t normal = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
    const std::uint32_t finite = magnitude < 0x38800000 ? small : normal;
    const std::uint32_t number = sign | (magnitude >= 0x47800000 ? 0x7c00 : finite);
    return magnitude > 0x7f800000 ? 0x7fff : number;
}

using F = float;
using Pair = std::uint64_t;
using Word = std::uint32_t;

constexpr auto add = [](F a, F b) { return canonical(a + b); };
constexpr auto sub = [](F a, F b) { return canonical(a - b); };
constexpr auto mul = [](F a, F b) { return canonical(a * b); };
constexpr auto fma = [](F a, F b, F c) { return canonical(fused(a, b, c)); };
constexpr auto add_pairs = [](Pair a, Pair b) {
    return each_half([=](int s) { return half(a, s) + half(b, s); });
};
constexpr auto mul_pairs = [](Pair a, Pair b) {
    return each_half([=](int s) { return half(a, s) * half(b, s); });
};
constexpr auto fma_pairs = [](Pair a, Pair b, Pair c) {
    return each_half([=](int s) { return fused(half(a, s), half(b, s), half(c, s)); });
};

constexpr Needs pairs{{8, 6}, 100}, narrowing{{7, 0}, 80};

constexpr std::array rows{
    row<F, F, F>("add", "f32", add),
    row<F, F, F>("add.rn", "f32", add),
    row<F, F, F>("sub", "f32", sub),
    row<F, F, F>("sub.rn", "f32", sub),
    row<F, F, F>("mul", "f32", mul),
    row<F, F, F>("mul.rn", "f32", mul),
    row<F, F, F, F>("fma.rn", "f32", fma),
    row<Word, Word>("neg", "f32", [](Word a) { return a ^ 0x80000000u; }),
    row<Word, Word>("abs", "f32", [](Word a) { return a & 0x7fffffffu; }),
    needing(pairs, row<Pair, Pair, Pair>("add.rn", "f32x2", add_pairs)),
    needing(pairs, row<Pair, Pair, Pair>("mul.rn", "f32x2", mul_pairs)),
    needing(pairs, row<Pair, Pair, Pair, Pair>("fma.rn", "f32x2", fma_pairs)),
    // The first source goes to the upper half.
    needing(narrowing,
            row<Word, F, F>("cvt.rn.bf16x2", "f32", [](F a, F b) { return to_bf16(a) << 16 | to_bf16(b); })),
    needing(narrowing,
            row<Word, F, F>("cvt.rn.f16x2", "f32", [](F a, F b) { return to_f16(a) << 16 | to_f16(b); })),
};

} // namespace

std::span<const Opcode> float_rows() { return rows; }

} // namespace tmemc::emulator::TMEMC_LEVEL
