// What cvt takes, as rows: which types, roundings and modifiers go together, how many operands, and from
// which version and target on. A name is read word by word, in any order, as ptxas does:
//
//     "rn.satfinite.e4m3x2.f32" -> Conversion{to e4m3 x 2, from f32, pair, nearest_even, finite}
//
// What no row allows does not exist; tests/data/conversions.txt has the whole list, taken from ptxas.
// Not here: the operands (decode_convert.cpp) and the arithmetic (conversion.hpp).
#pragma once

#include "emulator/conversion.hpp"
#include "emulator/opcodes.hpp"

#include <optional>
#include <string_view>

namespace tmemc::emulator {

struct ConversionMatch {
    Conversion conversion;
    bool wider = false; // registers may be wider than the types
    Needs needs;
    Needs or_needs; // either suffices
};
void convert(Warp& warp, const Instruction& i, Mask mask); // operations_convert.cpp
/// Of the words behind "cvt."; nothing when cvt does not take them together.
[[nodiscard]] std::optional<ConversionMatch> conversion(std::string_view words);

} // namespace tmemc::emulator
