// Encoding and decoding against an oracle of another kind: the 8- and 16-bit formats are listed value by
// value, computed bit by bit from their definitions, and a number is rounded by looking for its neighbours in
// that list. f32 is held against the processor's own conversion.
#include "runtime/element.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace tmemc;
using base::Dtype;
using runtime::decode;
using runtime::decode_integer;
using runtime::element_text;
using runtime::encode;
using runtime::is_nan;
using runtime::same;

namespace {

struct Definition {
    Dtype dtype;
    int bits, exponent_bits, bias;
    bool infinity;
};
const std::vector<Definition> small_floats{{Dtype::f16, 16, 5, 15, true},
                                           {Dtype::bf16, 16, 8, 127, true},
                                           {Dtype::f8e4m3, 8, 4, 7, false},
                                           {Dtype::f8e5m2, 8, 5, 15, true}};

/// The value of a finite, non-negative pattern by its definition.
long double value_by_definition(const Definition& format, std::uint32_t pattern) {
    const int mantissa_bits = format.bits - 1 - format.exponent_bits;
    long double value = 0, weight = 1;
    for (int bit = mantissa_bits - 1; bit >= 0; --bit) {
        weight /= 2;
        if ((pattern >> bit & 1) != 0) value += weight;
    }
    int exponent = static_cast<int>(pattern >> mantissa_bits);
    if (exponent > 0) value += 1;
    if (exponent == 0) exponent = 1;
    for (int e = exponent; e < format.bias; ++e) value /= 2;
    for (int e = format.bias; e < exponent; ++e) value *= 2;
    return value;
}

/// Every finite magnitude in ascending order; the index is the bit pattern.
std::vector<long double> magnitudes(const Definition& format) {
    const int mantissa_bits = format.bits - 1 - format.exponent_bits;
    const std::uint32_t all = (1U << (format.bits - 1)) - 1;
    const std::uint32_t last =
        format.infinity ? (((1U << format.exponent_bits) - 1) << mantissa_bits) - 1 : all - 1;
    std::vector<long double> list;
    for (std::uint32_t pattern = 0; pattern <= last; ++pattern)
        list.push_back(value_by_definition(format, pattern));
    return list;
}

/// Nearest by search, ties to the even pattern; beyond the last value counts as if the list went on.
std::uint32_t nearest_by_search(const Definition& format, const std::vector<long double>& list,
                                long double value) {
    const std::uint32_t sign = std::signbit(value) ? 1U << (format.bits - 1) : 0;
    const long double magnitude = std::fabs(value);
    const auto last = static_cast<std::uint32_t>(list.size() - 1);
    if (magnitude >= list[last]) {
        const long double step = list[last] - list[last - 1];
        const bool beyond =
            magnitude >= list[last] + step / 2; // the last IEEE mantissa is odd: a tie goes up
        return sign | (beyond && format.infinity ? last + 1 : last);
    }
    const auto above = std::upper_bound(list.begin(), list.end(), magnitude);
    const auto high = static_cast<std::uint32_t>(above - list.begin());
    const std::uint32_t low = high - 1;
    const long double to_low = magnitude - list[low], to_high = list[high] - magnitude;
    if (to_low == to_high) return sign | (low % 2 == 0 ? low : high);
    return sign | (to_low < to_high ? low : high);
}

} // namespace

