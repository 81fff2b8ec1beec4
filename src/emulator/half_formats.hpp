// f16 and bf16 as types that operations are written over: the arithmetic of two or three codes, rounded once,
// and what the modifiers do to codes. Sums and products of f16 are exact enough in float to be rounded twice
// (24 bits are twice 11 and two more); so are sums of bf16, but its products may fall below float's normal
// numbers and go through double, as do its fused ones. A result that is no number is 0x7fff.
//
//     finished<F16, saturating>(0xbc00) = 0          -1 clamped to 0..1
//
// Compiled once per CPU level. Source: PTX ISA 9.7.4 (half precision), 9.7.3.
#pragma once

#include "emulator/fused.hpp"
#include "emulator/halves.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

// Modifiers, combined by |.
inline constexpr unsigned flushing = 1, saturating = 2, clamping = 4, bounded = 8; // .ftz .sat .relu .oob
inline constexpr unsigned keeping_nan = 32, signs_apart = 64;                      // .NaN .xorsign.abs

inline constexpr Word half_sign = 0x8000, half_nan = 0x7fff, out_of_bounds = 0xffff;

struct F16 {
    static constexpr Word smallest_normal = 0x0400, infinity = 0x7c00, one = 0x3c00;
    static float up(Word a) { return from_f16(a); }
    static Word sum(Word a, Word b) { return to_f16(up(a) + up(b)); }
    static Word product(Word a, Word b) { return to_f16(up(a) * up(b)); }
    template <unsigned>
    static Word fused(Word a, Word b, Word c) {
        return to_f16(sum_to_odd(up(a) * up(b), up(c)));
    }
};
struct Bf16 {
    static constexpr Word smallest_normal = 0x0080, infinity = 0x7f80, one = 0x3f80;
    static float up(Word a) { return from_bf16(a); }
    static Word sum(Word a, Word b) { return to_bf16(up(a) + up(b)); }
    static Word product(Word a, Word b) {
        return to_bf16(to_odd_float(static_cast<double>(up(a)) * static_cast<double>(up(b))));
    }
    template <unsigned>
    static Word fused(Word a, Word b, Word c) {
        const double exact = static_cast<double>(up(a)) * static_cast<double>(up(b));
        const float odd = to_odd_float(sum_to_odd(exact, static_cast<double>(up(c))));
        return to_bf16(odd);
    }
};

template <class T>
bool is_nan(Word a) {
    return (a & 0x7fff) > T::infinity;
}
/// A subnormal number becomes a zero of its sign.
template <class T, unsigned flags>
Word flushed(Word a) {
    if constexpr ((flags & flushing) == 0) return a;
    return (a & 0x7fff) < T::smallest_normal ? a & half_sign : a;
}
/// What the modifiers make of a result.
template <class T, unsigned flags>
Word finished(Word a) {
    a = flushed<T, flags>(a);
    if constexpr ((flags & saturating) != 0) return a >= half_nan ? 0 : a > T::one ? T::one : a;
    if constexpr ((flags & clamping) != 0) return (a & half_sign) != 0 ? 0 : a;
    return a;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
