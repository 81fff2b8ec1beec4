// Numbers in small formats, written a second time and in another way than the emulator's: a value is a long
// double, whose 64 bits hold every f64 and every 64-bit integer, and rounding is the C library's rounding of
// the quotient by the last place. Shared by the oracles of conversions and of half-precision arithmetic.
//
//     to_code(f16, 65520.0L, toward_nearest_even) = 0x7c00
//
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace oracle {

using Real = long double;
using Code = std::uint64_t;

struct RealFormat {
    int exponent_bits, fraction_bits;
    bool infinity; // all exponent bits set is infinity and NaN; else one code at most is NaN
    bool nan;
    [[nodiscard]] int bits() const { return 1 + exponent_bits + fraction_bits; }
    [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    [[nodiscard]] Code fraction() const { return (Code{1} << fraction_bits) - 1; }
    [[nodiscard]] Code top() const {
        return (Code{1} << (exponent_bits + fraction_bits)) - 1;
    } // the largest without sign
    [[nodiscard]] Code largest() const { return infinity ? top() - fraction() - 1 : nan ? top() - 1 : top(); }
};
inline constexpr RealFormat f16{5, 10, true, true}, bf16{8, 7, true, true}, tf32{8, 10, true, true},
    f32{8, 23, true, true}, f64{11, 52, true, true}, e4m3{4, 3, false, true}, e5m2{5, 2, true, true},
    e2m3{2, 3, false, false}, e3m2{3, 2, false, false}, e2m1{2, 1, false, false};

inline Real from_code(const RealFormat& f, Code code) {
    const Code sign = code >> (f.bits() - 1) & 1, magnitude = code & f.top();
    if (magnitude > f.largest()) {
        const bool infinite = f.infinity && magnitude == f.largest() + 1;
        if (!infinite) return std::numeric_limits<Real>::quiet_NaN();
        return sign != 0 ? -std::numeric_limits<Real>::infinity() : std::numeric_limits<Real>::infinity();
    }
    const auto exponent = static_cast<int>(magnitude >> f.fraction_bits);
    const Real fraction = static_cast<Real>(magnitude & f.fraction());
    const Real value = exponent == 0 ? std::ldexp(fraction, 1 - f.bias() - f.fraction_bits)
                                     : std::ldexp(fraction + static_cast<Real>(f.fraction() + 1),
                                                  exponent - f.bias() - f.fraction_bits);
    return sign != 0 ? -value : value;
}

enum class Way { nearest_even, zero, down, up, nearest_away };

/// To a whole number.
inline Real to_whole(Real value, Way way) {
    switch (way) {
    case Way::nearest_even: return std::rint(value);
    case Way::zero: return std::trunc(value);
    case Way::down: return std::floor(value);
    case Way::up: return std::ceil(value);
    default: return std::round(value);
    }
}

/// The distance between numbers of the format around the value.
inline Real last_place(const RealFormat& f, Real value) {
    int exponent = 0;
    std::frexp(value, &exponent); // value in [2^(exponent-1), 2^exponent)
    const int lowest = 1 - f.bias() - f.fraction_bits;
    return std::ldexp(Real{1}, value == 0 ? lowest : std::max(exponent - 1 - f.fraction_bits, lowest));
}

inline Real rounded(const RealFormat& f, Real value, Way way) {
    if (std::isnan(value) || std::isinf(value)) return value;
    const Real step = last_place(f, value);
    const Real result = to_whole(value / step, way) * step;
    const Real largest = from_code(f, f.largest());
    if (std::fabs(result) <= largest) return std::copysign(result, value);
    const bool stays = way == Way::zero || (way == Way::down && value > 0) || (way == Way::up && value < 0);
    return std::copysign(stays ? largest : std::numeric_limits<Real>::infinity(), value);
}

/// Of a number that the format has; what is none becomes the largest code, which is NaN where there is one.
inline Code to_code(const RealFormat& f, Real value) {
    if (std::isnan(value)) return f.top();
    const Code sign = std::signbit(value) ? Code{1} << (f.bits() - 1) : 0;
    const Real magnitude = std::fabs(value);
    if (std::isinf(value)) return sign | (f.infinity ? f.largest() + 1 : f.top());
    const Real step = last_place(f, magnitude);
    const auto multiple = static_cast<Code>(magnitude / step);
    const auto steps = static_cast<Code>(std::ilogb(step) - (1 - f.bias() - f.fraction_bits));
    return sign | ((steps << f.fraction_bits) + multiple);
}

} // namespace oracle