TEST_CASE("every 8- and 16-bit float decodes to the value of its definition") {
    for (const Definition& format : small_floats) {
        CAPTURE(base::name(format.dtype));
        const std::vector<long double> list = magnitudes(format);
        const std::uint32_t sign = 1U << (format.bits - 1);
        int finite = 0, infinite = 0, nan = 0, wrong = 0;
        for (std::uint32_t pattern = 0; pattern < sign; ++pattern) {
            const double positive = decode(format.dtype, pattern),
                         negative = decode(format.dtype, pattern | sign);
            if (pattern < list.size()) {
                finite += 1;
                wrong += positive != static_cast<double>(list[pattern]) || negative != -positive ||
                         std::signbit(positive) || !std::signbit(negative);
            } else if (format.infinity && pattern == list.size()) {
                infinite += 1;
                wrong += positive != HUGE_VAL || negative != -HUGE_VAL;
            } else {
                nan += 1;
                wrong += !std::isnan(positive) || !std::isnan(negative) || !is_nan(format.dtype, pattern) ||
                         !is_nan(format.dtype, pattern | sign);
            }
            if (pattern <= list.size() - (format.infinity ? 0 : 1)) wrong += is_nan(format.dtype, pattern);
        }
        CHECK(wrong == 0);
        MESSAGE(base::name(format.dtype), ": finite ", finite, ", infinite ", infinite, ", NaN ", nan);
        CHECK(finite > 100);
        CHECK(infinite == (format.infinity ? 1 : 0));
        CHECK(nan > 0);
    }
}

TEST_CASE("every 8- and 16-bit float rounds to nearest even at, between and beside all neighbours") {
    for (const Definition& format : small_floats) {
        CAPTURE(base::name(format.dtype));
        const std::vector<long double> list = magnitudes(format);
        int exact = 0, ties = 0, beside = 0, wrong = 0;
        const auto check = [&](double value) {
            for (const double each : {value, -value}) {
                wrong += encode(format.dtype, each) != nearest_by_search(format, list, each);
            }
        };
        for (std::size_t i = 0; i < list.size(); ++i) {
            const long double next = i + 1 < list.size() ? list[i + 1] : 2 * list[i] - list[i - 1];
            const auto middle = static_cast<double>((list[i] + next) / 2);
            REQUIRE(static_cast<long double>(middle) == (list[i] + next) / 2);
            check(static_cast<double>(list[i]));
            check(middle);
            check(std::nextafter(middle, 0.0));
            check(std::nextafter(middle, HUGE_VAL));
            exact += 1, ties += 1, beside += 2;
        }
        CHECK(wrong == 0);
        MESSAGE(base::name(format.dtype), ": exact ", exact, ", ties ", ties, ", beside a tie ", beside);
    }
}

TEST_CASE("random doubles and integers round as the search says") {
    std::mt19937_64 random(7);
    for (const Definition& format : small_floats) {
        CAPTURE(base::name(format.dtype));
        const std::vector<long double> list = magnitudes(format);
        int doubles = 0, integers = 0, large = 0, wrong = 0;
        for (int i = 0; i < 20'000; ++i) {
            const int range = format.dtype == Dtype::bf16 ? 140 : 20;
            const double value =
                std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                           static_cast<int>(random() % static_cast<unsigned>(2 * range)) - range - 63);
            wrong += encode(format.dtype, value) != nearest_by_search(format, list, value);
            doubles += 1;
            const std::int64_t integer = static_cast<std::int64_t>(random()) >> (random() % 63);
            wrong += encode(format.dtype, integer) != nearest_by_search(format, list, integer);
            integers += 1;
            large += std::abs(integer) > (std::int64_t{1} << 53);
        }
        CHECK(wrong == 0);
        CHECK(large > 1000);
        MESSAGE(base::name(format.dtype), ": doubles ", doubles, ", integers ", integers,
                " (beyond 2^53: ", large, ")");
    }
}

TEST_CASE("f32 agrees with the processor, subnormals and large integers included") {
    std::mt19937_64 random(11);
    int normal = 0, subnormal = 0, overflow = 0, wrong = 0;
    for (int i = 0; i < 200'000; ++i) {
        const auto value = std::bit_cast<double>((random() & ~(std::uint64_t{0x7ff} << 52)) |
                                                 (1023 - 155 + random() % 290) << 52);
        const auto expected = static_cast<float>(value);
        wrong += encode(Dtype::f32, value) != std::bit_cast<std::uint32_t>(expected);
        wrong += decode(Dtype::f32, std::bit_cast<std::uint32_t>(expected)) != static_cast<double>(expected);
        (std::isinf(expected)                                      ? overflow
         : std::fabs(expected) < std::numeric_limits<float>::min() ? subnormal
                                                                   : normal)++;
        const std::int64_t integer = static_cast<std::int64_t>(random()) >> (random() % 63);
        wrong += encode(Dtype::f32, integer) != std::bit_cast<std::uint32_t>(static_cast<float>(integer));
    }
    CHECK(wrong == 0);
    MESSAGE("normal ", normal, ", subnormal ", subnormal, ", overflow ", overflow);
    CHECK(std::min({normal, subnormal, overflow}) > 1000);
}

