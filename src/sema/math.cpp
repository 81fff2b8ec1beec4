// Rows and rules.
#include "sema/math.hpp"

#include <algorithm>
#include <array>

namespace tmemc::sema {

namespace {

using What = Step::What;

constexpr auto functions = std::to_array<MathRow>({
    {"abs", What::absolute, 1, Takes::both},
    {"min", What::minimum, 2, Takes::both},
    {"max", What::maximum, 2, Takes::both},
    {"fma", What::multiply_add, 3, Takes::both},
    {"exp2", What::exp2, 1, Takes::floats},
    {"log2", What::log2, 1, Takes::floats},
    {"rcp", What::rcp, 1, Takes::floats},
    {"rsqrt", What::rsqrt, 1, Takes::floats},
    {"sqrt", What::sqrt, 1, Takes::floats},
    {"tanh", What::tanh, 1, Takes::floats},
});

constexpr auto operators = std::to_array<MathRow>({
    {"+", What::add, 2, Takes::both},
    {"-", What::subtract, 2, Takes::both},
    {"*", What::multiply, 2, Takes::both},
    {"/", What::divide, 2, Takes::both},
    {"%", What::remainder, 2, Takes::integers},
});

} // namespace

const MathRow* function_row(std::string_view name) {
    const auto* row = std::find_if(functions.begin(), functions.end(),
                                   [&](const MathRow& each) { return each.name == name; });
    return row == functions.end() ? nullptr : row;
}

const MathRow& operator_row(char sign) {
    return *std::find_if(operators.begin(), operators.end(),
                         [&](const MathRow& each) { return each.name.front() == sign; });
}

std::vector<std::string> function_names() {
    std::vector<std::string> names{"relu"};
    for (const MathRow& row : functions) names.emplace_back(row.name);
    return names;
}

bool is_integer(Dtype dtype) {
    const base::DtypeClass kind = base::row(dtype).kind;
    return kind == base::DtypeClass::signed_integer || kind == base::DtypeClass::unsigned_integer;
}

std::optional<Dtype> working(Dtype dtype) {
    if (base::row(dtype).kind == base::DtypeClass::raw_bits) return std::nullopt;
    const bool itself = is_integer(dtype) || dtype == Dtype::f16 || dtype == Dtype::bf16;
    return itself ? dtype : Dtype::f32;
}

bool widens(Dtype from, Dtype to) {
    const base::DtypeRow &a = base::row(from), &b = base::row(to);
    if (from == to) return true;
    if (a.kind == base::DtypeClass::floating && b.kind == base::DtypeClass::floating)
        return a.exponent_bits <= b.exponent_bits && a.mantissa_bits <= b.mantissa_bits;
    if (!is_integer(from) || !is_integer(to)) return false;
    return a.bits < b.bits && (a.kind == b.kind || a.kind == base::DtypeClass::unsigned_integer);
}

std::optional<Dtype> common(Dtype a, Dtype b) {
    if (a == b) return a;
    if (!is_integer(a) || !is_integer(b)) return Dtype::f32;
    if (widens(a, b)) return b;
    if (widens(b, a)) return a;
    // s32 holds both when both are narrower.
    return base::bits(a) < 32 && base::bits(b) < 32 ? std::optional(Dtype::s32) : std::nullopt;
}

} // namespace tmemc::sema
