// Integer arithmetic. What wraps is the same for signed and unsigned numbers and is written once, on unsigned
// ones; what looks at the sign is written on the type itself. Source: PTX ISA 9.7.1 (integer arithmetic).
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
struct Doubled;
template <>
struct Doubled<std::uint16_t> {
    using type = std::uint32_t;
};
template <>
struct Doubled<std::int16_t> {
    using type = std::int32_t;
};
template <>
struct Doubled<std::uint32_t> {
    using type = std::uint64_t;
};
template <>
struct Doubled<std::int32_t> {
    using type = std::int64_t;
};

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
constexpr auto signed_rows(std::string_view type) {
    constexpr int bits = 8 * sizeof(T);
    return std::array{
        row<T, T, T>("min", type, [](T a, T b) { return a < b ? a : b; }),
        row<T, T, T>("max", type, [](T a, T b) { return a < b ? b : a; }),
        row<T, T, T>("mul.hi", type,
                     [](T a, T b) { return static_cast<T>(Product<T>{a} * Product<T>{b} >> bits); }),
        // Dividing by zero gives an unspecified value (all ones here); the lowest number by -1 wraps.
        row<T, T, T>("div", type,
                     [](T a, T b) {
                         return b == 0 ? static_cast<T>(-1) : static_cast<T>(Product<T>{a} / Product<T>{b});
                     }),
        row<T, T, T>("rem", type,
                     [](T a, T b) { return b == 0 ? a : static_cast<T>(Product<T>{a} % Product<T>{b}); }),
    };
}

template <class T>
constexpr auto widening_rows(std::string_view type) {
    using D = typename Doubled<T>::type;
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

} // namespace

std::span<const Opcode> integer_rows() {
    static constexpr auto rows = joined(
        wrapping_rows<std::uint16_t>("u16"), wrapping_rows<std::uint16_t>("s16"),
        wrapping_rows<std::uint32_t>("u32"), wrapping_rows<std::uint32_t>("s32"),
        wrapping_rows<std::uint64_t>("u64"), wrapping_rows<std::uint64_t>("s64"),
        signed_rows<std::uint16_t>("u16"), signed_rows<std::int16_t>("s16"),
        signed_rows<std::uint32_t>("u32"), signed_rows<std::int32_t>("s32"),
        signed_rows<std::uint64_t>("u64"), signed_rows<std::int64_t>("s64"),
        widening_rows<std::uint16_t>("u16"), widening_rows<std::int16_t>("s16"),
        widening_rows<std::uint32_t>("u32"), widening_rows<std::int32_t>("s32"),
        sign_rows<std::int16_t>("s16"), sign_rows<std::int32_t>("s32"), sign_rows<std::int64_t>("s64"));
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
