// Integer arithmetic. What wraps is the same for signed and unsigned numbers and is written once, on unsigned
// ones; what looks at the sign is written on the type itself. Saturating forms exist for s32 only and are
// formed in 64 bits:
//
//     add.sat.s32 2147483647, 1   ->  2147483647
//
// Not here: sums with a carry (operations_carry.cpp), counting of bits and products of bytes
// (operations_count.cpp). Source: PTX ISA 9.7.1.1 to 9.7.1.13.
#include "emulator/lanes.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

// Products of 16-bit numbers in int would overflow; every product below is formed in 64 bits or more.
__extension__ using Signed128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;
template <class T>
using Product = std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>;
/// The type of twice the bits.
template <class T>
using Doubled =
    std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 2, std::int32_t, std::int64_t>,
                       std::conditional_t<sizeof(T) == 2, std::uint32_t, std::uint64_t>>;

using S32 = std::int32_t;
using U32 = std::uint32_t;
using S64 = std::int64_t;
using U64 = std::uint64_t;

template <class T>
constexpr T smaller(T a, T b) {
    return a < b ? a : b;
}
template <class T>
constexpr T larger(T a, T b) {
    return a < b ? b : a;
}
constexpr S32 saturated(S64 value) {
    constexpr S64 low = -0x80000000LL, high = 0x7fffffff;
    return static_cast<S32>(smaller(larger(value, low), high));
}

template <class U>
constexpr auto wrapping_rows(std::string_view type) {
    return std::array{
        row<U, U, U>("add", type, [](U a, U b) { return static_cast<U>(a + b); }),
        row<U, U, U>("sub", type, [](U a, U b) { return static_cast<U>(a - b); }),
        row<U, U, U>("mul.lo", type, [](U a, U b) { return static_cast<U>(std::uint64_t{a} * b); }),
        row<U, U, U, U>("mad.lo", type,
                        [](U a, U b, U c) { return static_cast<U>(std::uint64_t{a} * b + c); }),
    };
}

template <class T>
constexpr T high_product(T a, T b) {
    return static_cast<T>(Product<T>{a} * Product<T>{b} >> (8 * sizeof(T)));
}

// Dividing by zero gives an unspecified value (all ones here); the lowest number by -1 wraps.
template <class T>
constexpr auto signed_rows(std::string_view type) {
    using U = std::make_unsigned_t<T>;
    return std::array{
        row<T, T, T>("min", type, [](T a, T b) { return smaller(a, b); }),
        row<T, T, T>("max", type, [](T a, T b) { return larger(a, b); }),
        row<T, T, T>("mul.hi", type, [](T a, T b) { return high_product(a, b); }),
        row<T, T, T, T>("mad.hi", type,
                        [](T a, T b, T c) {
                            return static_cast<T>(
                                static_cast<U>(static_cast<U>(high_product(a, b)) + static_cast<U>(c)));
                        }),
        row<T, T, T>("div", type,
                     [](T a, T b) {
                         return b == 0 ? static_cast<T>(-1) : static_cast<T>(Product<T>{a} / Product<T>{b});
                     }),
        row<T, T, T>("rem", type,
                     [](T a, T b) { return b == 0 ? a : static_cast<T>(Product<T>{a} % Product<T>{b}); }),
        row<T, T, T, T>("sad", type,
                        [](T a, T b, T c) {
                            const U distance =
                                static_cast<U>(static_cast<U>(larger(a, b)) - static_cast<U>(smaller(a, b)));
                            return static_cast<T>(static_cast<U>(static_cast<U>(c) + distance));
                        }),
    };
}

template <class T>
constexpr auto widening_rows(std::string_view type) {
    using D = Doubled<T>;
    using U = std::make_unsigned_t<D>;
    return std::array{
        row<D, T, T>("mul.wide", type, [](T a, T b) { return static_cast<D>(D{a} * D{b}); }),
        row<D, T, T, D>(
            "mad.wide", type,
            [](T a, T b, D c) { return static_cast<D>(static_cast<U>(D{a} * D{b}) + static_cast<U>(c)); }),
    };
}

template <class T>
constexpr auto sign_rows(std::string_view type) {
    using U = std::make_unsigned_t<T>;
    return std::array{
        row<U, U>("neg", type, [](U a) { return static_cast<U>(0 - a); }),
        row<T, T>("abs", type,
                  [](T a) { return static_cast<T>(a < 0 ? U{0} - static_cast<U>(a) : static_cast<U>(a)); }),
    };
}

