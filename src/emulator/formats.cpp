// The rows, and the arithmetic on significands.
#include "emulator/formats.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace tmemc::emulator {

namespace {

using Kind = Format::Kind;

constexpr Format whole_format(std::string_view name, Kind kind, int bits) {
    return {.name = name, .kind = kind, .bits = bits, .spacing = bits};
}

// clang-format off
constexpr Format formats[] = {
    whole_format("u8", Kind::natural, 8),   whole_format("u16", Kind::natural, 16),
    whole_format("u32", Kind::natural, 32), whole_format("u64", Kind::natural, 64),
    whole_format("s8", Kind::integer, 8),   whole_format("s16", Kind::integer, 16),
    whole_format("s32", Kind::integer, 32), whole_format("s64", Kind::integer, 64),
    // name     kind          bits exponent fraction largest   infinity    NaN         low zeros, spacing, random bits
    {"f16",     Kind::real,   16,  5,  10, 0x7bff,             0x7c00,     0x7fff,     0, 16, 13},
    {"bf16",    Kind::real,   16,  8,  7,  0x7f7f,             0x7f80,     0x7fff,     0, 16, 16},
    {"f32",     Kind::real,   32,  8,  23, 0x7f7fffff,         0x7f800000, 0x7fffffff, 0, 32},
    {"tf32",    Kind::real,   32,  8,  10, 0x3fbff,            0x3fc00,    0x3ffff,    13, 32},
    {"f64",     Kind::real,   64,  11, 52, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7fffffffffffffff, 0, 64},
    {"e4m3",    Kind::real,   8,   4,  3,  0x7e,               0,          0x7f,       0, 8, 16},
    {"e5m2",    Kind::real,   8,   5,  2,  0x7b,               0x7c,       0x7f,       0, 8, 16},
    {"e2m3",    Kind::real,   6,   2,  3,  0x1f,               0,          0x1f,       0, 8, 16},
    {"e3m2",    Kind::real,   6,   3,  2,  0x1f,               0,          0x1f,       0, 8, 16},
    {"e2m1",    Kind::real,   4,   2,  1,  0x7,                0,          0x7,        0, 4, 8},
    {"ue8m0",   Kind::scale,  8,   8,  0,  0xfe,               0,          0xff,       0, 8},
};
// clang-format on

constexpr std::uint64_t ones(int bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}
constexpr int bias(const Format& f) { return (1 << (f.exponent_bits - 1)) - 1; }
/// The exponent of the smallest step.
constexpr int lowest_step(const Format& f) { return 1 - bias(f) - f.fraction_bits; }

Number decoded_real(const Format& from, std::uint64_t code) {
    const std::uint64_t magnitude = code >> from.low_zeros & ones(from.bits - from.low_zeros - 1);
    Number number;
    number.negative = (code >> (from.bits - 1) & 1) != 0;
    if (magnitude > from.largest) {
        number.what =
            from.infinity != 0 && magnitude == from.infinity ? Number::Class::infinite : Number::Class::nan;
        return number;
    }
    const auto exponent = static_cast<int>(magnitude >> from.fraction_bits);
    const std::uint64_t fraction = magnitude & ones(from.fraction_bits);
    const std::uint64_t hidden = exponent == 0 ? 0 : std::uint64_t{1} << from.fraction_bits;
    number.significand = fraction | hidden;
    number.exponent = std::max(exponent, 1) - 1 + lowest_step(from);
    return number;
}

// The multiple of 2^step that the rounding chooses.
std::uint64_t multiple(const Number& number, int step, Rounding rounding, RandomBits random) {
    const int drop = step - number.exponent;
    if (number.significand == 0) return 0;
    if (drop <= 0) return number.significand << -drop;
    const std::uint64_t kept = drop < 64 ? number.significand >> drop : 0;
    // What is dropped, as a fraction of the step: its first 63 bits, and whether there are more.
    std::uint64_t rest = 0;
    bool more = false;
    if (drop <= 63) {
        rest = (number.significand & ones(drop)) << (63 - drop);
    } else {
        const int beyond = std::min(drop - 63, 63);
        rest = number.significand >> beyond;
        more = (number.significand & ones(beyond)) != 0;
    }
    constexpr std::uint64_t half = std::uint64_t{1} << 62;
    const bool inexact = rest != 0 || more;
    bool up = false;
    switch (rounding) {
    case Rounding::none: break;
    case Rounding::nearest_even: up = rest > half || (rest == half && (more || (kept & 1) != 0)); break;
    case Rounding::zero: break;
    case Rounding::down: up = inexact && number.negative; break;
    case Rounding::up: up = inexact && !number.negative; break;
    case Rounding::nearest_away: up = rest >= half; break;
    case Rounding::stochastic:
        up = (rest >> (63 - random.count)) + random.value >= std::uint64_t{1} << random.count;
    }
    return kept + (up ? 1 : 0);
}

/// Whether a magnitude beyond the largest stops there instead of becoming infinite.
bool stops(Rounding rounding, bool negative) {
    return rounding == Rounding::zero || rounding == (negative ? Rounding::up : Rounding::down);
}

} // namespace

