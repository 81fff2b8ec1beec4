// Numbers of 16 and 8 bits from and to float, without branches, so that loops over lanes become vector code.
// Upwards is exact. Downwards rounds to nearest even in one of two ways: a normal number by adding a half of
// the last place to its bits; one below the smallest normal by adding the power of two at which the processor
// itself rounds at the right bit, 0.5 for f16, whose last place there is 2^-24.
//
//     to_f16(1.0f + 0x1p-11f): 0x3f801000 - 0x38000000 + 0xfff + 0 >> 13 = 0x3c00, the even one of two
//
// Compiled once per CPU level (opcodes.hpp). Not here: other roundings (formats.hpp).
// Source: PTX ISA 5.2.2, 5.2.3 (the formats).
#pragma once

#include <bit>
#include <cstdint>

namespace tmemc::emulator::TMEMC_LEVEL {

using Word = std::uint32_t;

/// A format of `exponent_bits` and `fraction_bits` below the sign.
struct SmallFloat {
    int exponent_bits, fraction_bits;
    Word largest;  // its largest finite code
    Word overflow; // the code of what rounds beyond it
    Word nan;
};
inline constexpr SmallFloat half_format{5, 10, 0x7bff, 0x7c00, 0x7fff};
inline constexpr SmallFloat e4m3_finite{4, 3, 0x7e, 0x7e, 0x7f}; // .satfinite
inline constexpr SmallFloat e5m2_finite{5, 2, 0x7b, 0x7b, 0x7f};

template <const SmallFloat& to>
Word narrowed(float value) {
    constexpr int bias = (1 << (to.exponent_bits - 1)) - 1, dropped = 23 - to.fraction_bits;
    constexpr Word smallest_normal = static_cast<Word>(128 - bias) << 23;
    constexpr Word magic = static_cast<Word>(127 + 23 + 1 - bias - to.fraction_bits) << 23;
    const Word bits = std::bit_cast<Word>(value), magnitude = bits & 0x7fffffff;
    const Word sign = bits >> 31 << (to.exponent_bits + to.fraction_bits);
    const Word small =
        std::bit_cast<Word>(std::bit_cast<float>(magnitude) + std::bit_cast<float>(magic)) - magic;
    constexpr Word almost_half = (Word{1} << (dropped - 1)) - 1, rebias = static_cast<Word>(127 - bias) << 23;
    const Word normal = (magnitude - rebias + almost_half + (magnitude >> dropped & 1)) >> dropped;
    const Word finite = magnitude < smallest_normal ? small : normal;
    const Word number = sign | (finite > to.largest ? to.overflow : finite);
    return magnitude > 0x7f800000 ? to.nan : number;
}

inline Word to_f16(float value) { return narrowed<half_format>(value); }
inline Word to_bf16(float value) {
    const Word bits = std::bit_cast<Word>(value);
    return value == value ? (bits + 0x7fff + (bits >> 16 & 1)) >> 16 : 0x7fff;
}

/// The code in the low bits of `code`. Its exponent and fraction, read as a float's, are a number 2^(127 -
/// bias) times too small, subnormal ones too.
template <int exponent_bits, int fraction_bits>
float widened(Word code) {
    constexpr int bits = exponent_bits + fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const Word magnitude = (code & ((Word{1} << bits) - 1)) << (23 - fraction_bits);
    const float scale = std::bit_cast<float>(static_cast<Word>(254 - bias) << 23);
    const Word number = std::bit_cast<Word>(std::bit_cast<float>(magnitude) * scale);
    const Word sign = (code >> bits & 1) << 31;
    return std::bit_cast<float>(sign | number);
}
inline float from_f16(Word code) {
    const Word special = (code & 0x7c00) == 0x7c00 ? 0x7f800000 : 0; // infinity, or no number
    return std::bit_cast<float>(std::bit_cast<Word>(widened<5, 10>(code)) | special);
}
inline float from_bf16(Word code) { return std::bit_cast<float>(code << 16); }

/// f of both numbers of a pair, in their places.
template <class F>
Word both(F f) {
    return f(16) << 16 | f(0);
}

} // namespace tmemc::emulator::TMEMC_LEVEL
