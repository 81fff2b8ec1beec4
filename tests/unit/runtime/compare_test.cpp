// Comparing arrays: by value of the dtype, within tolerances, and what is said about a difference.
#include "runtime/compare.hpp"

#include "base/invariant.hpp"
#include "runtime/element.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace tmemc;
using base::Dtype;
using runtime::Array;
using runtime::compare;

namespace {

Array f32(const std::vector<double>& values) {
    Array array = runtime::make_array(Dtype::f32, {static_cast<std::int64_t>(values.size())});
    for (std::size_t i = 0; i < values.size(); ++i) {
        array.set(static_cast<std::int64_t>(i), runtime::encode(Dtype::f32, values[i]));
    }
    return array;
}

std::int64_t differences(double actual, double wanted, double relative, double absolute) {
    return compare(f32({actual}), f32({wanted}), runtime::Tolerance{relative, absolute}).different;
}

} // namespace

TEST_CASE("differences are counted and the first five kept with their places") {
    const Array wanted = runtime::make_array(Dtype::u16, {4, 3});
    Array actual = wanted;
    for (const std::int64_t i : {1, 3, 5, 6, 7, 10, 11}) actual.set(i, static_cast<std::uint32_t>(100 + i));
    const runtime::Comparison result = compare(actual, wanted);
    CHECK(result.elements == 12);
    CHECK(result.different == 7);
    const std::vector<runtime::Mismatch> expected{
        {{0, 1}, 101, 0}, {{1, 0}, 103, 0}, {{1, 2}, 105, 0}, {{2, 0}, 106, 0}, {{2, 1}, 107, 0}};
    CHECK(result.first == expected);
    CHECK(compare(wanted, wanted).different == 0);
}

TEST_CASE("bits tell zeros apart and hold every NaN equal") {
    CHECK(compare(f32({0.0}), f32({-0.0})).different == 1);
    Array quiet = f32({0}), other = f32({0});
    quiet.set(0, 0x7fc00000);
    other.set(0, 0xff800001);
    CHECK(compare(quiet, other).different == 0);
    CHECK(compare(quiet, f32({1})).different == 1);
}

TEST_CASE("tolerances are atol + rtol * |wanted|") {
    CHECK(differences(1.01, 1.0, 0.02, 0) == 0);
    CHECK(differences(1.01, 1.0, 0.005, 0) == 1);
    CHECK(differences(1.01, 1.0, 0.005, 0.006) == 0);
    CHECK(differences(0.0, 2.0, 1.0, 0) == 0); // relative to the wanted side, here 2
    CHECK(differences(2.0, 0.0, 1.0, 0) == 1); // and here 0
    CHECK(differences(0.0, -0.0, 0, 0) == 0);
    CHECK(differences(-1.0, 1.0, 0.5, 0.5) == 1);
}

TEST_CASE("infinities and NaNs are near themselves only") {
    const double inf = HUGE_VAL, nan = std::nan("");
    CHECK(differences(inf, inf, 0, 0) == 0);
    CHECK(differences(inf, -inf, 1, 1) == 1);
    CHECK(differences(1, inf, 1, 1) == 1);
    CHECK(differences(inf, 1, 1, 1) == 1);
    CHECK(differences(nan, nan, 0, 0) == 0);
    CHECK(differences(nan, 1, 1, 1e9) == 1);
    CHECK(differences(1, nan, 1, 1e9) == 1);
}

TEST_CASE("a difference is told with count, place, values and bits") {
    Array wanted = runtime::make_array(Dtype::f16, {2, 2}), actual = wanted;
    actual.set(2, 0x3800);
    wanted.set(2, 0x3c00);
    CHECK(describe("B", compare(actual, wanted), Dtype::f16) ==
          "B: 1 of 4 elements differ\n  B[1, 0] is 0.5 (0x3800), wanted 1 (0x3c00)\n");
    CHECK(describe("B", compare(wanted, wanted), Dtype::f16).empty());

    Array raw = runtime::make_array(Dtype::b8, {2}), other = raw;
    other.set(1, 0x1f);
    CHECK(describe("B", compare(raw, other), Dtype::b8) ==
          "B: 1 of 2 elements differ\n  B[1] is 0x00, wanted 0x1f\n");
}

TEST_CASE("arrays of different types are not compared") {
    CHECK_THROWS_AS((void)compare(f32({1}), f32({1, 2})), base::InternalError);
    CHECK_THROWS_AS((void)compare(f32({1}), runtime::make_array(Dtype::u32, {1})), base::InternalError);
}

TEST_CASE("numbers that no dtype has rounded are compared in double") {
    Array half = runtime::make_array(Dtype::f16, {2});
    for (const std::int64_t i : {0, 1}) half.set(i, runtime::encode(Dtype::f16, 1.0));
    const std::vector<runtime::Number> wanted{1.0004, std::int64_t{1}}; // f16 has 1 and 1.0009765625
    CHECK(compare(half, wanted, runtime::Tolerance{0, 5e-4}).different == 0);
    const auto result = compare(half, wanted, runtime::Tolerance{0, 1e-4});
    CHECK(result.different == 1);
    CHECK(describe("B", result, Dtype::f16) ==
          "B: 1 of 2 elements differ\n  B[0] is 1 (0x3c00), wanted 1.0004\n");
    Array byte = runtime::make_array(Dtype::u8, {1});
    CHECK(compare(byte, {std::int64_t{256}}, runtime::Tolerance{0, 1}).different == 1); // it does not wrap
}
