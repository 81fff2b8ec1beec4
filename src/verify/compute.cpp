// Numbers as doubles, which hold those of every dtype, and their sums and products rounded once.
#include "verify/compute.hpp"

#include "base/invariant.hpp"
#include "sema/math.hpp"
#include "sema/number_literals.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tmemc::verify {
namespace {

using base::Dtype;
using base::DtypeClass;
using sema::Step;
using What = Step::What;

bool is_f8(Dtype dtype) { return base::bits(dtype) == 8 && base::row(dtype).kind == DtypeClass::floating; }

// ---- floats
// ------------------------------------------------------------------------------------------------

/// An element as a double. Infinities and NaNs have the largest exponent, of f8e4m3 only the largest code.
double number(Dtype dtype, std::uint32_t bits) {
    const base::DtypeRow& row = base::row(dtype);
    if (dtype == Dtype::tf32 || dtype == Dtype::f32)
        return std::bit_cast<float>(dtype == Dtype::tf32 ? bits & 0xffffe000U : bits);
    const std::uint32_t mantissa = bits & ((1U << row.mantissa_bits) - 1);
    const std::uint32_t exponent = bits >> row.mantissa_bits & ((1U << row.exponent_bits) - 1);
    const double sign = (bits >> (row.bits - 1) & 1) != 0 ? -1.0 : 1.0;
    const int bias = (1 << (row.exponent_bits - 1)) - 1;
    const bool top = exponent == (1U << row.exponent_bits) - 1;
    if (top && (dtype != Dtype::f8e4m3 || mantissa == 7))
        return mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
    const double fraction = mantissa + (exponent == 0 ? 0.0 : std::ldexp(1.0, row.mantissa_bits));
    return sign * std::ldexp(fraction, std::max(static_cast<int>(exponent), 1) - bias - row.mantissa_bits);
}

/// The nearest element; f8 saturates, the others overflow to infinity. NaNs are PTX's canonical ones.
std::uint32_t element(Dtype dtype, double value) {
    const base::DtypeRow& row = base::row(dtype);
    const std::uint32_t all_but_sign = row.bits == 32 ? 0x7fffffffU : (1U << (row.bits - 1)) - 1;
    const std::uint32_t sign = std::signbit(value) ? all_but_sign + 1 : 0;
    if (std::isnan(value)) return all_but_sign;
    if (dtype == Dtype::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (const auto bits = sema::element_bits(dtype, value)) return *bits;
    if (is_f8(dtype)) return sign | (dtype == Dtype::f8e4m3 ? 0x7e : 0x7b);
    const int width = dtype == Dtype::tf32 ? 23 : row.mantissa_bits;
    return sign | ((1U << row.exponent_bits) - 1) << width;
}

/// a * b + c to odd: the last bit says that there is more, so that rounding again rounds right.
double to_odd(double a, double b, double c) {
    const double product = a * b; // exact: of 16-bit numbers
    const double sum = product + c;
    const double part = sum - product;
    const double error = (product - (sum - part)) + (c - part);
    auto bits = std::bit_cast<std::uint64_t>(sum);
    if (error == 0 || std::isnan(error) || (bits & 1) != 0) return sum;
    const bool away = std::signbit(error) == std::signbit(sum);
    bits += away ? 1 : ~std::uint64_t{0};
    return std::bit_cast<double>(bits);
}

double multiply_add(Dtype dtype, double a, double b, double c) {
    if (dtype != Dtype::f32) return to_odd(a, b, c);
    return std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
}

/// min and max pass over a NaN, and -0 is below +0.
double least(double a, double b) {
    if (a == b) return std::signbit(a) ? a : b;
    return std::fmin(a, b);
}

double floating(const Step& step, const std::array<double, 4>& in) {
    const double a = in[0], b = in[1], c = in[2];
    switch (step.what) {
    case What::negate: return -a;
    case What::absolute: return std::fabs(a);
    case What::add:
        return step.dtype == Dtype::f32 ? a + b : to_odd(a, 1, b); // twice 24 bits fit, rounded once more
    case What::subtract: return step.dtype == Dtype::f32 ? a - b : to_odd(a, 1, -b);
    case What::multiply: return a * b;
    case What::multiply_add: return multiply_add(step.dtype, a, b, c);
    case What::divide: return static_cast<float>(a) / static_cast<float>(b);
    case What::minimum: return least(a, b);
    case What::maximum: return -least(-a, -b);
    case What::sqrt: return std::sqrt(static_cast<float>(a));
    // To f32 first, as of a 16-bit number too.
    case What::exp2: return static_cast<float>(std::exp2(a));
    case What::log2: return static_cast<float>(std::log2(a));
    case What::rcp: return static_cast<float>(1 / a);
    case What::rsqrt: return static_cast<float>(1 / std::sqrt(a));
    case What::tanh: return static_cast<float>(std::tanh(a));
    default: throw base::InternalError("verify: no such step on floats");
    }
}

// ---- integers
// ----------------------------------------------------------------------------------------------

std::int64_t integer(Dtype dtype, std::uint32_t bits) {
    const int width = base::bits(dtype);
    const std::uint64_t value = bits & (~std::uint64_t{0} >> (64 - width));
    const bool negative =
        base::row(dtype).kind == DtypeClass::signed_integer && (value >> (width - 1) & 1) != 0;
    return static_cast<std::int64_t>(value) - (negative ? std::int64_t{1} << width : 0);
}
std::uint32_t integer_element(Dtype dtype, std::uint64_t value) {
    return static_cast<std::uint32_t>(value & (~std::uint64_t{0} >> (64 - base::bits(dtype))));
}

/// Of 32 bits at most, so that only products need care: modulo 2^64 they are right modulo 2^32.
std::uint64_t whole(What what, const std::array<std::int64_t, 4>& in) {
    const auto a = static_cast<std::uint64_t>(in[0]), b = static_cast<std::uint64_t>(in[1]),
               c = static_cast<std::uint64_t>(in[2]);
    switch (what) {
    case What::negate: return 0 - a;
    case What::absolute: return in[0] < 0 ? 0 - a : a;
    case What::add: return a + b;
    case What::subtract: return a - b;
    case What::multiply: return a * b;
    case What::multiply_add: return a * b + c;
    case What::divide: return in[1] == 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(in[0] / in[1]);
    case What::remainder: return in[1] == 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(in[0] % in[1]);
    case What::minimum: return static_cast<std::uint64_t>(std::min(in[0], in[1]));
    case What::maximum: return static_cast<std::uint64_t>(std::max(in[0], in[1]));
    default: throw base::InternalError("verify: no such step on integers");
    }
}

/// The nearest integer, the even one of two; beyond the range its end, of a NaN 0.
std::uint32_t rounded_integer(Dtype dtype, double value) {
    const int width = base::bits(dtype);
    const bool is_signed = base::row(dtype).kind == DtypeClass::signed_integer;
    const double most = std::ldexp(1.0, is_signed ? width - 1 : width) - 1, least = is_signed ? -most - 1 : 0;
    if (std::isnan(value)) return 0;
    const double nearest = std::nearbyint(value);
    const double within = nearest < least ? least : nearest > most ? most : nearest;
    return integer_element(dtype, static_cast<std::uint64_t>(static_cast<std::int64_t>(within)));
}

/// Integers narrower than 32 bits are worked with as s32.
Dtype worked(Dtype dtype) { return sema::is_integer(dtype) && base::bits(dtype) < 32 ? Dtype::s32 : dtype; }
std::uint32_t extended(Dtype dtype, std::uint32_t bits) {
    return worked(dtype) == dtype ? bits : static_cast<std::uint32_t>(integer(dtype, bits));
}

// ---- steps
// -------------------------------------------------------------------------------------------------

std::uint32_t converted(Dtype from, std::uint32_t bits, Dtype to) {
    if (sema::is_integer(from) && sema::is_integer(to))
        return extended(to, integer_element(to, static_cast<std::uint64_t>(integer(from, bits))));
    if (sema::is_integer(from)) return element(to, static_cast<double>(integer(from, bits)));
    if (sema::is_integer(to)) return extended(to, rounded_integer(to, number(from, bits)));
    return element(to, number(from, bits));
}

template <class T>
bool holds(const std::string& comparison, T a, T b) {
    if (comparison == "<") return a < b;
    if (comparison == "<=") return a <= b;
    if (comparison == ">") return a > b;
    if (comparison == ">=") return a >= b;
    if (comparison == "==") return a == b;
    return a != b;
}

bool holds(const Step& step, Dtype dtype, std::uint32_t a, std::uint32_t b) {
    if (sema::is_integer(dtype)) return holds(step.comparison, integer(dtype, a), integer(dtype, b));
    return holds(step.comparison, number(dtype, a), number(dtype, b));
}

/// Words in, a word out: elements as a register holds them between steps.
std::uint32_t apply(const Step& step, const std::array<std::uint32_t, 4>& in, Dtype operand) {
    const Dtype dtype = worked(step.dtype);
    if (step.what == What::convert) return converted(worked(operand), in[0], step.dtype);
    if (step.what == What::select) return holds(step, worked(operand), in[0], in[1]) ? in[2] : in[3];
    if (sema::is_integer(dtype)) {
        std::array<std::int64_t, 4> numbers{};
        for (std::uint32_t k = 0; k < step.count; ++k) numbers[k] = integer(dtype, in[k]);
        return integer_element(dtype, whole(step.what, numbers));
    }
    std::array<double, 4> numbers{};
    for (std::uint32_t k = 0; k < step.count; ++k) numbers[k] = number(dtype, in[k]);
    return element(dtype, floating(step, numbers));
}

/// The steps that f32 epilogues are made of, without a detour through doubles; false for any other.
bool in_float(const Step& step, const Values& values, std::vector<std::uint32_t>& into) {
    if (step.dtype != Dtype::f32) return false;
    const auto all = [&](auto f) {
        const auto in = [&](std::size_t n, std::size_t k) {
            return n < step.count ? std::bit_cast<float>(values[step.in[n]][k]) : 0.0F;
        };
        for (std::size_t k = 0; k < into.size(); ++k) {
            const float result = f(in(0, k), in(1, k), in(2, k));
            into[k] = std::isnan(result) ? 0x7fffffff : std::bit_cast<std::uint32_t>(result);
        }
        return true;
    };
    switch (step.what) {
    case What::add: return all([](float a, float b, float) { return a + b; });
    case What::subtract: return all([](float a, float b, float) { return a - b; });
    case What::multiply: return all([](float a, float b, float) { return a * b; });
    case What::multiply_add: return all([](float a, float b, float c) { return std::fma(a, b, c); });
    default: return false;
    }
}

} // namespace

std::uint32_t plausible(Dtype dtype, std::uint32_t random) {
    const base::DtypeRow& row = base::row(dtype);
    if (row.bits < 32) random &= (1U << row.bits) - 1;
    if (row.kind != DtypeClass::floating) return random;
    if (is_f8(dtype)) return std::isfinite(number(dtype, random)) ? random : random & 0x3f;
    const int width = dtype == Dtype::tf32 ? 23 : row.mantissa_bits;
    const std::uint32_t bias = (1U << (row.exponent_bits - 1)) - 1;
    const std::uint32_t exponent = bias - 2 + (random >> width & 3);
    return (random & ~(((1U << row.exponent_bits) - 1) << width)) | exponent << width;
}

std::vector<std::uint32_t> evaluate(const std::vector<Step>& steps, Values values) {
    const std::size_t count = values.back().size();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        if (step.what == What::number) values[i].assign(count, step.bits);
        if (step.count == 0 && worked(step.dtype) != step.dtype)
            for (std::uint32_t& value : values[i]) value = extended(step.dtype, value);
        if (step.count == 0) continue;
        if (in_float(step, values, values[i])) continue;
        const Dtype operand = steps[step.in[0]].dtype;
        for (std::size_t k = 0; k < count; ++k) {
            std::array<std::uint32_t, 4> in{};
            for (std::uint32_t n = 0; n < step.count; ++n) in[n] = values[step.in[n]][k];
            values[i][k] = apply(step, in, operand);
        }
    }
    const std::uint32_t mask = ~0U >> (32 - base::bits(steps.back().dtype));
    for (std::uint32_t& value : values.back()) value &= mask;
    return std::move(values.back());
}

