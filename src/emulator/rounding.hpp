// Single precision, rounded in any direction without touching the processor's mode. Sums, products and
// quotients of floats are formed in double, where they are exact or, made odd by their error, say on which
// side of every float they lie; `narrowed` then takes the nearest float and steps back by one when that lies
// on the wrong side:
//
//     narrowed<Round::zero>(1 + 2^-30)   ->  1;      narrowed<Round::up>(1 + 2^-30)  ->  1 + 2^-23
//
// A quotient or root of floats in double is inexact in its 53rd place at most, and never so close to a float
// without being one: the next possible quotient is 2^-49 away. Flushing (.ftz) turns subnormal inputs and
// results into zeros of their sign; saturation (.sat) comes last and turns NaN into 0. Source: PTX ISA 9.7.3.
#pragma once

#include "emulator/fused.hpp"
#include "emulator/lanes.hpp"

#include <limits>

namespace tmemc::emulator::TMEMC_LEVEL {

enum class Round { nearest, zero, down, up };

inline float canonical(float value) { return value == value ? value : std::bit_cast<float>(0x7fffffffu); }

/// Of conversions; for arithmetic see settled().
inline double canonical(double value) {
    return value == value ? value : std::bit_cast<double>(0x7ff8000000000000u);
}

/// In double precision a NaN among the operands is the result, made quiet, its sign and payload kept; the
/// last of those given wins. Of numbers alone the result has this one. As an H200 does it; the pages say
/// nothing.
template <class... Operands>
double settled(double result, Operands... operands) {
    if (result == result) return result;
    std::uint64_t bits = 0xfff8000000000000;
    const auto take = [&](double operand) {
        if (operand != operand) bits = std::bit_cast<std::uint64_t>(operand) | 0x0008000000000000;
    };
    (take(operands), ...);
    return std::bit_cast<double>(bits);
}

inline float magnitude(float a) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) & 0x7fffffffu);
}
inline double magnitude(double a) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & 0x7fffffffffffffffu);
}

template <bool ftz, class T>
T flushed(T value) {
    if constexpr (ftz) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : value;
    } else {
        return value;
    }
}

template <bool sat>
float saturated(float value) {
    if constexpr (sat) {
        const float positive = value > 0 ? value : 0; // NaN and -0 too
        return positive < 1 ? positive : 1;
    } else {
        return value;
    }
}

/// The exact value, or one made odd, as a float.
template <Round round>
float narrowed(double exact) {
    const float nearest = static_cast<float>(exact);
    if constexpr (round == Round::nearest) return nearest;
    const double back = nearest;
    const auto bits = std::bit_cast<std::uint32_t>(nearest);
    const bool negative = bits >> 31 != 0;
    const bool too_high = back > exact, too_low = back < exact;
    const bool wrong = round == Round::down ? too_high
                       : round == Round::up ? too_low
                       : negative           ? too_low
                                            : too_high;
    const bool larger = round == Round::zero ? false : (round == Round::down) == negative; // in magnitude
    return std::bit_cast<float>(bits + (wrong ? (larger ? 1u : ~0u) : 0u));
}

/// With .ftz a result is flushed that, rounded as if exponents had no end, is below the smallest normal
/// number: (1 - 2^-46) 2^-126 to nearest is 2^-126 and stays, towards zero it becomes 0. As an H200 does it.
template <Round round, bool ftz>
float narrowed(double exact) {
    if constexpr (ftz) {
        const float scaled = narrowed<round>(exact * 0x1p64);
        const auto sign = std::bit_cast<std::uint32_t>(scaled) & 0x80000000u;
        if (magnitude(scaled) < 0x1p-62f) return std::bit_cast<float>(sign);
    }
    return narrowed<round>(exact);
}

/// A sum that is zero has the sign of its terms; of opposite ones it is +0, and -0 when rounding down.
template <Round round, bool ftz = false>
float rounded_sum(double x, double y) {
    const float sum = narrowed<round, ftz>(sum_to_odd(x, y));
    if constexpr (round != Round::down) return sum;
    const bool positive = ((std::bit_cast<std::uint64_t>(x) | std::bit_cast<std::uint64_t>(y)) >> 63) == 0;
    return sum == 0 && !positive && x + y == 0 ? -0.0f : sum;
}

/// a * b + c rounded once: the product of two floats is exact in double.
inline float fused(float a, float b, float c) {
#ifdef __FMA__
    return __builtin_fmaf(a, b, c);
#else
    return static_cast<float>(
        sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
#endif
}

} // namespace tmemc::emulator::TMEMC_LEVEL
