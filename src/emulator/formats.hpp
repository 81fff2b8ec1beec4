// Number formats as rows, and one exact way from any of them to any other. A value is taken apart into a
// sign, a whole number and a power of two (Number), rounded to a multiple of the target's smallest step
// there, and put together again; integers are the formats whose step is always one. Nothing is ever rounded
// twice, since nothing passes through a float of the host.
//
//     1.5 as f32 0x3fc00000 -> Number{significand 0xc00000, exponent -23} -> step 2^-10 of f16 -> 0x3e00
//
// A format's codes, read as integers, grow with the magnitude, so `code = (step number << fraction) +
// multiple` serves subnormal and normal numbers and the carry from one to the next. Not here: which
// conversions PTX has (conversion.hpp), and the vectorised ways of the frequent ones (operations_narrow.cpp).
// Source: PTX ISA 5.2 (types), 9.7.9 (cvt).
#pragma once

#include <cstdint>
#include <string_view>

namespace tmemc::emulator {

struct Format {
    enum class Kind : std::uint8_t {
        natural,
        integer,
        real,
        scale
    }; // scale: a power of two, no sign, no zero
    std::string_view name;
    Kind kind{};
    int bits = 0; // of one number
    int exponent_bits = 0, fraction_bits = 0;
    std::uint64_t largest = 0;  // the code of the largest finite number
    std::uint64_t infinity = 0; // 0: there is none
    std::uint64_t nan = 0;      // what an operation writes; of a format without one, what stands for it
    int low_zeros = 0;          // tf32: bits below the fraction that are not part of the number
    int spacing = 0;            // from one number of a vector to the next
    int random_bits = 0;        // that .rs takes for a number
    [[nodiscard]] bool is_integer() const { return kind == Kind::natural || kind == Kind::integer; }
};
/// The row named `name` ("f16", "u32", "e4m3"), or null.
[[nodiscard]] const Format* format(std::string_view name);

enum class Rounding : std::uint8_t {
    none,
    nearest_even,
    zero,
    down,
    up,
    nearest_away,
    stochastic // up when the bits below the step, plus random ones, carry
};

/// (-1)^negative * significand * 2^exponent
struct Number {
    enum class Class : std::uint8_t { finite, infinite, nan };
    Class what = Class::finite;
    bool negative = false;
    std::uint64_t significand = 0;
    int exponent = 0;
    bool operator==(const Number&) const = default;
};

[[nodiscard]] Number decoded(const Format& from, std::uint64_t code);

struct RandomBits {
    std::uint32_t value = 0;
    int count = 0;
};
/// To a whole number.
[[nodiscard]] Number whole(const Number& number, Rounding rounding);
/// To an integer format, clamped to its range; not for numbers that are none.
[[nodiscard]] std::uint64_t clamped(const Format& to, const Number& number, Rounding rounding);
/// To a format of kind real or scale. What is too large becomes infinite, or the largest where `finite` or
/// the rounding says so.
[[nodiscard]] std::uint64_t encoded(const Format& to, Number number, Rounding rounding, bool finite,
                                    RandomBits random = {});

} // namespace tmemc::emulator