const Format* format(std::string_view name) {
    const auto* row =
        std::find_if(std::begin(formats), std::end(formats), [&](auto& f) { return f.name == name; });
    return row == std::end(formats) ? nullptr : row;
}

Number decoded(const Format& from, std::uint64_t code) {
    if (from.kind == Kind::real) return decoded_real(from, code);
    code &= ones(from.bits);
    if (from.kind == Kind::scale) {
        return code == from.nan ? Number{.what = Number::Class::nan}
                                : Number{.significand = 1, .exponent = static_cast<int>(code) - bias(from)};
    }
    const bool negative = from.kind == Kind::integer && (code >> (from.bits - 1) & 1) != 0;
    return {.negative = negative, .significand = negative ? (0 - code) & ones(from.bits) : code};
}

Number whole(const Number& number, Rounding rounding) {
    if (number.what != Number::Class::finite || number.exponent >= 0) return number;
    Number result = number;
    result.significand = multiple(number, 0, rounding, {});
    result.exponent = 0;
    return result;
}

std::uint64_t clamped(const Format& to, const Number& number, Rounding rounding) {
    const std::uint64_t top = ones(to.kind == Kind::integer ? to.bits - 1 : to.bits);
    const std::uint64_t bottom = to.kind == Kind::integer ? top + 1 : 0; // its magnitude
    const std::uint64_t limit = number.negative ? bottom : top;
    const bool infinite = number.what == Number::Class::infinite;
    const int length = number.exponent + static_cast<int>(std::bit_width(number.significand));
    const bool huge = infinite || (number.significand != 0 && length > 64);
    const std::uint64_t magnitude = huge ? limit : std::min(multiple(number, 0, rounding, {}), limit);
    return (number.negative ? 0 - magnitude : magnitude) & ones(to.bits);
}

std::uint64_t encoded(const Format& to, Number number, Rounding rounding, bool finite, RandomBits random) {
    if (number.what == Number::Class::nan) return to.nan << to.low_zeros | ones(to.low_zeros);
    if (to.kind == Kind::scale) number.negative = false;
    const std::uint64_t sign = number.negative ? std::uint64_t{1} << (to.bits - 1 - to.low_zeros) : 0;
    // A scale of 2^-127 has code 0, which is zero elsewhere: what is not above it becomes it.
    const int first = number.exponent + static_cast<int>(std::bit_width(number.significand)) - 1;
    const bool tiny_scale =
        to.kind == Kind::scale && (number.significand == 0 || first < -bias(to) ||
                                   (first == -bias(to) && std::has_single_bit(number.significand)));
    std::uint64_t code = 0;
    bool beyond = number.what == Number::Class::infinite;
    if (!beyond && !tiny_scale && number.significand != 0) {
        const int step = std::max(first - to.fraction_bits, lowest_step(to));
        if (first > bias(to) + 1) {
            beyond = true;
        } else {
            code = (static_cast<std::uint64_t>(step - lowest_step(to)) << to.fraction_bits) +
                   multiple(number, step, rounding, random);
            beyond = code > to.largest;
        }
        finite = finite || (beyond && stops(rounding, number.negative && to.kind != Kind::scale));
    }
    if (beyond) code = finite ? to.largest : to.infinity != 0 ? to.infinity : to.nan;
    return (sign | code) << to.low_zeros;
}

} // namespace tmemc::emulator