TEST_CASE("an integer is rounded once, not through a double") {
    // 2^60 + 2^36 + 1 is above the middle of two floats; as a double it would first become that middle.
    const std::int64_t value = (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1;
    CHECK(encode(Dtype::f32, value) == 0x5d800001);
    CHECK(encode(Dtype::f32, static_cast<double>(value)) == 0x5d800000);
    // 2049.0001 through an f32 would be a tie; straight to f16 it goes up.
    CHECK(encode(Dtype::f16, 2049.0000001) == 0x6801);
    CHECK(encode(Dtype::f32, std::numeric_limits<std::int64_t>::min()) == 0xdf000000);
}

TEST_CASE("numbers beyond the largest become infinity, in f8e4m3 the largest") {
    CHECK(encode(Dtype::f16, 65519.99) == 0x7bff);
    CHECK(encode(Dtype::f16, 65520.0) == 0x7c00);
    CHECK(encode(Dtype::f16, -1e300) == 0xfc00);
    CHECK(encode(Dtype::f16, std::int64_t{70000}) == 0x7c00);
    CHECK(encode(Dtype::f8e5m2, 1e9) == 0x7c);
    CHECK(encode(Dtype::f8e4m3, 449.0) == 0x7e);
    CHECK(encode(Dtype::f8e4m3, 1e9) == 0x7e);
    CHECK(encode(Dtype::f8e4m3, -HUGE_VAL) == 0xfe);
    CHECK(encode(Dtype::f8e4m3, std::numeric_limits<std::int64_t>::max()) == 0x7e);
    CHECK(encode(Dtype::bf16, HUGE_VAL) == 0x7f80);
    CHECK(encode(Dtype::f32, 3.5e38) == 0x7f800000);
    CHECK(encode(Dtype::tf32, 1e39) == 0x7f800000);
}

TEST_CASE("a NaN stays one and the sign of zero is kept") {
    for (const Dtype dtype :
         {Dtype::f32, Dtype::f16, Dtype::bf16, Dtype::tf32, Dtype::f8e4m3, Dtype::f8e5m2}) {
        CAPTURE(base::name(dtype));
        CHECK(is_nan(dtype, encode(dtype, std::nan(""))));
        CHECK(std::isnan(decode(dtype, encode(dtype, std::nan("")))));
        CHECK(encode(dtype, 0.0) == 0);
        CHECK(encode(dtype, -0.0) == 1U << (base::bits(dtype) - 1));
        CHECK(std::signbit(decode(dtype, encode(dtype, -0.0))));
        CHECK(encode(dtype, 1e-300) == 0);
        CHECK(encode(dtype, std::numeric_limits<double>::denorm_min()) == 0);
        CHECK_FALSE(is_nan(dtype, encode(dtype, 1.0)));
    }
}

TEST_CASE("tf32 keeps ten mantissa bits of an f32 and ignores the rest") {
    CHECK(encode(Dtype::tf32, 1.0) == 0x3f800000);
    CHECK(encode(Dtype::tf32, 1.0 + 1.0 / 1024) == 0x3f802000);
    CHECK(encode(Dtype::tf32, 1.0 + 1.0 / 2048) == 0x3f800000); // a tie
    CHECK(encode(Dtype::tf32, 1.0 + 3.0 / 2048) == 0x3f804000); // a tie
    CHECK(decode(Dtype::tf32, 0x3f801fff) == 1.0);
    CHECK(same(Dtype::tf32, 0x3f801fff, 0x3f800000));
    CHECK_FALSE(same(Dtype::f32, 0x3f801fff, 0x3f800000));
    CHECK(decode(Dtype::tf32, 0x7f800001) == HUGE_VAL);
}

TEST_CASE("integers wrap modulo their size") {
    CHECK(encode(Dtype::u8, std::int64_t{257}) == 1);
    CHECK(encode(Dtype::s8, std::int64_t{-1}) == 0xff);
    CHECK(encode(Dtype::s16, std::int64_t{40000}) == 40000);
    CHECK(encode(Dtype::u32, std::int64_t{-1}) == 0xffffffff);
    CHECK(encode(Dtype::b16, std::int64_t{0x12345}) == 0x2345);
    CHECK(encode(Dtype::u32, 4294967296.0 * 3 + 5) == 5);
    CHECK(encode(Dtype::s32, -5.0) == 0xfffffffb);
    CHECK(encode(Dtype::u8, 2.5) == 2);
    CHECK(encode(Dtype::u8, 3.5) == 4);
    CHECK(encode(Dtype::s8, -2.5) == 0xfe);
    CHECK(encode(Dtype::u8, std::nan("")) == 0);
    CHECK(encode(Dtype::s32, HUGE_VAL) == 0);
}

TEST_CASE("every 8- and 16-bit integer decodes to what C makes of it") {
    int wrong = 0;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        wrong += decode_integer(Dtype::s16, bits) != static_cast<std::int16_t>(bits);
        wrong += decode_integer(Dtype::u16, bits) != static_cast<std::uint16_t>(bits);
        wrong += decode_integer(Dtype::b16, bits) != static_cast<std::uint16_t>(bits);
        wrong += decode_integer(Dtype::s8, bits & 255) != static_cast<std::int8_t>(bits);
        wrong += decode_integer(Dtype::u8, bits & 255) != static_cast<std::uint8_t>(bits);
        wrong += encode(Dtype::s16, decode_integer(Dtype::s16, bits)) != bits;
        wrong += decode(Dtype::s16, bits) != static_cast<std::int16_t>(bits);
    }
    CHECK(wrong == 0);
    CHECK(decode_integer(Dtype::s32, 0x80000000) == std::numeric_limits<std::int32_t>::min());
    CHECK(decode_integer(Dtype::u32, 0xffffffff) == 4294967295);
    CHECK(decode_integer(Dtype::b32, 0xffffffff) == 4294967295);
    CHECK(decode(Dtype::u32, 0xffffffff) == 4294967295.0);
}

TEST_CASE("an element is printed with the fewest digits that name it") {
    CHECK(element_text(Dtype::f16, 0x2e66) == "0.1");
    CHECK(element_text(Dtype::f32, 0x3dcccccd) == "0.1");
    CHECK(element_text(Dtype::f32, 0x3dccccce) == "0.10000001");
    CHECK(element_text(Dtype::f16, 0x3c00) == "1");
    CHECK(element_text(Dtype::f16, 0xfc00) == "-inf");
    CHECK(element_text(Dtype::f16, 0x7e00) == "nan");
    CHECK(element_text(Dtype::f16, 0x8000) == "-0");
    CHECK(element_text(Dtype::s8, 0xff) == "-1");
    CHECK(element_text(Dtype::b8, 0x1f) == "0x1f");
    CHECK(element_text(Dtype::b16, 0x1f) == "0x001f");
    CHECK(element_text(Dtype::f8e4m3, 0x7e) == "448"); // whole numbers in full, though 4e+02 would do
    int wrong = 0;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        if (is_nan(Dtype::bf16, bits)) continue;
        wrong += !same(Dtype::bf16, encode(Dtype::bf16, std::stod(element_text(Dtype::bf16, bits))), bits);
    }
    CHECK(wrong == 0);
}
