// A computation as instructions, register by register of its target. Each slot of a register is computed by
// itself, in 32-bit registers; where both halves of a 16-bit register are made alike from halves of one
// register, or two f32 registers from neighbours each (pairs.hpp), both at once:
//
//     Y = X * alpha + 1.0;              f32:  fma.rn.f32   %Y_0, %X_0, %alpha, 0f3F800000;
//                                       f16:  fma.rn.f16x2 %Y_0, %X_0, %alpha, %part_0;
//     Z = cast<bf16>(X);                      cvt.rn.bf16x2.f32 %Z_0, %X_1, %X_0;
//
// A target that is also an operand, shifted, is written only when all of it has been read. Not here: the
// instruction of a step (operators.hpp), conversions (conversions.hpp), rows folded (reductions.hpp).
#pragma once

#include "lower/kernel_text.hpp"
#include "lower/pairs.hpp"
#include "lower/thread_form.hpp"
#include "sema/program.hpp"
#include "sema/slot_pairs.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace tmemc::lower {

class Arithmetic {
  public:
    /// `registers` are the names of every fragment's registers.
    Arithmetic(KernelText& text, const sema::Kernel& kernel,
               const std::vector<std::vector<std::string>>& registers)
        : text_(text), kernel_(kernel), registers_(registers), pairs_(text) {}

    void compute(const sema::Compute& compute);

    /// For each fragment step, where its elements are for those that the steps are done for.
    [[nodiscard]] std::vector<sema::SlotPairs> pairs(const sema::Compute& compute) const;
    /// What the steps make for the element in a slot.
    ptx::Register element(const sema::Compute& compute, const std::vector<sema::SlotPairs>& pairs,
                          sema::RegisterSlot slot, const std::optional<ptx::Guard>& guard);
    /// The same of two slots, as far as they go together in one instruction.
    std::array<ptx::Register, 2> two(const sema::Compute& compute, const std::vector<sema::SlotPairs>& pairs,
                                     sema::RegisterSlot first, sema::RegisterSlot second,
                                     const std::optional<ptx::Guard>& guard);

  private:
    /// A scalar parameter in a register, a 16-bit one in both halves.
    const ptx::Register& scalar(std::size_t parameter);

    friend class Lane;
    friend class Writer;
    KernelText& text_;
    const sema::Kernel& kernel_;
    const std::vector<std::vector<std::string>>& registers_;
    Pairs pairs_;
    std::map<std::size_t, ptx::Register> scalars_;
    std::map<std::size_t, std::vector<ThreadForm>> forms_; // by image
};

} // namespace tmemc::lower
