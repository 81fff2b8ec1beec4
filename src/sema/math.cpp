// Rows and rules.
#include "sema/math.hpp"

#include "base/near.hpp"

#include <fmt/format.h>

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

struct Habit {
    std::string_view theirs, ours;
};
constexpr std::string_view scaled_exp = "exp2(X * 1.442695)", scaled_log = "log2(X) * 0.6931472";
constexpr auto habits = std::to_array<Habit>({
    {"fmaxf", "max(X, Y)"},
    {"fmax", "max(X, Y)"},
    {"fminf", "min(X, Y)"},
    {"fmin", "min(X, Y)"},
    {"fabsf", "abs(X)"},
    {"fabs", "abs(X)"},
    {"fmaf", "fma(X, Y, Z)"},
    {"__fmaf_rn", "fma(X, Y, Z)"},
    {"exp2f", "exp2(X)"},
    {"log2f", "log2(X)"},
    {"sqrtf", "sqrt(X)"},
    {"rsqrtf", "rsqrt(X)"},
    {"tanhf", "tanh(X)"},
    {"exp", scaled_exp},
    {"expf", scaled_exp},
    {"__expf", scaled_exp},
    {"log", scaled_log},
    {"logf", scaled_log},
    {"__logf", scaled_log},
    {"float", "cast<f32>(X)"},
    {"half", "cast<f16>(X)"},
    {"int", "cast<s32>(X)"},
    {"unsigned", "cast<u32>(X)"},
    {"__float2half", "cast<f16>(X)"},
    {"__half2float", "cast<f32>(X)"},
    {"__float2bfloat16", "cast<bf16>(X)"},
    {"__bfloat162float", "cast<f32>(X)"},
});

std::vector<std::string> function_names() {
    std::vector<std::string> names{"relu"};
    for (const MathRow& row : functions) names.emplace_back(row.name);
    return names;
}

} // namespace

std::string help_for(std::string_view name) {
    const auto* row =
        std::find_if(habits.begin(), habits.end(), [&](const Habit& each) { return each.theirs == name; });
    if (row != habits.end()) return fmt::format("here it is written {}", row->ours);
    const std::string near = base::nearest(name, function_names());
    return near.empty() ? "" : fmt::format("did you mean `{}`?", near);
}

const MathRow* function_row(std::string_view name) {
    const auto* row = std::find_if(functions.begin(), functions.end(),
                                   [&](const MathRow& each) { return each.name == name; });
    return row == functions.end() ? nullptr : row;
}

const MathRow& operator_row(char sign) {
    return *std::find_if(operators.begin(), operators.end(),
                         [&](const MathRow& each) { return each.name.front() == sign; });
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
