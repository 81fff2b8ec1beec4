// Conversions that newer targets have an instruction for, by older instructions, with the same bits. What
// drops bits of an f32 adds half of the last one that stays, less one when that is even, so that ties go to
// even:
//
//     bf16:  bfe.u32 %part_1, %part_0, 16, 1;
//            add.u32 %part_2, %part_0, 0x7fff;   add.u32 %part_2, %part_2, %part_1;
//
// and the number is in the upper half. An f8 is cut off like that where it is normal; below, a sum with a
// power of two whose last bit is the f8's smallest step does the rounding. Where a sum or an integer has more
// bits than f32 before they are dropped, it is rounded to odd first: what was lost shows in the last bit, and
// the second rounding cannot mistake it for a tie. NaNs become the canonical one. Which target has what:
// ptx/opcodes.def.
#pragma once

#include "base/dtype.hpp"
#include "lower/kernel_text.hpp"

namespace tmemc::lower {

class Roundings {
  public:
    Roundings(KernelText& text, std::optional<ptx::Guard> guard) : text_(text), guard_(std::move(guard)) {}

    /// f32 to bf16, in the upper half.
    [[nodiscard]] ptx::Register bf16(const ptx::Register& value);
    [[nodiscard]] ptx::Register tf32(const ptx::Register& value);
    /// f32 to f8, which saturates, in the lowest byte of zeros.
    [[nodiscard]] ptx::Register f8(const ptx::Register& value, base::Dtype to);
    /// f8, in the lowest byte, to f32.
    [[nodiscard]] ptx::Register f32(const ptx::Register& value, base::Dtype from);
    /// a * b + c in f32, to odd.
    [[nodiscard]] ptx::Register odd_sum(const ptx::Register& a, const ptx::Register& b,
                                        const ptx::Register& c);
    /// An integer, "s32" or "u32", as f32, to odd.
    [[nodiscard]] ptx::Register odd(const ptx::Register& value, const std::string& type);

  private:
    ptx::Register emit(std::string name, std::vector<ptx::Operand> operands, const std::string& type = "b32");
    ptx::Register chosen(const ptx::Register& when, ptx::Operand yes, ptx::Operand no);
    ptx::Register is_nan(const ptx::Register& value);
    ptx::Register dropped(const ptx::Register& value, int bits);
    ptx::Register odd_if(const ptx::Register& inexact, const ptx::Register& value);

    KernelText& text_;
    std::optional<ptx::Guard> guard_;
};

} // namespace tmemc::lower
