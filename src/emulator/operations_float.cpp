// Single-precision arithmetic. Every operation rounds once, to
// nearest even; a result that is not a number is the canonical one, whatever went in. Compiled with
// -ffp-contract=off: no product and sum become a fused one unless the program says fma. Source: PTX ISA 9.7.3
// (floating point).
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

constexpr Needs pairs{{8, 6}, 100};

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
};

} // namespace

std::span<const Opcode> float_rows() { return rows; }

} // namespace tmemc::emulator::TMEMC_LEVEL
