// Random numbers come from splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", 2014; Vigna's constants): output i of a seed is a fixed mixing of seed + (i + 1) * gamma, so
// each element has a draw of its own, whatever the order of filling and the shape. An integer takes the
// draw's low bits. A float takes its high 53 bits as a multiple of 2^-52 in [-1, 1), rounds it to its dtype,
// and draws again where that rounds up to 1.
#include "runtime/generate.hpp"

#include "runtime/element.hpp"
#include "runtime/number.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tmemc::runtime {

namespace {

using base::Dtype;
using Kind = Generator::Kind;

struct Row {
    std::string_view name;
    Kind kind;
};
constexpr auto rows = std::to_array<Row>({{"iota", Kind::iota},
                                          {"random", Kind::random},
                                          {"zeros", Kind::zeros},
                                          {"ones", Kind::ones},
                                          {"full", Kind::full},
                                          {"cells", Kind::cells}});

std::uint64_t mix(std::uint64_t state) {
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
    state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
    return state ^ (state >> 31);
}

std::uint32_t random_bits(Dtype dtype, std::uint64_t seed, std::int64_t index) {
    constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15;
    const std::uint64_t draw = mix(seed + (static_cast<std::uint64_t>(index) + 1) * gamma);
    if (!is_floating(dtype)) return encode(dtype, static_cast<std::int64_t>(draw));
    const std::uint32_t one = encode(dtype, 1.0);
    for (std::uint64_t again = draw;; again = mix(again + gamma)) {
        const auto grid = static_cast<std::int64_t>(again >> 11) - (std::int64_t{1} << 52);
        const std::uint32_t bits = encode(dtype, std::ldexp(static_cast<double>(grid), -52));
        if (bits != one) return bits;
    }
}

std::uint32_t iota_bits(Dtype dtype, std::int64_t index) {
    if (base::bits(dtype) == 32) return encode(dtype, index);
    return static_cast<std::uint32_t>(index) & ((1U << base::bits(dtype)) - 1);
}

std::uint32_t number_bits(Dtype dtype, const Number& number) {
    return std::visit([&](auto value) { return encode(dtype, value); }, number);
}

bool has_fraction(const Number& number) {
    const double* const real = std::get_if<double>(&number);
    return real != nullptr && (!std::isfinite(*real) || *real != std::trunc(*real));
}

/// 1000 * row + column; false when the dtype cannot hold it.
bool put_cell(Array& array, std::int64_t row, std::int64_t column, std::int64_t index) {
    const std::int64_t value = 1000 * row + column;
    const std::uint32_t bits = encode(array.dtype, value);
    array.set(index, bits);
    return decode(array.dtype, bits) == static_cast<double>(value);
}

std::variant<Array, std::string> cells(Dtype dtype, const std::vector<std::int64_t>& shape) {
    Array array = make_array(dtype, shape);
    const std::int64_t columns = shape.empty() ? 1 : shape.back();
    for (std::int64_t i = 0; i < array.elements(); ++i) {
        if (!put_cell(array, i / columns, i % columns, i)) {
            return fmt::format(
                "`cells` is 1000*row + column, and `{}` cannot hold {} exactly; `iota` gives every "
                "element a bit pattern of its own as far as they reach",
                base::name(dtype), 1000 * (i / columns) + i % columns);
        }
    }
    return array;
}

} // namespace

std::optional<Kind> generator_named(std::string_view name) {
    for (const Row& row : rows) {
        if (row.name == name) return row.kind;
    }
    return std::nullopt;
}

std::vector<std::string> generator_names() {
    std::vector<std::string> names;
    names.reserve(rows.size());
    for (const Row& row : rows) names.emplace_back(row.name);
    return names;
}

std::variant<Array, std::string> generate(const Generator& generator, Dtype dtype,
                                          const std::vector<std::int64_t>& shape) {
    if (generator.kind == Kind::cells) return cells(dtype, shape);
    if (generator.kind == Kind::full && !is_floating(dtype) && has_fraction(generator.value)) {
        return fmt::format("{} is no integer, and `{}` holds nothing else", to_string(generator.value),
                           base::name(dtype));
    }
    const auto bits = [&](std::int64_t index) -> std::uint32_t {
        switch (generator.kind) {
        case Kind::iota: return iota_bits(dtype, index);
        case Kind::random: return random_bits(dtype, generator.seed, index);
        case Kind::ones: return encode(dtype, std::int64_t{1});
        case Kind::full: return number_bits(dtype, generator.value);
        case Kind::zeros:
        case Kind::cells: break;
        }
        return 0;
    };
    Array array = make_array(dtype, shape);
    for (std::int64_t i = 0; i < array.elements(); ++i) array.set(i, bits(i));
    return array;
}

} // namespace tmemc::runtime
