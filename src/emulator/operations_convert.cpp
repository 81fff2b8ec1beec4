// cvt for every pair of formats, one number at a time, and cvt.pack. Exact and general; the frequent
// conversions have faster ways (convert_integer.cpp, operations_narrow.cpp). What is beyond rounding:
//
// - An integer from a float is clamped; from an integer it wraps, with .sat it is clamped. No number becomes
// 0,
//   or 2^(n-1) where one of the two types is f64, s64 or u64.
// - .ftz makes subnormal f32 sources and results zeros of their sign; .sat clamps floats to 0..1, and what is
//   no number to 0; .relu makes negative results 0; .satfinite stops at the largest number.
// - Random bits are added below the last place: the first number of a pair takes those of the upper half.
//   e2m1x4 has 8 of them a number.
//
// Source: PTX ISA 9.7.9 (cvt, cvt.pack).
#include "emulator/conversion_table.hpp"
#include "emulator/lanes.hpp"

#include <algorithm>
#include <bit>

namespace tmemc::emulator {

using namespace TMEMC_LEVEL;

namespace {

using Kind = Format::Kind;
using Class = Number::Class;

std::uint64_t to_integer(const Conversion& c, const Number& number) {
    const Format& to = *c.to.format;
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - to.bits);
    if (number.what == Class::nan) {
        const bool wide = to.bits == 64 || c.from.format->bits == 64;
        return wide ? std::uint64_t{1} << (to.bits - 1) : 0;
    }
    if (!c.from.format->is_integer() || c.saturate) return clamped(to, number, c.rounding);
    return (number.negative ? 0 - number.significand : number.significand) & ones;
}

bool is_f32(const Format& format) { return format.name == "f32"; }

/// A subnormal f32 becomes zero.
Number flushed(Number number) {
    const int length = number.exponent + static_cast<int>(std::bit_width(number.significand));
    if (number.what == Class::finite && length < -125) number.significand = 0;
    return number;
}

Number limited_to_one(Number number) {
    constexpr Number one{.significand = 1}, zero{};
    if (number.what == Class::nan || number.negative) return zero;
    const int length = number.exponent + static_cast<int>(std::bit_width(number.significand));
    const bool above = number.what == Class::infinite || (number.significand != 0 && length > 0);
    return above ? one : number;
}

std::uint64_t to_real(const Conversion& c, Number number, RandomBits random) {
    const Format& to = *c.to.format;
    if (c.flush && is_f32(*c.from.format)) number = flushed(number);
    if (c.whole) number = whole(number, c.rounding);
    if (c.saturate) number = limited_to_one(number);
    std::uint64_t code = encoded(to, number, c.rounding, c.finite, random);
    if (c.flush && is_f32(to)) code = encoded(to, flushed(decoded(to, code)), c.rounding, c.finite);
    return c.relu && number.negative && number.what != Class::nan ? 0 : code;
}

/// The slot that holds number k, the lowest being 0.
Slot slot_of(const Warp& warp, const Instruction& i, const Conversion& c, int k) {
    if (c.sources == Sources::one) return i.in[0];
    const auto from_top = static_cast<std::size_t>(c.to.count - 1 - k);
    return c.sources == Sources::quad_and_random ? warp.vector(i)[from_top] : i.in[from_top];
}

/// The random bits of number k: those of a half for each of a pair; of four, a half for two, or a byte each.
RandomBits random_bits(const Conversion& c, std::uint32_t bits, int k) {
    const int count = c.to.format->random_bits;
    const int at = c.to.count == 2 ? 16 * k : count > 8 ? 16 * (k / 2) : 16 * (k % 2) + 8 * (k / 2);
    return {bits >> at & ((1U << count) - 1), count};
}

/// The code that a register holds, or the part of number k of a packed one.
std::uint64_t code_at(const Warp& warp, Slot slot, bool wide, int lane, int shift) {
    const std::uint64_t whole =
        wide ? Source<std::uint64_t>(warp, slot)[lane] : Source<std::uint32_t>(warp, slot)[lane];
    return whole >> shift;
}

void set_code(const Warp& warp, Slot slot, const Conversion& c, int lane, std::uint64_t code) {
    if (c.to.format->kind == Kind::integer) { // a wider register gets the sign
        const int above = 64 - c.to.format->bits;
        code = static_cast<std::uint64_t>(static_cast<std::int64_t>(code << above) >> above);
    }
    if (c.wide_out) return Destination<std::uint64_t>(warp, slot).set(lane, code);
    Destination<std::uint32_t>(warp, slot).set(lane, static_cast<std::uint32_t>(code));
}

} // namespace

std::uint64_t converted(const Conversion& c, std::uint64_t code, RandomBits random) {
    const Number number = decoded(*c.from.format, code);
    return c.to.format->is_integer() ? to_integer(c, number) : to_real(c, number, random);
}

void convert(Warp& warp, const Instruction& i, Mask mask) {
    const Conversion& c = warp.kernel->conversions[i.detail];
    const bool random = c.rounding == Rounding::stochastic;
    const Slot bits = c.sources == Sources::quad_and_random ? i.in[0] : i.in[2];
    each_lane(mask, [&](int lane) {
        std::uint64_t out = 0;
        for (int k = 0; k < c.to.count; ++k) {
            const int shift = c.from.count > 1 ? k * c.from.format->spacing : 0;
            const std::uint64_t code = code_at(warp, slot_of(warp, i, c, k), c.wide_in, lane, shift);
            const std::uint32_t some = random ? Source<std::uint32_t>(warp, bits)[lane] : 0;
            out |= converted(c, code, random_bits(c, some, k)) << (k * c.to.format->spacing);
        }
        set_code(warp, i.out, c, lane, out);
    });
}

namespace {
constexpr Opcode rows[] = {{"cvt", "", {}, decode_convert}};
}
std::span<const Opcode> convert_rows() { return rows; }

} // namespace tmemc::emulator
