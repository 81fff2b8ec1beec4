// One element from a dtype to another, in 32-bit registers. What an element looks like there: f32 and 32-bit
// integers as they are; narrower integers extended; f16, bf16 and f8 in the low bits, whatever lies above.
//
//     f16 to bf16:  mov.b32 {%half_0, _}, %part_0;  cvt.f32.f16 %part_1, %half_0;
//                   cvt.rn.bf16x2.f32 %part_2, 0, %part_1;
//
// Everything but integers among themselves and integers to 16 bits goes through f32, which holds every number
// of the smaller types, so each conversion rounds once (to nearest even; f8 saturates). Source: PTX ISA
// 9.7.9.21 (cvt). Not here: what does the same on targets without such an instruction (roundings.hpp).
#pragma once

#include "lower/kernel_text.hpp"
#include "lower/roundings.hpp"
#include "sema/program.hpp"

namespace tmemc::lower {

class Conversions {
  public:
    Conversions(KernelText& text, const std::optional<ptx::Guard>& guard)
        : text_(text), guard_(guard), roundings_(text, guard) {}

    [[nodiscard]] ptx::Register convert(const ptx::Register& value, base::Dtype from, base::Dtype to);
    /// Two f32 to 16 bits each, or four to 8, side by side in a register, the first in the lowest bits.
    void narrow(const std::vector<ptx::Register>& elements, base::Dtype to, const ptx::Register& into);
    /// The low bits of two or four registers, in the same way.
    void pack(const std::vector<ptx::Register>& elements, const ptx::Register& into);
    [[nodiscard]] Roundings& roundings() { return roundings_; }

  private:
    void put(std::string name, std::vector<ptx::Operand> operands);
    ptx::Register emit(std::string name, std::vector<ptx::Operand> operands, const std::string& type = "b32");
    ptx::Register to_f32(const ptx::Register& value, base::Dtype from);
    ptx::Register from_f32(const ptx::Register& value, base::Dtype to);
    /// The low half as a 16-bit register, and back.
    ptx::Register low_half(const ptx::Register& value);
    ptx::Register widened(const ptx::Register& half);

    KernelText& text_;
    std::optional<ptx::Guard> guard_;
    Roundings roundings_;
};

} // namespace tmemc::lower
