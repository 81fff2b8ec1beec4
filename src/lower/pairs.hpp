// Two f32 elements by one instruction: sums, products and fma work on both halves of a 64-bit register, and
// each half rounds as it would by itself. Two neighbours of a target go together where each fragment they are
// made from holds its two in an even register and the next:
//
//     Y = relu(X * alpha + 1.0);      mov.b64 %pair_0, {%X_0, %X_1};
//                                     fma.rn.f32x2 %pair_3, %pair_0, %pair_1, %pair_2;
//                                     mov.b64 {%part_0, %part_1}, %pair_3;
//                                     max.f32 %Y_0, %part_0, 0f00000000;        and %Y_1
//
// with alpha twice in %pair_1 and 1.0 twice in %pair_2, made once in the front. Such a mov is no instruction
// of the machine: ptxas keeps a pair in two registers side by side, which is what messages and wide accesses
// want too. Measured with ptxas 13.0: 128 instructions fewer for 256 fma, and no move. Source: PTX ISA 9.7.3
// (add, sub, mul, fma: .f32x2). Not here: the other steps, which each slot takes by itself (arithmetic.hpp).
#pragma once

#include "lower/kernel_text.hpp"
#include "sema/program.hpp"
#include "sema/slot_pairs.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::lower {

/// A slot of the target, whose steps may be computed by instructions of its own.
class Slot {
  public:
    Slot() = default;
    Slot(const Slot&) = default;
    Slot& operator=(const Slot&) = delete;
    virtual ~Slot() = default;
    [[nodiscard]] virtual sema::RegisterSlot place() const = 0;
    /// What a step makes, in a register.
    virtual ptx::Register in_register(std::size_t step) = 0;
    /// From here on the step is in this register.
    virtual void know(std::size_t step, const ptx::Register& value) = 0;
};

/// A computation, as far as pairs need to know it.
struct PairedSteps {
    const std::vector<sema::Step>& steps;
    const std::vector<sema::SlotPairs>& fragments; // by step
    std::size_t root = 0;                          // the step that is wanted
};

class Pairs {
  public:
    explicit Pairs(KernelText& text) : text_(text) {}

    /// Makes what two slots can make together and lets them know it; the root into `wanted` if that is given.
    /// False: the root is still theirs to make.
    bool make(const PairedSteps& what, Slot& low, Slot& high, const std::optional<ptx::Guard>& guard,
              const std::vector<ptx::Register>& wanted = {});

  private:
    /// The same value twice, made in the front.
    ptx::Register twice(const std::string& key, ptx::Operand both);

    KernelText& text_;
    std::map<std::string, ptx::Register> twice_; // by the register or the number
};

} // namespace tmemc::lower
