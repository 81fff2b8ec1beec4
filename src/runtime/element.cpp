// One rounding for all six floating formats. A number is significand * 2^exponent, exactly, with 64 bits of
// significand, which holds every double and every int64; so nothing is rounded twice. The format's own grid
// at that magnitude has a step of 2^step; the significand is shifted onto it, what falls off decides the
// rounding, and the carry of a mantissa that was all ones runs into the exponent field by itself:
//
//     f16, 2049 = 2049 * 2^0: the top bit is 2^11, the step 2^(11-10) = 2; 2049 >> 1 = 1024, remainder 1 of
//     2: a tie, 1024 is even and stays; bits = (25 << 10) + 1024 = 0x6800, where 25 + 1 is the exponent
//     field.
#include "runtime/element.hpp"

#include "base/invariant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>

namespace tmemc::runtime {

namespace {

using base::Dtype;

/// A floating format, counted in its own bits: an f32 without its 13 low bits is a tf32 of 19 bits.
struct Format {
    int exponent_bits, mantissa_bits;
    bool has_infinity;
    int unused_bits; // below the mantissa
    [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    [[nodiscard]] std::uint32_t sign() const { return 1U << (exponent_bits + mantissa_bits); }
    [[nodiscard]] std::uint32_t all_ones() const { return sign() - 1; } // a NaN in every format
    [[nodiscard]] std::uint32_t infinity() const { return all_ones() - (1U << mantissa_bits) + 1; }
    /// What a number beyond the largest becomes.
    [[nodiscard]] std::uint32_t overflow() const { return has_infinity ? infinity() : all_ones() - 1; }
    [[nodiscard]] bool nan(std::uint32_t magnitude) const {
        return has_infinity ? magnitude > infinity() : magnitude == all_ones();
    }
};

Format format_of(Dtype dtype) {
    const base::DtypeRow& row = base::row(dtype);
    return {row.exponent_bits, row.mantissa_bits, dtype != Dtype::f8e4m3,
            row.bits - 1 - row.exponent_bits - row.mantissa_bits};
}

std::uint32_t low_bits(Dtype dtype) { return ~0U >> (32 - base::bits(dtype)); }

/// value / 2^shift to the nearest integer, ties to the even one; shift is positive. Only doubles are shifted
/// by more than 63, and their 53 bits are then far below half.
std::uint64_t shift_right_to_nearest(std::uint64_t value, int shift) {
    if (shift > 63) return 0;
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t kept = value >> shift;
    const std::uint64_t rest = value & (2 * half - 1);
    const bool up = rest > half || (rest == half && kept % 2 == 1);
    return kept + (up ? 1 : 0);
}

/// The magnitude bits of significand * 2^exponent.
std::uint32_t round_to(const Format& format, std::uint64_t significand, int exponent) {
    if (significand == 0) return 0;
    const int smallest =
        1 - format.bias(); // exponent of the normal numbers next to zero; the subnormals' too
    const int top = exponent + 63 - std::countl_zero(significand);
    if (top > format.bias() + 1) return format.overflow(); // also keeps the shifts below in range
    const int step = std::max(top, smallest) - format.mantissa_bits;
    const int shift = step - exponent;
    const std::uint64_t mantissa =
        shift > 0 ? shift_right_to_nearest(significand, shift) : significand << -shift;
    const auto field = static_cast<std::uint64_t>(std::max(top, smallest) - smallest);
    const std::uint64_t magnitude = (field << format.mantissa_bits) + mantissa;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(magnitude, format.overflow()));
}

std::uint32_t assemble(const Format& format, bool negative, std::uint32_t magnitude) {
    return (magnitude | (negative ? format.sign() : 0)) << format.unused_bits;
}

std::uint32_t magnitude_of(const Format& format, std::uint32_t bits) {
    return bits >> format.unused_bits & format.all_ones();
}

} // namespace

std::uint32_t encode(Dtype dtype, double value) {
    if (!is_floating(dtype)) {
        if (!std::isfinite(value)) return 0;
        const double wrapped = std::fmod(std::nearbyint(value), 4294967296.0); // exact
        return static_cast<std::uint32_t>(static_cast<std::int64_t>(wrapped)) & low_bits(dtype);
    }
    const Format format = format_of(dtype);
    if (std::isnan(value)) return assemble(format, false, format.all_ones());
    if (std::isinf(value)) return assemble(format, value < 0, format.overflow());
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent); // in [1/2, 1): 53 bits
    const auto significand = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    return assemble(format, std::signbit(value), round_to(format, significand, exponent - 53));
}

std::uint32_t encode(Dtype dtype, std::int64_t value) {
    if (!is_floating(dtype)) return static_cast<std::uint32_t>(value) & low_bits(dtype);
    const Format format = format_of(dtype);
    const auto unsigned_value = static_cast<std::uint64_t>(value);
    return assemble(format, value < 0, round_to(format, value < 0 ? 0 - unsigned_value : unsigned_value, 0));
}

double decode(Dtype dtype, std::uint32_t bits) {
    if (!is_floating(dtype)) return static_cast<double>(decode_integer(dtype, bits));
    const Format format = format_of(dtype);
    const std::uint32_t magnitude = magnitude_of(format, bits);
    const double sign = (bits >> format.unused_bits & format.sign()) != 0 ? -1.0 : 1.0;
    if (format.nan(magnitude)) return std::nan("");
    if (format.has_infinity && magnitude == format.infinity()) return sign * HUGE_VAL;
    const auto field = static_cast<int>(magnitude >> format.mantissa_bits);
    const std::uint32_t one = 1U << format.mantissa_bits;
    const std::uint32_t mantissa = (magnitude & (one - 1)) + (field > 0 ? one : 0);
    return sign * std::ldexp(mantissa, std::max(field, 1) - format.bias() - format.mantissa_bits);
}

std::int64_t decode_integer(Dtype dtype, std::uint32_t bits) {
    base::invariant(!is_floating(dtype), "the integer value of a floating element");
    const std::int64_t value = bits & low_bits(dtype);
    const bool negative =
        base::row(dtype).kind == base::DtypeClass::signed_integer && (value >> (base::bits(dtype) - 1)) != 0;
    return negative ? value - (std::int64_t{1} << base::bits(dtype)) : value;
}

bool is_nan(Dtype dtype, std::uint32_t bits) {
    if (!is_floating(dtype)) return false;
    const Format format = format_of(dtype);
    return format.nan(magnitude_of(format, bits));
}

bool same(Dtype dtype, std::uint32_t a, std::uint32_t b) {
    const int unused = is_floating(dtype) ? format_of(dtype).unused_bits : 0;
    return a >> unused == b >> unused || (is_nan(dtype, a) && is_nan(dtype, b));
}

std::string element_text(Dtype dtype, std::uint32_t bits) {
    if (base::row(dtype).kind == base::DtypeClass::raw_bits) {
        return fmt::format("{:#0{}x}", bits, 2 + base::bits(dtype) / 4);
    }
    if (!is_floating(dtype)) return fmt::format("{}", decode_integer(dtype, bits));
    const double value = decode(dtype, bits);
    if (value == std::trunc(value) && std::fabs(value) < 1e15) return fmt::format("{:.0f}", value);
    for (int digits = 1; digits < 17; ++digits) {
        std::string text = fmt::format("{:.{}g}", value, digits);
        double read = value;
        std::from_chars(text.data(), text.data() + text.size(), read);
        if (same(dtype, encode(dtype, read), bits)) return text;
    }
    return fmt::format("{}", value);
}

} // namespace tmemc::runtime
