// Rows.
#include "lower/operators.hpp"

#include "base/invariant.hpp"

#include <algorithm>
#include <array>

namespace tmemc::lower {
namespace {

using What = sema::Step::What;
using base::Dtype;
using base::DtypeClass;

constexpr auto rows = std::to_array<OperatorRow>({
    {What::negate, "neg.f32", "neg.f16x2", "neg.bf16x2", "neg.s32", "neg.s32"},
    {What::absolute, "abs.f32", "abs.f16x2", "abs.bf16x2", "abs.s32", "mov.b32"},
    {What::add, "add.rn.f32", "add.rn.f16x2", "add.rn.bf16x2", "add.s32", "add.u32"},
    {What::subtract, "sub.rn.f32", "sub.rn.f16x2", "sub.rn.bf16x2", "sub.s32", "sub.u32"},
    {What::multiply, "mul.rn.f32", "mul.rn.f16x2", "mul.rn.bf16x2", "mul.lo.s32", "mul.lo.u32"},
    {What::multiply_add, "fma.rn.f32", "fma.rn.f16x2", "fma.rn.bf16x2", "mad.lo.s32", "mad.lo.u32"},
    {What::divide, "div.rn.f32", "", "", "div.s32", "div.u32"},
    {What::remainder, "", "", "", "rem.s32", "rem.u32"},
    {What::minimum, "min.f32", "min.f16x2", "min.bf16x2", "min.s32", "min.u32"},
    {What::maximum, "max.f32", "max.f16x2", "max.bf16x2", "max.s32", "max.u32"},
    {What::exp2, "ex2.approx.f32", "", "", "", ""},
    {What::log2, "lg2.approx.f32", "", "", "", ""},
    {What::rcp, "rcp.approx.f32", "", "", "", ""},
    {What::rsqrt, "rsqrt.approx.f32", "", "", "", ""},
    {What::sqrt, "sqrt.rn.f32", "", "", "", ""},
    {What::tanh, "tanh.approx.f32", "", "", "", ""},
});

struct ComparisonRow {
    std::string_view sign, integers, floats;
};
// A NaN is unequal to everything.
constexpr auto comparisons = std::to_array<ComparisonRow>({
    {"<", "lt", "lt"},
    {"<=", "le", "le"},
    {">", "gt", "gt"},
    {">=", "ge", "ge"},
    {"==", "eq", "eq"},
    {"!=", "ne", "neu"},
});

} // namespace

const OperatorRow& operator_row(What what) {
    const auto* row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.what == what; });
    base::invariant(row != rows.end(), "a step of arithmetic has a row");
    return *row;
}

std::string_view name_for(const OperatorRow& row, Dtype dtype) {
    if (dtype == Dtype::f16) return row.f16;
    if (dtype == Dtype::bf16) return row.bf16;
    if (base::row(dtype).kind == DtypeClass::floating) return row.f32;
    return dtype == Dtype::u32 ? row.u32 : row.s32;
}

std::string comparison_name(std::string_view comparison, Dtype dtype) {
    const auto* row = std::find_if(comparisons.begin(), comparisons.end(),
                                   [&](const auto& each) { return each.sign == comparison; });
    base::invariant(row != comparisons.end(), "a comparison has a row");
    const bool floats = base::row(dtype).kind == DtypeClass::floating;
    return "setp." + std::string(floats ? row->floats : row->integers) +
           (floats                ? ".f32"
            : dtype == Dtype::u32 ? ".u32"
                                  : ".s32");
}

} // namespace tmemc::lower
