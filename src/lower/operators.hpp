// The instruction of each step, by what it works on. A 16-bit step works on both halves of a register at
// once; where only one element counts, the other half is whatever it is. Steps without an instruction of
// their own in 16 bits are done in f32 and rounded back, which for divisions and roots gives the nearest
// number too: f32 has more than twice the bits.
//
//     {multiply_add, "fma.rn.f32", "fma.rn.f16x2", "fma.rn.bf16x2", "mad.lo.s32", "mad.lo.u32"}
//
// Integers narrower than 32 bits are extended and worked with as s32; what is stored of the result wraps.
// Products and sums say .rn, so that ptxas fuses none of them; the language's functions are the .approx ones.
// Source: PTX ISA 9.7.1 (integers), 9.7.3 (f32), 9.7.4 (f16, bf16). Not here: conversions (conversions.hpp).
#pragma once

#include "sema/program.hpp"

#include <string>
#include <string_view>

namespace tmemc::lower {

struct OperatorRow {
    sema::Step::What what{};
    std::string_view f32, f16, bf16, s32, u32; // empty: none of its own
};

[[nodiscard]] const OperatorRow& operator_row(sema::Step::What what);
/// Of a row, the instruction for numbers of that dtype.
[[nodiscard]] std::string_view name_for(const OperatorRow& row, base::Dtype dtype);

/// "setp.lt.f32" for "<".
[[nodiscard]] std::string comparison_name(std::string_view comparison, base::Dtype dtype);

} // namespace tmemc::lower
