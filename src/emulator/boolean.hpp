// The Boolean operator of a comparison, as the decoder leaves it in Instruction::detail: which of and, or,
// xor joins the comparison and a predicate, and whether that predicate is read the other way round (`!%p`).
// On whole warps, a bit per lane. Without an operator it is `and` with what is always true. Source: PTX
// ISA 9.7.6.
#pragma once

#include "emulator/instruction.hpp"

namespace tmemc::emulator {

enum class Boolean : std::uint8_t { conjunction, disjunction, exclusive };
inline constexpr std::uint32_t negated_operand = 0x100; // in Instruction::detail

inline Mask boolean_flip(const Instruction& i) { return (i.detail & negated_operand) != 0 ? all_lanes : 0; }

inline Mask apply_boolean(const Instruction& i, Mask a, Mask b) {
    const auto by = static_cast<Boolean>(i.detail & 0xff);
    return by == Boolean::conjunction ? a & b : by == Boolean::disjunction ? a | b : a ^ b;
}

} // namespace tmemc::emulator
