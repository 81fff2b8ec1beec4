// Sums and products rounded once, where float is not wide enough: the exact result is first rounded to odd,
// which keeps the last bit of what was cut off, so that a second, narrower rounding cannot go wrong.
//
//     f16: 0x6401 * 0x1001 + 0x8001 in float loses the last term and rounds a tie the wrong way
//
// A rounding to odd here is the nearest one, moved by one place towards the exact value when it was inexact
// and came out even. The error of a sum is itself exact (Knuth's six operations); products of numbers of half
// the bits are exact. Without branches, to become vector code; compiled once per CPU level. Not here: the
// formats (halves.hpp). Source: PTX ISA 9.7.3, 9.7.4 (floating point).
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace tmemc::emulator::TMEMC_LEVEL {

/// a + b to odd: an inexact sum has its last bit set, so that rounding it once more, to half as many bits or
/// fewer, gives what the exact sum would.
template <class Float>
Float sum_to_odd(Float a, Float b) {
    using Bits = std::conditional_t<sizeof(Float) == 8, std::uint64_t, std::uint32_t>;
    const Float sum = a + b;
    const Float part = sum - a;
    const Float error = (a - (sum - part)) + (b - part);
    const Bits bits = std::bit_cast<Bits>(sum);
    const bool inexact = error < 0 || error > 0;
    const Bits away = (std::bit_cast<Bits>(error) ^ bits) >> (8 * sizeof(Float) - 1) == 0 ? 1 : ~Bits{0};
    return std::bit_cast<Float>(bits + (inexact && (bits & 1) == 0 ? away : 0));
}

/// To float, to odd; what is too large becomes the largest.
inline float to_odd_float(double value) {
    const auto nearest = static_cast<float>(value);
    const double back = nearest;
    const auto bits = std::bit_cast<std::uint32_t>(nearest);
    const double size = value < 0 ? -value : value, back_size = back < 0 ? -back : back;
    const std::uint32_t towards = back_size < size ? 1 : ~std::uint32_t{0};
    const bool inexact = back_size < size || back_size > size;
    return std::bit_cast<float>(bits + (inexact && (bits & 1) == 0 ? towards : 0));
}

} // namespace tmemc::emulator::TMEMC_LEVEL