std::uint32_t fold(What what, Dtype dtype, std::vector<std::uint32_t> values) {
    Step step{what, dtype};
    step.count = 2;
    for (std::uint32_t& value : values) value = extended(dtype, value);
    for (std::size_t apart = 1; apart < values.size(); apart *= 2)
        for (std::size_t i = 0; i + apart < values.size(); i += 2 * apart) {
            std::array<std::uint32_t, 4> in{values[i], values[i + apart]};
            values[i] = apply(step, in, dtype);
        }
    return values.front() & ~0U >> (32 - base::bits(dtype));
}

double slack(Dtype dtype, const std::vector<std::uint32_t>& values) {
    if (base::row(dtype).kind != DtypeClass::floating) return 0;
    double sum = 0;
    for (const std::uint32_t value : values) sum += std::fabs(number(dtype, value));
    return std::ldexp(sum, -std::min(16, base::row(dtype).mantissa_bits));
}

bool approximates(const std::vector<Step>& steps) {
    for (const Step& step : steps)
        for (const What each : {What::exp2, What::log2, What::rcp, What::rsqrt, What::tanh})
            if (step.what == each) return true;
    return false;
}

bool both_nan(Dtype dtype, std::uint32_t a, std::uint32_t b) {
    return base::row(dtype).kind == DtypeClass::floating && std::isnan(number(dtype, a)) &&
           std::isnan(number(dtype, b));
}

bool close(Dtype dtype, std::uint32_t a, std::uint32_t b, double slack) {
    if (a == b || a + 1 == b || b + 1 == a) return true;
    if (base::row(dtype).kind != DtypeClass::floating) return false;
    const double x = number(dtype, a), y = number(dtype, b);
    return std::fabs(x - y) <= std::ldexp(std::fabs(x), -16) + slack;
}

} // namespace tmemc::verify
