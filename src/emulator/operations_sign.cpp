// What is done to floating-point numbers without arithmetic: signs, and the smaller or larger of two or
// three. A number wins over what is not one, unless .NaN is asked for; -0 is smaller than +0:
//
//     min.f32 -0.0, 0.0  ->  -0.0;     max.f32 NaN, 1.0  ->  1.0;     max.NaN.f32 NaN, 1.0  ->  0x7fffffff
//     min.xorsign.abs.f32 -3, 2  ->  -2: the smaller magnitude, and the product's sign
//
// Signs are bits: abs and neg leave the payload of a NaN as it is. Source: PTX ISA 9.7.3.2
// (copysign), 9.7.3.9 to 9.7.3.12 (abs, neg, min, max).
#include "emulator/rounding.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

template <class T>
using Bits = Cell<T>;
template <class T>
constexpr Bits<T> sign_bit = Bits<T>{1} << (8 * sizeof(T) - 1);

template <class T>
Bits<T> bits_of(T value) {
    return std::bit_cast<Bits<T>>(value);
}
template <class T>
T with_sign(T value, T sign) {
    return std::bit_cast<T>((bits_of(value) & ~sign_bit<T>) | (bits_of(sign) & sign_bit<T>));
}

/// The smaller, of equals the one with a sign; a NaN loses.
template <class T>
T minimum(T a, T b) {
    const bool first = a < b || (a == b && bits_of(a) >> (8 * sizeof(T) - 1) != 0) || b != b;
    return first ? a : b;
}
template <class T>
T maximum(T a, T b) {
    const bool first = b < a || (a == b && bits_of(b) >> (8 * sizeof(T) - 1) != 0) || b != b;
    return first ? a : b;
}

struct Options {
    bool maximum, ftz, nan, absolute, sign; // sign: .xorsign
};

template <Options how>
float extreme(float x, float y) {
    float a = flushed<how.ftz>(x), b = flushed<how.ftz>(y);
    const bool no_number = a != a || b != b;
    const float sign = std::bit_cast<float>(bits_of(a) ^ bits_of(b));
    if constexpr (how.absolute) {
        a = magnitude(a);
        b = magnitude(b);
    }
    const float chosen = how.maximum ? maximum(a, b) : minimum(a, b);
    const float result = how.nan && no_number ? std::bit_cast<float>(0x7fffffffu) : canonical(chosen);
    return how.sign && result == result ? with_sign(result, sign) : result;
}

// `other` is the operation on three sources.
template <Options how>
constexpr Opcode extreme_row(std::string_view modifiers, const Needs& needs = {}) {
    Opcode made = row<float, float, float>(how.maximum ? "max" : "min", "f32",
                                           [](float a, float b) { return extreme<how>(a, b); });
    constexpr auto of_three = [](float a, float b, float c) { return extreme<how>(extreme<how>(a, b), c); };
    made.modifiers = modifiers;
    made.needs = needs;
    made.decoder = decode_extreme;
    if constexpr (!how.sign) made.other = row<float, float, float, float>("", "f32", of_three).operation;
    return made;
}
/// .abs without .xorsign takes three sources only.
template <Options how>
constexpr Opcode of_three_only(std::string_view modifiers) {
    Opcode made = extreme_row<how>(modifiers, {{8, 8}, 100});
    made.operation = nullptr;
    return made;
}

template <bool maximum>
constexpr auto extreme_rows() {
    constexpr Needs nan{{7, 0}, 80}, sign{{7, 2}, 86};
    return std::array{
        extreme_row<Options{maximum, false, false, false, false}>(""),
        extreme_row<Options{maximum, true, false, false, false}>("ftz"),
        extreme_row<Options{maximum, false, true, false, false}>("NaN", nan),
        extreme_row<Options{maximum, true, true, false, false}>("ftz.NaN", nan),
        extreme_row<Options{maximum, false, false, true, true}>("xorsign.abs", sign),
        extreme_row<Options{maximum, true, false, true, true}>("ftz.xorsign.abs", sign),
        extreme_row<Options{maximum, false, true, true, true}>("NaN.xorsign.abs", sign),
        extreme_row<Options{maximum, true, true, true, true}>("ftz.NaN.xorsign.abs", sign),
        of_three_only<Options{maximum, false, false, true, false}>("abs"),
        of_three_only<Options{maximum, true, false, true, false}>("ftz.abs"),
        of_three_only<Options{maximum, false, true, true, false}>("NaN.abs"),
        of_three_only<Options{maximum, true, true, true, false}>("ftz.NaN.abs"),
    };
}

template <class T>
constexpr auto sign_rows(std::string_view type) {
    using U = Bits<T>;
    return std::array{
        row<U, U>("neg", type, [](U a) { return a ^ sign_bit<T>; }),
        row<U, U>("abs", type, [](U a) { return a & ~sign_bit<T>; }),
        row<T, T, T>("copysign", type, [](T sign, T value) { return with_sign(value, sign); }),
    };
}

constexpr std::array single_rows{
    row<float, float>("neg.ftz", "f32", [](float a) { return -flushed<true>(a); }),
    row<float, float>("abs.ftz", "f32", [](float a) { return magnitude(flushed<true>(a)); }),
    row<double, double, double>("min", "f64", [](double a, double b) { return canonical(minimum(a, b)); }),
    row<double, double, double>("max", "f64", [](double a, double b) { return canonical(maximum(a, b)); }),
};

} // namespace

std::span<const Opcode> sign_rows() {
    static constexpr auto rows = joined(sign_rows<float>("f32"), sign_rows<double>("f64"),
                                        extreme_rows<false>(), extreme_rows<true>(), single_rows);
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
