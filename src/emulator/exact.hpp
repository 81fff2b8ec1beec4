// Double precision, rounded in any direction, on integers: a number is a sign, a 128-bit mantissa and an
// exponent, and `sticky` when something below the mantissa's last bit was lost. Sums, products, quotients and
// roots are formed exactly or with a correct sticky bit, with at least 64 bits in front of it, and rounded
// once:
//
//     1.5 + 2^-60   ->  mantissa 3 << 124, sticky   ->  rounded up: the next double above 1.5
//
// For the directed modes only, which are rare: to nearest the processor does the same faster. What is not a
// finite number is the caller's business, and so is the sign of a sum that is exactly zero.
#pragma once

#include "emulator/rounding.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

__extension__ using Wide = unsigned __int128;

struct Exact {
    bool negative = false;
    bool sticky = false;
    int exponent = 0; // of the mantissa's last bit
    Wide mantissa = 0;
};

inline int leading_zeros(Wide value) {
    const auto high = static_cast<std::uint64_t>(value >> 64);
    return high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(value));
}

inline Exact exact(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int biased = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & 0xfffffffffffffu;
    return {bits >> 63 != 0, false, (biased == 0 ? 1 : biased) - 1075,
            biased == 0 ? fraction : fraction | std::uint64_t{1} << 52};
}

/// With the highest bit of the mantissa at bit `top`; zero stays zero.
inline Exact with_top(Exact x, int top) {
    if (x.mantissa == 0) return x;
    const int shift = top - (127 - leading_zeros(x.mantissa));
    x.mantissa = shift >= 0 ? x.mantissa << shift : x.mantissa >> -shift; // right: never of bits that are set
    x.exponent -= shift;
    return x;
}

inline Exact product(const Exact& a, const Exact& b) {
    return {a.negative != b.negative, false, a.exponent + b.exponent, a.mantissa * b.mantissa};
}

// The larger one has 20 bits free below it at least, so the smaller one loses bits only where it is so much
// smaller that a sticky bit is enough.
inline Exact sum(Exact a, Exact b) {
    if (a.mantissa == 0) return b;
    if (b.mantissa == 0) return a;
    a = with_top(a, 125);
    b = with_top(b, 125);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.mantissa < b.mantissa)) std::swap(a, b);
    const int shift = a.exponent - b.exponent;
    const Wide part = shift < 128 ? b.mantissa >> shift : 0;
    const bool lost = shift >= 128 || part << shift != b.mantissa;
    a.sticky = lost;
    if (a.negative == b.negative)
        a.mantissa += part;
    else
        a.mantissa -= part + (lost ? 1 : 0);
    return a;
}

inline Exact quotient(const Exact& a, const Exact& b) {
    const Exact over = with_top(a, 126), under = with_top(b, 60);
    const Wide result = over.mantissa / under.mantissa;
    return {a.negative != b.negative, result * under.mantissa != over.mantissa,
            over.exponent - under.exponent, result};
}

/// Of a positive number.
inline Exact root(const Exact& a) {
    Exact x = with_top(a, 126);
    if (x.exponent % 2 != 0) {
        x.mantissa >>= 1; // 53 bits of 127 are set at most
        ++x.exponent;
    }
    Wide result = 0;
    for (Wide bit = Wide{1} << 63; bit != 0; bit >>= 1) {
        if ((result | bit) * (result | bit) <= x.mantissa) result |= bit;
    }
    return {false, result * result != x.mantissa, x.exponent / 2, result};
}

template <Round round>
double rounded(Exact x) {
    const std::uint64_t sign = std::uint64_t{x.negative} << 63;
    if (x.mantissa == 0) return std::bit_cast<double>(sign);
    x = with_top(x, 126);
    // The last bit of the double: 52 below the first, and not below the last of all doubles.
    const int last = std::max(x.exponent + 126 - 52, -1074);
    const int shift = last - x.exponent;
    const Wide kept = shift < 128 ? x.mantissa >> shift : 0;
    const bool lost = x.sticky || shift >= 128 || kept << shift != x.mantissa;
    const bool away = lost && (round == Round::up ? !x.negative : round == Round::down && x.negative);
    const auto mantissa = static_cast<std::uint64_t>(kept) + (away ? 1 : 0);
    // The hidden bit, where there is one, counts the exponent up; so does a mantissa that ran over.
    const std::uint64_t bits = (static_cast<std::uint64_t>(last + 1074) << 52) + mantissa;
    constexpr std::uint64_t infinity = 0x7ff0000000000000;
    if (last + 1074 < 2046 && bits < infinity) return std::bit_cast<double>(sign | bits);
    const bool beyond = round == Round::up ? !x.negative : round == Round::down && x.negative;
    return std::bit_cast<double>(sign | (beyond ? infinity : infinity - 1));
}

} // namespace tmemc::emulator::TMEMC_LEVEL
