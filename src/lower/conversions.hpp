// One element from a dtype to another, in 32-bit registers. What an element looks like there: f32 and 32-bit
// integers as they are; narrower integers extended; f16, bf16 and f8 in the low bits, whatever lies above.
//
//     f16 to bf16:  mov.b32 {%half_0, _}, %part_0;  cvt.f32.f16 %part_1, %half_0;
//                   cvt.rn.bf16x2.f32 %part_2, 0, %part_1;
//
// Everything but integers among themselves and integers to 16 bits goes through f32, which holds every number
// of the smaller types, so each conversion rounds once (to nearest even; f8 saturates). Source: PTX ISA
// 9.7.9.21 (cvt). Not here: two elements narrowed into one register (arithmetic.hpp).
#pragma once

#include "lower/kernel_text.hpp"
#include "sema/program.hpp"

namespace tmemc::lower {

class Conversions {
  public:
    Conversions(KernelText& text, std::optional<ptx::Guard> guard) : text_(text), guard_(std::move(guard)) {}

    [[nodiscard]] ptx::Register convert(const ptx::Register& value, base::Dtype from, base::Dtype to);
    /// "cvt.rn.bf16x2.f32": two f32 to 16 bits each, the first operand to the upper half; of f8, 8 each.
    [[nodiscard]] static std::string narrow_two(base::Dtype to);

  private:
    ptx::Register emit(std::string name, std::vector<ptx::Operand> operands, const std::string& type = "b32");
    ptx::Register to_f32(const ptx::Register& value, base::Dtype from);
    ptx::Register from_f32(const ptx::Register& value, base::Dtype to);
    /// The low half as a 16-bit register, and back.
    ptx::Register low_half(const ptx::Register& value);
    ptx::Register widened(const ptx::Register& half);

    KernelText& text_;
    std::optional<ptx::Guard> guard_;
};

} // namespace tmemc::lower
