// What PTX calls approximate: quick quotients, reciprocals and roots, sine and cosine, powers and logarithms
// of two, the hyperbolic tangent. PTX bounds their errors and hardware differs within the bounds, so a
// program that depends on their last bits is wrong. Here each is computed in double, far inside its bound,
// and rounded to nearest once; except where a page says that the result is coarser than that: div.approx
// gives 0 for a divisor above 2^126, and the f64 approximations know the upper words only.
//
//     PTX's bounds: div 2 ulp, rcp 1 ulp, sqrt and rsqrt 2^-22.9, sin and cos 2^-20.5 up to 2 pi, ex2 2 ulp,
//     lg2 2^-22, tanh 2^-11. Here: half an ulp and 2^-30 of one, at every argument.
//
// No function of the C library is called: its last bits depend on the processor. Source: PTX ISA 9.7.3.8,
// 9.7.3.13 to 9.7.3.22.
#include "emulator/exact.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

using F = float;
using U64 = std::uint64_t;

constexpr double pi = 0x1.921fb54442d18p+1, log_2 = 0x1.62e42fefa39efp-1;

// ---- sine and cosine

struct Angle {
    int quadrant = 0; // of the nearest multiple of pi / 2
    double rest = 0;  // from there
};

// x * 2/pi modulo 4, on integers: x is a 24-bit mantissa times 2^e, so of the digits of 2/pi only the 96 from
// place e - 2 on matter; those before give whole turns.
Angle reduced(F x) {
    constexpr U64 two_over_pi[] = {0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                   0xfe5163abdebbc561};
    const F size = magnitude(x);
    if (size < 0.5f) return {0, size};
    const auto bits = std::bit_cast<std::uint32_t>(size);
    const U64 mantissa = (bits & 0x7fffff) | 0x800000;
    const int exponent = static_cast<int>(bits >> 23) - 150;
    const auto place = static_cast<unsigned>(64 + exponent - 2), word = place / 64, shift = place % 64;
    const auto digits = [&](unsigned from) {
        return shift == 0 ? two_over_pi[from]
                          : two_over_pi[from] << shift | two_over_pi[from + 1] >> (64 - shift);
    };
    const Wide window = (Wide{digits(word)} << 64 | digits(word + 1)) >> 32;
    const Wide turns = mantissa * window << 32; // the upper two bits count quadrants
    const auto quadrant = static_cast<int>((turns + (Wide{1} << 125)) >> 126);
    const auto rest = static_cast<std::int64_t>(static_cast<U64>(turns << 2 >> 64));
    return {quadrant & 3, static_cast<double>(rest) * 0x1p-64 * (pi / 2)};
}

/// x - x^3/3! + x^5/5! - ... from `x` (odd) or 1 (even) on.
double alternating(double first, double square, int n) {
    double sum = 1;
    for (int k = n + 14; k > n; k -= 2) sum = 1 - sum * square / (k * (k - 1));
    return first * sum;
}
double sine_of(const Angle& angle) {
    const double square = angle.rest * angle.rest;
    const double size =
        (angle.quadrant & 1) != 0 ? alternating(1, square, 0) : alternating(angle.rest, square, 1);
    return (angle.quadrant & 2) != 0 ? -size : size;
}
bool no_angle(F x) { return !(magnitude(x) <= std::numeric_limits<F>::max()); }
double sine(F x) {
    if (no_angle(x)) return std::numeric_limits<double>::quiet_NaN();
    const double result = sine_of(reduced(x));
    return std::bit_cast<std::uint32_t>(x) >> 31 != 0 ? -result : result;
}
double cosine(F x) {
    if (no_angle(x)) return std::numeric_limits<double>::quiet_NaN();
    Angle angle = reduced(x);
    ++angle.quadrant;
    return sine_of(angle);
}

// ---- powers and logarithms

// 2^x as 2^n times the series of e^(f ln 2), with f between -1/2 and 1/2.
double power_of_two(double x) {
    if (x != x) return x;
    const double within = x < -200 ? -200 : x > 200 ? 200 : x;
    const int n = static_cast<int>(within + (within < 0 ? -0.5 : 0.5));
    const double y = (within - n) * log_2;
    double sum = 1;
    for (int k = 13; k > 0; --k) sum = 1 + sum * y / k;
    return sum * std::bit_cast<double>(static_cast<U64>(1023 + n) << 52);
}

