// Doubles and integers to the bits of an element. The floating types differ in two numbers, exponent and
// mantissa bits; what else sets them apart is where their finite values end (f8e4m3 has no infinity) and that
// tf32 sits in the upper bits of an f32.
#include "sema/number_literals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tmemc::sema {

namespace {

using base::Dtype;
using base::DtypeClass;
using base::DtypeRow;

int lowest_exponent(const DtypeRow& row) { return 2 - (1 << (row.exponent_bits - 1)); } // of a normal number

/// Exponent and mantissa of the largest finite value, as a number. f8e4m3 gives up only its last code, to
/// NaN.
std::uint32_t largest_code(const DtypeRow& row) {
    if (row.dtype == Dtype::f8e4m3) return 0x7e;
    return (((1U << row.exponent_bits) - 1) << row.mantissa_bits) - 1;
}

/// Bits below an element's own: tf32 leaves the low 13 of its 32 unused.
int unused_bits(const DtypeRow& row) { return row.bits - 1 - row.exponent_bits - row.mantissa_bits; }

double value_of_code(const DtypeRow& row, std::uint32_t code) {
    const auto mantissa = code & ((1U << row.mantissa_bits) - 1);
    const auto exponent = static_cast<int>(code >> row.mantissa_bits);
    return std::ldexp(1.0 + std::ldexp(mantissa, -row.mantissa_bits), exponent - 1 + lowest_exponent(row));
}

// Counted in units of the last mantissa place, a number is an integer; rounding is rounding to an integer,
// and adding the exponent in the same units carries into it when the mantissa overflows.
std::optional<std::uint32_t> floating_bits(const DtypeRow& row, double value) {
    if (!std::isfinite(value)) return std::nullopt;
    const int lowest = lowest_exponent(row);
    int exponent = lowest;
    if (value != 0) exponent = std::max(std::ilogb(value), lowest);
    if (exponent > (1 << (row.exponent_bits - 1))) return std::nullopt;
    const double units = std::nearbyint(std::ldexp(std::fabs(value), row.mantissa_bits - exponent));
    const std::uint32_t code = (static_cast<std::uint32_t>(exponent - lowest) << row.mantissa_bits) +
                               static_cast<std::uint32_t>(units);
    if (code > largest_code(row)) return std::nullopt;
    const std::uint32_t sign = std::signbit(value) ? 1U << (row.bits - 1) : 0;
    return sign | code << unused_bits(row);
}

} // namespace

double float_value(std::string_view text) {
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc::result_out_of_range) return value;
    // Too large or too small for a double: the exponent tells, or the first digit where there is none.
    const auto e = text.find_first_of("eE");
    const bool small =
        e != std::string_view::npos ? text.substr(e + 1, 1) == "-" : text[0] == '0' || text[0] == '.';
    return small ? 0.0 : std::numeric_limits<double>::infinity();
}

std::optional<std::uint32_t> element_bits(Dtype dtype, double value) {
    const DtypeRow& row = base::row(dtype);
    if (row.kind == DtypeClass::floating) return floating_bits(row, value);
    const double magnitude = std::fabs(value);
    if (magnitude != std::trunc(magnitude) || magnitude > std::numeric_limits<std::uint32_t>::max())
        return std::nullopt;
    return element_bits(dtype, std::signbit(value), static_cast<std::uint64_t>(magnitude));
}

std::optional<std::uint32_t> element_bits(Dtype dtype, bool negative, std::uint64_t magnitude) {
    const DtypeRow& row = base::row(dtype);
    if (row.kind == DtypeClass::floating) {
        const auto value = static_cast<double>(magnitude);
        return floating_bits(row, negative && magnitude != 0 ? -value : value);
    }
    const std::uint64_t half = std::uint64_t{1} << (row.bits - 1);
    const bool is_signed = row.kind == DtypeClass::signed_integer;
    const std::uint64_t most = is_signed ? half - (negative ? 0 : 1) : negative ? 0 : 2 * half - 1;
    if (magnitude > most) return std::nullopt;
    const std::uint64_t mask = 2 * half - 1;
    return static_cast<std::uint32_t>((negative ? 0 - magnitude : magnitude) & mask);
}

std::string range_text(Dtype dtype) {
    const DtypeRow& row = base::row(dtype);
    if (row.kind == DtypeClass::floating)
        return fmt::format("{} holds finite values up to {}", row.name,
                           value_of_code(row, largest_code(row)));
    const std::int64_t half = std::int64_t{1} << (row.bits - 1);
    if (row.kind == DtypeClass::signed_integer)
        return fmt::format("{} holds the integers from {} to {}", row.name, -half, half - 1);
    return fmt::format("{} holds the integers from 0 to {}", row.name, 2 * half - 1);
}

} // namespace tmemc::sema
