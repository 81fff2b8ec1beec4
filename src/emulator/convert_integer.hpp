// cvt between integers: the source is cut to its type and extended by that type's sign, the result cut to its
// own and extended again to the width of the register. Both cuts are shifts, so one loop serves every pair of
// types. Source: PTX ISA 9.7.9 (cvt).
#pragma once

#include "emulator/formats.hpp"
#include "emulator/instruction.hpp"

namespace tmemc::emulator {

/// The operation for registers that are 64 bits wide or not. Instruction::detail holds the shifts: 64 less
/// the bits of `from` in its second byte, 64 less those of `to` in its first.
[[nodiscard]] Operation integer_conversion(const Format& to, bool wide_out, const Format& from, bool wide_in);

} // namespace tmemc::emulator
