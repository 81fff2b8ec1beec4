// Fills: literals to the bits of elements. The expected bits are written down from the formats' definitions.
#include "checking.hpp"

#include "sema/number_literals.hpp"

#include <limits>

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

namespace {

std::optional<std::uint32_t> fill(std::string_view dtype, std::string_view literal) {
    const Checked found = checked(body(fmt::format("frag X: {}[128, 8];\nX = {};", dtype, literal)));
    if (found.result.diagnostics.has_errors()) {
        CHECK(found.report().rfind("TM0261 at 3:5", 0) == 0);
        return std::nullopt;
    }
    return std::get<Fill>(found.kernel().statements.at(0).what).bits;
}

} // namespace

TEST_CASE("a literal becomes the bits of the fragment's type") {
    CHECK(fill("f32", "0.0") == 0U);
    CHECK(fill("f32", "-0.0") == 0x80000000U);
    CHECK(fill("f32", "-0") == 0U);
    CHECK(fill("f32", "1.0") == 0x3f800000U);
    CHECK(fill("f32", "-1") == 0xbf800000U);
    CHECK(fill("f32", "--1") == 0x3f800000U);
    CHECK(fill("f32", "(-(2.5))") == 0xc0200000U);
    CHECK(fill("f32", ".5") == 0x3f000000U);
    CHECK(fill("f32", "1e-3") == 0x3a83126fU);
    CHECK(fill("f32", "3.4028235e38") == 0x7f7fffffU);
    CHECK(fill("f32", "1e-45") == 1U);
    CHECK(fill("f32", "1e-400") == 0U);
    CHECK(fill("f16", "1.0") == 0x3c00U);
    CHECK(fill("f16", "65504.0") == 0x7bffU);
    CHECK(fill("f16", "0.000000059604644775390625") == 1U);
    CHECK(fill("bf16", "1.0") == 0x3f80U);
    CHECK(fill("bf16", "-3.140625") == 0xc049U);
    CHECK(fill("tf32", "1.0009765625") == 0x3f802000U);
    CHECK(fill("f8e4m3", "448.0") == 0x7eU);
    CHECK(fill("f8e4m3", "1.0") == 0x38U);
    CHECK(fill("f8e4m3", "0.001953125") == 1U);
    CHECK(fill("f8e5m2", "57344") == 0x7bU);
    CHECK(fill("f8e5m2", "-1.0") == 0xbcU);
    CHECK(fill("u8", "255") == 255U);
    CHECK(fill("s8", "-128") == 0x80U);
    CHECK(fill("s16", "-1") == 0xffffU);
    CHECK(fill("u32", "0xffffffff") == 0xffffffffU);
    CHECK(fill("s32", "-2147483648") == 0x80000000U);
    CHECK(fill("b16", "0xabcd") == 0xabcdU);
    CHECK(fill("u32", "2.0") == 2U);
}

TEST_CASE("a literal is rounded to the nearest element, ties to even") {
    CHECK(fill("f16", "1.00048828125") == 0x3c00U); // half way between 1 and the next: 1 is even
    CHECK(fill("f16", "1.00146484375") == 0x3c02U); // half way, the upper is even
    CHECK(fill("f16", "1.0004883") == 0x3c01U);
    CHECK(fill("f16", "65519.0") == 0x7bffU);
    CHECK(fill("tf32", "1.00048828125") == 0x3f800000U);
    CHECK(fill("f8e4m3", "17.0") == 0x58U); // 16 and 18: 16 is even
    CHECK(fill("f8e4m3", "19.0") == 0x5aU); // 18 and 20: 20 is even
    CHECK(fill("f32", "16777217") == 0x4b800000U);
}

TEST_CASE("a literal outside the type is refused, never wrapped") {
    CHECK(fill("f16", "65520.0") == std::nullopt);
    CHECK(fill("f32", "3.5e38") == std::nullopt);
    CHECK(fill("f32", "1e999") == std::nullopt);
    CHECK(fill("f8e4m3", "465.0") == std::nullopt);
    CHECK(fill("f8e5m2", "61440") == std::nullopt);
    CHECK(fill("u8", "256") == std::nullopt);
    CHECK(fill("u8", "-1") == std::nullopt);
    CHECK(fill("s8", "128") == std::nullopt);
    CHECK(fill("s8", "-129") == std::nullopt);
    CHECK(fill("u32", "4294967296") == std::nullopt);
    CHECK(fill("u32", "99999999999999999999999") == std::nullopt);
    CHECK(fill("s32", "1.5") == std::nullopt);
    CHECK(fill("u32", "1e99") == std::nullopt);
    refuses(body("frag X: u8[128, 8];\nX = -1;"), "TM0261", 3, 5,
            {"`-1` is not a value of `X`, which is u8", "from 0 to 255"});
    refuses(body("frag X: f16[128, 8];\nX = 1e6;"), "TM0261", 3, 5, {"finite values up to 65504"});
    refuses(body("frag X: s16[128, 8];\nX = 40000;"), "TM0261", 3, 5, {"-32768 to 32767"});
}

TEST_CASE("every value of every small format is hit by its own decimal") {
    // A double holds each exactly, so encoding it must give the code back.
    struct Format {
        Dtype dtype;
        int exponent_bits, mantissa_bits;
        std::uint32_t codes;
    };
    for (const Format& format : {Format{Dtype::f16, 5, 10, 0x7c00}, Format{Dtype::bf16, 8, 7, 0x7f80},
                                 Format{Dtype::f8e4m3, 4, 3, 0x7f}, Format{Dtype::f8e5m2, 5, 2, 0x7c}}) {
        const int bias = (1 << (format.exponent_bits - 1)) - 1;
        for (std::uint32_t code = 0; code < format.codes; ++code) {
            const auto fraction =
                static_cast<double>(code & ((1U << format.mantissa_bits) - 1)) / (1 << format.mantissa_bits);
            const int exponent = static_cast<int>(code >> format.mantissa_bits);
            double value = exponent == 0 ? fraction * 2 : 1 + fraction; // subnormals have the exponent of 1
            for (int e = exponent; e < bias; ++e) value /= 2;
            for (int e = bias; e < exponent; ++e) value *= 2;
            if (element_bits(format.dtype, value) != code) FAIL(base::name(format.dtype) << " " << code);
        }
    }
}

TEST_CASE("a part of a fragment is filled, other objects are not") {
    const Checked found = accepts(body("frag X: f32[128, 8];\nX[0:32, 4] = 1;"));
    const auto& fill = std::get<Fill>(found.kernel().statements.at(0).what);
    CHECK(fill.fragment.rows == 32);
    CHECK(fill.fragment.cols == 1);
    CHECK(fill.fragment.col == 4);
    refuses(body("tmem T: f32[128, 8];\nT = 0.0;"), "TM0260", 3, 1, {"`T` is a tmem buffer", "copy_async"});
    refuses(body("B = 0.0;"), "TM0260", 2, 1, {"`B` is a tensor parameter", "`copy`"});
    refuses(body("let b = 1;\nb = 2;"), "TM0203", 3, 1, {"`b` is a constant"});
}

TEST_SUITE_END();

} // namespace tmemc::sema