// log2(m 2^e) = e + 2/ln 2 artanh((m - 1) / (m + 1)), with m between the roots of 1/2 and 2.
double logarithm(F x) {
    if (!(x > 0))
        return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    if (no_angle(x)) return x;
    const U64 bits = std::bit_cast<U64>(static_cast<double>(x));
    const bool high = (bits & 0xfffffffffffffu) > 0x6a09e667f3bcdu;
    const int exponent = static_cast<int>(bits >> 52) - 1023 + (high ? 1 : 0);
    const U64 one = high ? U64{1022} << 52 : U64{1023} << 52;
    const double m = std::bit_cast<double>((bits & 0xfffffffffffffu) | one), s = (m - 1) / (m + 1),
                 square = s * s;
    double sum = 0;
    for (int k = 21; k > 0; k -= 2) sum = sum * square + 1.0 / k;
    return exponent + 2 / log_2 * s * sum;
}

// (e^2x - 1) / (e^2x + 1); near zero, where that cancels, x - x^3/3.
double hyperbolic_tangent(F x) {
    const double size = x;
    if (magnitude(x) < 0x1p-12f) return size * (1 - size * size / 3);
    const double power = power_of_two(x * (2 / log_2));
    return x > 20 ? 1 : (power - 1) / (power + 1);
}

// ---- quotients and roots

double quick_quotient(F a, F b) {
    const bool beyond = magnitude(b) > 0x1p126f && !no_angle(b);
    if (beyond && magnitude(a) <= std::numeric_limits<F>::max()) {
        const auto signs = std::bit_cast<std::uint32_t>(a) ^ std::bit_cast<std::uint32_t>(b);
        return std::bit_cast<F>(signs & 0x80000000u);
    }
    return beyond ? std::numeric_limits<double>::quiet_NaN()
                  : static_cast<double>(a) / static_cast<double>(b);
}

template <bool ftz, class... In, class Op>
constexpr Opcode single(std::string_view stem, std::string_view modifiers, Op) {
    return modified(modifiers, row<F, In...>(stem, "f32", [](In... in) {
                        return flushed<ftz>(
                            canonical(static_cast<F>(static_cast<double>(Op{}(flushed<ftz>(in)...)))));
                    }));
}
template <class... In, class Op>
constexpr auto approximate(std::string_view stem, Op op) {
    return std::array{single<false, In...>(stem, "approx", op), single<true, In...>(stem, "approx.ftz", op)};
}

// The upper words of f64 only: 20 bits of the fraction in and out.
template <class Op>
constexpr Opcode upper_words(std::string_view stem, Op) {
    constexpr U64 word = 0xffffffff00000000, exponents = 0x7ff0000000000000, sign = U64{1} << 63;
    return modified("approx.ftz", row<U64, U64>(stem, "f64", [](U64 bits) {
                        const auto flush = [](U64 x) { return (x & exponents) == 0 ? x & sign : x; };
                        const double result = Op{}(std::bit_cast<double>(flush(bits & word)));
                        const U64 nearest = std::bit_cast<U64>(result) + 0x80000000u;
                        return result == result ? flush(nearest & word) : U64{0x7fffffff00000000};
                    }));
}

constexpr auto quotient_of = [](F a, F b) { return static_cast<double>(a) / static_cast<double>(b); };
constexpr std::array single_rows{
    single<false, F, F>("div", "full", quotient_of),
    single<true, F, F>("div", "full.ftz", quotient_of),
    needing({{7, 0}}, single<false, F>("tanh", "approx", [](F x) { return hyperbolic_tangent(x); })),
    modified("approx",
             row<double, double>("rsqrt", "f64", [](double x) { return canonical(1 / __builtin_sqrt(x)); })),
    upper_words("rcp", [](double x) { return 1 / x; }),
    upper_words("rsqrt", [](double x) { return 1 / __builtin_sqrt(x); }),
};

} // namespace

std::span<const Opcode> approximate_rows() {
    static constexpr auto rows =
        joined(approximate<F, F>("div", [](F a, F b) { return quick_quotient(a, b); }),
               approximate<F>("rcp", [](F x) { return 1 / static_cast<double>(x); }),
               approximate<F>("sqrt", [](F x) { return __builtin_sqrt(static_cast<double>(x)); }),
               approximate<F>("rsqrt", [](F x) { return 1 / __builtin_sqrt(static_cast<double>(x)); }),
               approximate<F>("sin", [](F x) { return sine(x); }),
               approximate<F>("cos", [](F x) { return cosine(x); }),
               approximate<F>("ex2", [](F x) { return power_of_two(x); }),
               approximate<F>("lg2", [](F x) { return logarithm(x); }), single_rows);
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
