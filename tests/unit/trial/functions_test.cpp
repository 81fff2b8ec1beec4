// The functions of expectations, against values worked out by hand.
#include "trial/functions.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace tmemc::trial;

namespace {

bool keeps_integers(std::string_view name) { return host_function(name)->integer != nullptr; }

double real(std::string_view name, std::vector<double> arguments) {
    const HostFunction* const function = host_function(name);
    REQUIRE(function != nullptr);
    REQUIRE(function->arity == arguments.size());
    return function->real(arguments.data());
}
std::int64_t integer(std::string_view name, std::vector<std::int64_t> arguments) {
    const HostFunction* const function = host_function(name);
    REQUIRE(function != nullptr);
    REQUIRE(keeps_integers(name));
    return function->integer(arguments.data());
}

} // namespace

TEST_CASE("functions of doubles") {
    CHECK(real("min", {2, -3}) == -3);
    CHECK(real("max", {2, -3}) == 2);
    CHECK(real("abs", {-2.5}) == 2.5);
    CHECK(real("fma", {2, 3, 4}) == 10);
    CHECK(real("fma", {1 + 0x1p-52, 1 - 0x1p-52, -1}) == -0x1p-104); // one rounding
    CHECK(real("exp2", {-3}) == 0.125);
    CHECK(real("log2", {32}) == 5);
    CHECK(real("rcp", {4}) == 0.25);
    CHECK(real("rsqrt", {16}) == 0.25);
    CHECK(real("sqrt", {6.25}) == 2.5);
    CHECK(real("tanh", {0.5}) == doctest::Approx(0.46211715726));
    CHECK(real("relu", {-2}) == 0);
    CHECK(real("relu", {2}) == 2);
    CHECK(real("relu", {std::nan("")}) == 0); // max(x, 0), which passes over a NaN
}

TEST_CASE("minimum and maximum prefer numbers to NaN and order the zeros") {
    const double nan = std::nan("");
    CHECK(real("min", {nan, 1}) == 1);
    CHECK(real("max", {1, nan}) == 1);
    CHECK(std::isnan(real("max", {nan, nan})));
    CHECK(std::signbit(real("min", {0.0, -0.0})));
    CHECK(std::signbit(real("min", {-0.0, 0.0})));
    CHECK_FALSE(std::signbit(real("max", {0.0, -0.0})));
    CHECK_FALSE(std::signbit(real("max", {-0.0, 0.0})));
}

TEST_CASE("functions that keep integers, and wrap") {
    const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    CHECK(integer("min", {2, -3}) == -3);
    CHECK(integer("max", {2, -3}) == 2);
    CHECK(integer("abs", {-7}) == 7);
    CHECK(integer("abs", {lowest}) == lowest);
    CHECK(integer("fma", {3, -4, 5}) == -7);
    CHECK(integer("relu", {-7}) == 0);
    for (const char* const name : {"exp2", "log2", "rcp", "rsqrt", "sqrt", "tanh"}) {
        CHECK_FALSE(keeps_integers(name));
    }
    CHECK(wrapping_add(std::numeric_limits<std::int64_t>::max(), 1) == lowest);
    CHECK(wrapping_subtract(lowest, 1) == std::numeric_limits<std::int64_t>::max());
    CHECK(wrapping_multiply(std::int64_t{1} << 62, 4) == 0);
}

TEST_CASE("names of functions and reductions") {
    CHECK(host_function("row_max") == nullptr);
    CHECK(host_function("sum") == nullptr);
    CHECK(row_reduction("max") == nullptr);
    CHECK(row_reduction("row_max") == host_function("max"));
    CHECK(row_reduction("row_min") == host_function("min"));
    CHECK(host_function_names().size() == 16);
}
