// Two fragments side by side. Arithmetic is done by each thread on its own registers, the same instruction in
// all threads; so an element of the target and those it is made from must lie in one thread, and in registers
// that correspond in the same way in every thread. In
//
//     frag X: f32[128, 8];  frag Y: bf16[128, 8];  Y = cast<bf16>(X);
//
// thread t holds row t of both, and slot (register 0, bit 16) of Y is slot (register 1, bit 0) of X. Elements
// that are held several times in the target are made each time, from any copy in the operand. An operand may
// be spread over the target, a vector with a number for each row: then every element of row r meets number r.
#pragma once

#include "sema/program.hpp"

#include <string>
#include <variant>
#include <vector>

namespace tmemc::sema {

/// A place in a thread's registers; reg -1: none.
struct RegisterSlot {
    int reg = -1, bit = 0;
    bool operator==(const RegisterSlot&) const = default;
};

/// For each slot of the target, by register and bit, the slot of the operand that holds the same element.
class SlotPairs {
  public:
    explicit SlotPairs(int registers) : slots_(static_cast<std::size_t>(registers) * 32) {}
    [[nodiscard]] RegisterSlot& at(int reg, int bit) {
        return slots_[static_cast<std::size_t>(reg) * 32 + static_cast<std::size_t>(bit)];
    }
    [[nodiscard]] const RegisterSlot& at(int reg, int bit) const {
        return slots_[static_cast<std::size_t>(reg) * 32 + static_cast<std::size_t>(bit)];
    }
    bool operator==(const SlotPairs&) const = default;

  private:
    std::vector<RegisterSlot> slots_;
};

/// The first element, counted from the regions' corners, that spoils it, and where both sides hold it.
struct Apart {
    int row = 0, col = 0;
    layout::Slot target, operand;
    bool operator==(const Apart&) const = default;
};

/// `operand` is the map of the fragment that the step names; the step's region has an element for each of the
/// target's.
[[nodiscard]] std::variant<SlotPairs, Apart> slot_pairs(const layout::SlotMap& target,
                                                        const Region& target_region,
                                                        const layout::SlotMap& operand, const Step& step);

/// "register 5", with " from bit 16" in the upper half; and with "thread 3, " in front.
[[nodiscard]] std::string register_text(const layout::Slot& slot);
[[nodiscard]] std::string slot_text(const layout::Slot& slot);
/// A help for fragments whose slots do not pair. An atom spreads 32-bit words, so narrower elements of the
/// same atom lie elsewhere; the layout of `has` written out puts those of `wants` where they are made.
[[nodiscard]] std::string layout_that_fits(const Kernel& kernel, std::size_t has, std::size_t wants);

/// "frag V: f32[128] atom 16x256b; V = ...;": a number for each row of the fragment; empty where an atom
/// cannot say where the rows lie.
[[nodiscard]] std::string vector_for(const Kernel& kernel, std::size_t fragment);

} // namespace tmemc::sema
