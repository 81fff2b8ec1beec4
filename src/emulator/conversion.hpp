// A decoded cvt: formats, rounding and modifiers, and how its numbers arrive. `converted` is its meaning for
// one number, exact and the same for every pair of formats; the frequent conversions have faster ways beside
// it (convert_integer.hpp, operations_narrow.cpp) that the oracles hold to the same bits.
//
//     cvt.rn.satfinite.e4m3x2.f32 %h0, %f1, %f2;
//     -> Conversion{to e4m3 x 2, from f32 x 1, pair, nearest_even, finite}
//
// Source: PTX ISA 9.7.9 (cvt).
#pragma once

#include "emulator/formats.hpp"

#include <cstdint>

namespace tmemc::emulator {

/// A format and how many numbers of it a register holds: e4m3x2 is two of 8 bits.
struct Packed {
    const Format* format = nullptr;
    int count = 1;
    [[nodiscard]] int bits() const { return count * format->spacing; }
    bool operator==(const Packed&) const = default;
};

/// How the numbers to convert arrive.
enum class Sources : std::uint8_t {
    one,             // in a register
    pair,            // the upper number, the lower number
    pair_and_random, // and random bits
    quad_and_random  // {four numbers, the uppermost first}, random bits
};

struct Conversion {
    Packed to, from;
    Sources sources{};
    Rounding rounding{};
    bool whole = false; // .rni and its kin: to a whole number, of whatever format
    bool flush = false, saturate = false, relu = false, finite = false;
    bool wide_in = false, wide_out = false; // the registers have 64 bits
    bool operator==(const Conversion&) const = default;
};

/// The code in c.to of the number with the given code in c.from.
[[nodiscard]] std::uint64_t converted(const Conversion& c, std::uint64_t code, RandomBits random = {});

} // namespace tmemc::emulator
