// Elements are compared as values of their dtype; the first few that differ are kept with their places, the
// rest counted.
#include "runtime/compare.hpp"

#include "base/invariant.hpp"
#include "runtime/element.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tmemc::runtime {

namespace {

constexpr std::size_t shown = 5;

bool within(double actual, double wanted, const Tolerance& tolerance) {
    if (std::isnan(actual) || std::isnan(wanted)) return std::isnan(actual) && std::isnan(wanted);
    if (std::isinf(actual) || std::isinf(wanted)) return actual == wanted;
    return std::fabs(actual - wanted) <= tolerance.absolute + tolerance.relative * std::fabs(wanted);
}

bool equal(base::Dtype dtype, std::uint32_t actual, std::uint32_t wanted,
           const std::optional<Tolerance>& tolerance) {
    if (same(dtype, actual, wanted)) return true;
    return tolerance && within(decode(dtype, actual), decode(dtype, wanted), *tolerance);
}

/// 0x and as many digits as the dtype has.
std::string hexadecimal(base::Dtype dtype, std::uint32_t bits) {
    return fmt::format("{:#0{}x}", bits, 2 + base::bits(dtype) / 4);
}

std::string value_and_bits(base::Dtype dtype, std::uint32_t bits) {
    const std::string value = element_text(dtype, bits);
    const std::string raw = hexadecimal(dtype, bits);
    return value == raw ? raw : fmt::format("{} ({})", value, raw);
}

void count(Comparison& comparison, const Array& actual, std::int64_t element, std::uint32_t wanted,
           std::optional<Number> number = {}) {
    comparison.different += 1;
    if (comparison.first.size() == shown) return;
    comparison.first.push_back({place_of(element, actual.shape), actual.get(element), wanted, number});
}

} // namespace

std::vector<std::int64_t> place_of(std::int64_t index, const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> place(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        place[d] = index % shape[d];
        index /= shape[d];
    }
    return place;
}

std::string place_text(const std::string& name, const std::vector<std::int64_t>& place) {
    return place.empty() ? name : fmt::format("{}[{}]", name, fmt::join(place, ", "));
}

Comparison compare(const Array& actual, const Array& wanted, std::optional<Tolerance> tolerance) {
    base::invariant(actual.dtype == wanted.dtype && actual.shape == wanted.shape,
                    "only arrays of one dtype and shape are compared");
    Comparison result;
    result.elements = actual.elements();
    for (std::int64_t i = 0; i < result.elements; ++i) {
        if (equal(actual.dtype, actual.get(i), wanted.get(i), tolerance)) continue;
        count(result, actual, i, wanted.get(i));
    }
    return result;
}

Comparison compare(const Array& actual, const std::vector<Number>& wanted, const Tolerance& tolerance) {
    base::invariant(actual.elements() == static_cast<std::int64_t>(wanted.size()),
                    "one number for each element");
    Comparison result;
    result.elements = actual.elements();
    for (std::int64_t i = 0; i < result.elements; ++i) {
        const Number& number = wanted[static_cast<std::size_t>(i)];
        const double real = std::visit([](auto each) { return static_cast<double>(each); }, number);
        if (!within(decode(actual.dtype, actual.get(i)), real, tolerance))
            count(result, actual, i, 0, number);
    }
    return result;
}

std::string describe(const std::string& name, const Comparison& comparison, base::Dtype dtype) {
    if (comparison.different == 0) return {};
    std::string text =
        fmt::format("{}: {} of {} elements differ\n", name, comparison.different, comparison.elements);
    for (const Mismatch& each : comparison.first) {
        text += fmt::format("  {} is {}, wanted {}\n", place_text(name, each.index),
                            value_and_bits(dtype, each.actual),
                            each.number ? to_string(*each.number) : value_and_bits(dtype, each.wanted));
    }
    return text;
}

} // namespace tmemc::runtime
