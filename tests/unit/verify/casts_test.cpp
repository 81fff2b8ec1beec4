// `cast` from every dtype to every other: small whole numbers, which all of them hold, and what f32 numbers
// beyond a type's range become.
#include "launch.hpp"
#include "pipeline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

using namespace tmemc;

namespace {

struct Type {
    const char* name;
    int bits;
    int exponent_bits, mantissa_bits; // 0: an integer
    bool is_signed;
    double least, most; // what numbers beyond become; floats but f8 go on to infinity
};
constexpr double inf = HUGE_VAL;
constexpr Type types[] = {
    {"f32", 32, 8, 23, true, -inf, inf},
    {"tf32", 32, 8, 23, true, -inf, inf},
    {"f16", 16, 5, 10, true, -inf, inf},
    {"bf16", 16, 8, 7, true, -inf, inf},
    {"f8e4m3", 8, 4, 3, true, -448, 448},
    {"f8e5m2", 8, 5, 2, true, -57344, 57344},
    {"s32", 32, 0, 0, true, -2147483648., 2147483647.},
    {"u32", 32, 0, 0, false, 0, 4294967295.},
    {"s16", 16, 0, 0, true, -32768, 32767},
    {"u16", 16, 0, 0, false, 0, 65535},
    {"s8", 8, 0, 0, true, -128, 127},
    {"u8", 8, 0, 0, false, 0, 255},
};

std::uint32_t encode(const Type& type, double value) {
    const std::uint32_t mask = ~0U >> (32 - type.bits);
    if (type.exponent_bits == 0) return static_cast<std::uint32_t>(static_cast<std::int64_t>(value)) & mask;
    const std::uint32_t sign = std::signbit(value) ? 1U << (type.bits - 1) : 0;
    if (value == 0) return sign;
    if (std::isinf(value)) return sign | ((1U << type.exponent_bits) - 1) << type.mantissa_bits;
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent) * 2 - 1; // 1.fraction * 2^(exponent - 1)
    const auto mantissa = static_cast<std::uint32_t>(std::ldexp(fraction, type.mantissa_bits));
    const int biased = exponent - 1 + (1 << (type.exponent_bits - 1)) - 1;
    return sign | static_cast<std::uint32_t>(biased) << type.mantissa_bits | mantissa;
}

/// 128 x 4 elements, the value of the row in each.
std::vector<std::byte> tensor(const Type& type, const std::vector<double>& rows) {
    const auto bytes = static_cast<std::size_t>(type.bits) / 8;
    std::vector<std::byte> all(128 * 4 * bytes);
    for (std::size_t i = 0; i < 512; ++i) {
        const std::uint32_t element = encode(type, rows[i / 4 % rows.size()]);
        std::memcpy(all.data() + i * bytes, &element, bytes);
    }
    return all;
}

std::vector<std::byte> cast(const Type& from, const Type& to, const std::vector<double>& rows) {
    const std::string text =
        fmt::format("kernel k(in A: {0}[128, 4], out B: {1}[128, 4]) {{\nfrag X: {0}[128, 4];\n"
                    "frag Y: {1}[128, 4];\ncopy X <- A;\nY = cast<{1}>(X);\ncopy B <- Y;\n}}\n",
                    from.name, to.name);
    CAPTURE(text);
    const base::Source source("k.tmx", text);
    const Compilation made = compile(source);
    REQUIRE_MESSAGE(made.ok(), made.diagnostics.list.front().message);
    CHECK(!verify_text(made).mismatch);
    test::Bytes result(128 * 4 * static_cast<std::size_t>(to.bits) / 8);
    return test::launched(made.ptx.text, {tensor(from, rows), std::move(result)})[1];
}

} // namespace

TEST_CASE("small whole numbers survive every cast") {
    int pairs = 0;
    for (const Type& from : types)
        for (const Type& to : types) {
            std::vector<double> rows{0, 1, 2, 3, 4, 5, 6, 7, 8};
            if (from.is_signed && to.is_signed) rows.insert(rows.end(), {-1, -2, -3, -5, -8});
            CHECK(cast(from, to, rows) == tensor(to, rows));
            ++pairs;
        }
    CHECK(pairs == 144);
}

TEST_CASE("numbers beyond the range stop at its ends") {
    for (const Type& to : types) {
        if (to.bits == 32 && to.exponent_bits != 0) continue;
        const double most = to.exponent_bits == 8 ? inf : to.most;
        const double least = to.exponent_bits == 8 ? -inf : to.least;
        CHECK(cast(types[0], to, {0x1.fffffep127, -0x1.fffffep127, inf, -inf}) ==
              tensor(to, {most, least, most, least}));
    }
}