// The product of the low 24 bits: its low 32 bits, or those from bit 16 on.
template <class T>
constexpr Doubled<T> product24(T a, T b) {
    using D = Doubled<T>;
    const auto cut = [](T value) {
        return static_cast<D>(static_cast<T>(static_cast<U32>(value) << 8) >> 8);
    };
    return cut(a) * cut(b);
}
template <class T>
constexpr auto rows24(std::string_view type) {
    return std::array{
        row<T, T, T>("mul24.lo", type, [](T a, T b) { return static_cast<T>(product24(a, b)); }),
        row<T, T, T>("mul24.hi", type, [](T a, T b) { return static_cast<T>(product24(a, b) >> 16); }),
        row<T, T, T, T>("mad24.lo", type,
                        [](T a, T b, T c) {
                            return static_cast<T>(static_cast<U32>(product24(a, b)) + static_cast<U32>(c));
                        }),
        row<T, T, T, T>("mad24.hi", type,
                        [](T a, T b, T c) {
                            return static_cast<T>(static_cast<U32>(product24(a, b) >> 16) +
                                                  static_cast<U32>(c));
                        }),
    };
}

constexpr std::array saturating_rows{
    row<S32, S32, S32>("add.sat", "s32", [](S32 a, S32 b) { return saturated(S64{a} + b); }),
    row<S32, S32, S32>("sub.sat", "s32", [](S32 a, S32 b) { return saturated(S64{a} - b); }),
    row<S32, S32, S32, S32>("mad.hi.sat", "s32",
                            [](S32 a, S32 b, S32 c) { return saturated(S64{high_product(a, b)} + c); }),
    row<S32, S32, S32, S32>(
        "mad24.hi.sat", "s32",
        [](S32 a, S32 b, S32 c) { return saturated(S64{static_cast<S32>(product24(a, b) >> 16)} + c); }),
};

// ---- two 16-bit numbers in a word

template <class T, class F>
constexpr U32 in_halves(U32 a, U32 b, F f) {
    const auto half = [&](int shift) {
        const T result = static_cast<T>(f(static_cast<T>(a >> shift), static_cast<T>(b >> shift)));
        return U32{static_cast<std::uint16_t>(result)} << shift;
    };
    return half(16) | half(0);
}
template <class T>
constexpr auto pair_rows(std::string_view type) {
    return std::array{
        row<U32, U32, U32>("add", type,
                           [](U32 a, U32 b) { return in_halves<T>(a, b, [](T x, T y) { return x + y; }); }),
        row<U32, U32, U32>("min", type, [](U32 a, U32 b) { return in_halves<T>(a, b, smaller<T>); }),
        row<U32, U32, U32>("max", type, [](U32 a, U32 b) { return in_halves<T>(a, b, larger<T>); }),
    };
}

// .relu: what is below zero becomes zero.
using Half = std::int16_t;
constexpr std::array relu_rows{
    row<S32, S32, S32>("min.relu", "s32", [](S32 a, S32 b) { return larger(smaller(a, b), 0); }),
    row<S32, S32, S32>("max.relu", "s32", [](S32 a, S32 b) { return larger(larger(a, b), 0); }),
    row<U32, U32, U32>("min.relu", "s16x2",
                       [](U32 a, U32 b) {
                           return in_halves<Half>(
                               a, b, [](Half x, Half y) { return larger(smaller(x, y), Half{0}); });
                       }),
    row<U32, U32, U32>("max.relu", "s16x2",
                       [](U32 a, U32 b) {
                           return in_halves<Half>(
                               a, b, [](Half x, Half y) { return larger(larger(x, y), Half{0}); });
                       }),
};

} // namespace

std::span<const Opcode> integer_rows() {
    static constexpr auto rows = joined(
        wrapping_rows<std::uint16_t>("u16"), wrapping_rows<std::uint16_t>("s16"), wrapping_rows<U32>("u32"),
        wrapping_rows<U32>("s32"), wrapping_rows<U64>("u64"), wrapping_rows<U64>("s64"),
        signed_rows<std::uint16_t>("u16"), signed_rows<std::int16_t>("s16"), signed_rows<U32>("u32"),
        signed_rows<S32>("s32"), signed_rows<U64>("u64"), signed_rows<S64>("s64"),
        widening_rows<std::uint16_t>("u16"), widening_rows<std::int16_t>("s16"), widening_rows<U32>("u32"),
        widening_rows<S32>("s32"), sign_rows<std::int16_t>("s16"), sign_rows<S32>("s32"),
        sign_rows<S64>("s64"), rows24<U32>("u32"), rows24<S32>("s32"), saturating_rows,
        needing_all({{8, 0}, 90}, pair_rows<std::uint16_t>("u16x2")),
        needing_all({{8, 0}, 90}, pair_rows<std::int16_t>("s16x2")), needing_all({{8, 0}, 90}, relu_rows));
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
