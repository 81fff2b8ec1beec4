// cvt, from the manual's words (PTX ISA 9.7.9) and in long double (reals.hpp): one number of one type to one
// of another. Shares nothing with the emulator.
#pragma once

#include "reals.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace oracle {

/// A type of cvt without its count: an integer, a real, or ue8m0.
struct Type {
    bool integer = false, has_sign = false, scale = false;
    int bits = 0;
    RealFormat real{};
    int low = 0; // zeros below the number, in tf32
};
inline Type type_named(std::string_view name) {
    const struct {
        std::string_view name;
        RealFormat format;
    } reals[] = {{"f16", f16},   {"bf16", bf16}, {"f32", f32},   {"f64", f64},  {"e4m3", e4m3},
                 {"e5m2", e5m2}, {"e2m3", e2m3}, {"e3m2", e3m2}, {"e2m1", e2m1}};
    for (const auto& real : reals)
        if (real.name == name) return {.bits = real.format.bits(), .real = real.format};
    if (name == "tf32") return {.bits = 32, .real = tf32, .low = 13};
    if (name == "ue8m0") return {.scale = true, .bits = 8};
    return {.integer = true, .has_sign = name[0] == 's', .bits = std::stoi(std::string(name.substr(1)))};
}
inline Code ones(int bits) { return ~Code{0} >> (64 - bits); }

struct Flags {
    std::string_view rounding; // "rn", "rzi", "-"
    bool ftz = false, sat = false, relu = false, satfinite = false;
};
struct Random {
    unsigned value = 0;
    int bits = 0;
};

inline Way way_named(std::string_view rounding) {
    if (rounding == "rna") return Way::nearest_away;
    return rounding[1] == 'z'   ? Way::zero
           : rounding[1] == 'm' ? Way::down
           : rounding[1] == 'p' ? Way::up
                                : Way::nearest_even;
}

inline Real value_of(const Type& type, Code code) {
    if (type.scale)
        return code == 0xff ? std::numeric_limits<Real>::quiet_NaN()
                            : std::ldexp(Real{1}, static_cast<int>(code) - 127);
    if (!type.integer) return from_code(type.real, code >> type.low);
    code &= ones(type.bits);
    const bool negative = type.has_sign && (code >> (type.bits - 1)) != 0;
    return negative ? -static_cast<Real>((~code + 1) & ones(type.bits)) : static_cast<Real>(code);
}

inline Code to_integer(const Type& to, const Type& from, Code code, const Flags& m) {
    Real value = value_of(from, code);
    if (std::isnan(value)) return to.bits == 64 || from.bits == 64 ? Code{1} << (to.bits - 1) : 0;
    if (from.integer && !m.sat) { // as many low bits as fit, the sign repeated
        const Code extended = value < 0 ? ~(static_cast<Code>(-value) - 1) : static_cast<Code>(value);
        return extended & ones(to.bits);
    }
    if (m.ftz && std::fabs(value) < 0x1p-126L) value = 0;
    if (!from.integer) value = to_whole(value, way_named(m.rounding));
    const Real lowest = to.has_sign ? -std::ldexp(Real{1}, to.bits - 1) : 0;
    const Real highest = static_cast<Real>(ones(to.has_sign ? to.bits - 1 : to.bits));
    value = std::clamp(value, lowest, highest);
    return (value < 0 ? ~(static_cast<Code>(-value) - 1) : static_cast<Code>(value)) & ones(to.bits);
}

inline Code to_scale(Real value, const Flags& m) {
    if (std::isnan(value)) return 0xff;
    value = std::fabs(value);
    int code = 0;
    while (code < 255 && std::ldexp(Real{1}, code - 127) < value) ++code; // the first that is not below
    const bool exact = code < 255 && std::ldexp(Real{1}, code - 127) == value;
    if (m.rounding == "rz" && !exact && code > 0) --code;
    if (value < 0x1p-127L) code = 0;
    if (std::isinf(value)) code = 255;
    return static_cast<Code>(m.satfinite ? std::min(code, 254) : code);
}

/// Adds random bits below the last place.
inline Real rounded_randomly(const RealFormat& f, Real value, Random random) {
    if (std::isnan(value) || std::isinf(value)) return value;
    const Real step = last_place(f, value);
    const Real multiple = std::trunc(std::fabs(value) / step);
    const Real rest = std::trunc((std::fabs(value) / step - multiple) * std::ldexp(Real{1}, random.bits));
    const bool up = rest + random.value >= std::ldexp(Real{1}, random.bits);
    const Real result = (multiple + (up ? 1 : 0)) * step;
    return std::copysign(result > from_code(f, f.largest()) ? std::numeric_limits<Real>::infinity() : result,
                         value);
}

/// A NaN that keeps its sign and the upper bits of its fraction, as an H200 does it: between f32 and f64 it
/// is made quiet; bf16 is the upper half of an f32. The rounded ones only to nearest.
inline std::optional<Code> kept_nan(const Type& to, const Type& from, Code code, const Flags& m) {
    if (m.ftz || m.sat || m.relu || m.satfinite || from.integer || to.low != 0) return std::nullopt;
    const Code quiet = Code{1} << 22;
    if (from.bits == 64 && to.bits == 32 && m.rounding == "rn")
        return (code >> 63 & 1) << 31 | 0x7f800000 | quiet | (code >> 29 & 0x7fffff);
    if (from.bits == 32 && to.bits == 64 && m.rounding == "-")
        return (code >> 31 & 1) << 63 | (Code{0x7ff} << 52) | ((code & 0x7fffff) | quiet) << 29;
    if (from.bits == 16 && from.real.fraction_bits == 7 && to.bits == 32 && m.rounding == "-")
        return code << 16;
    return std::nullopt;
}

inline Code to_real(const Type& to, const Type& from, Code code, const Flags& m, Random random) {
    Real value = value_of(from, code);
    if (std::isnan(value)) {
        if (const auto kept = kept_nan(to, from, code, m)) return *kept;
    }
    const bool negative = std::signbit(value);
    if (m.ftz && from.bits == 32 && !from.integer && std::fabs(value) < 0x1p-126L)
        value = std::copysign(Real{0}, value);
    if (m.rounding.size() == 3 && m.rounding[2] == 'i')
        value = std::copysign(to_whole(value, way_named(m.rounding)), value);
    if (m.rounding == "rs")
        value = rounded_randomly(to.real, value, random);
    else
        value = rounded(to.real, value, m.rounding == "-" ? Way::nearest_even : way_named(m.rounding));
    if (m.ftz && to.bits == 32 && std::fabs(value) < 0x1p-126L) value = std::copysign(Real{0}, value);
    if (m.sat) value = value > 0 ? std::min(value, Real{1}) : 0;
    if (m.relu && !std::isnan(value) && negative) value = 0;
    const Real largest = from_code(to.real, to.real.largest());
    if (m.satfinite && std::fabs(value) > largest) value = std::copysign(largest, value);
    return to_code(to.real, value) << to.low | (std::isnan(value) ? (Code{1} << to.low) - 1 : 0);
}

inline Code convert(const Type& to, const Type& from, Code code, const Flags& m, Random random = {}) {
    if (to.integer) return to_integer(to, from, code, m);
    return to.scale ? to_scale(value_of(from, code), m) : to_real(to, from, code, m, random);
}

} // namespace oracle
