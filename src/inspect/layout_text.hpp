// A layout on a terminal, at most 100 columns wide: where each element is, the warps in colours, and of a
// large tile the rows and columns where something new begins; the rest is said in words.
//
//     X: f16[128, 8], atom 32x32b (line 9)
//     128 threads x 4 registers, 2 elements in a register, low bits first
//
//       row  0-1     2-3     4-5     6-7
//         0  t0:r0   t0:r1   t0:r2   t0:r3   warp 0
//         1  t1:r0   t1:r1   t1:r2   t1:r3   warp 0
//         :
//     rows 0..127: thread +1 each
//     columns 0..7: register +1 every 2
//
// t0:r1 is register 1 of thread 0, l0:c1 lane 0 and column 1 of tensor memory. An object that has every
// element where an earlier one has it only says so. Not here: every element (layout_json.hpp,
// layout_svg.hpp).
#pragma once

#include "inspect/layout_model.hpp"

#include <string>

namespace tmemc::inspect {

[[nodiscard]] std::string layout_text(const LayoutModel& model, bool color);

/// "X: f16[128, 8], atom 32x32b (line 9)", of an alias with what it lies in.
[[nodiscard]] std::string title_of(const LayoutObject& object);
/// "128 threads x 4 registers, 2 elements in a register, low bits first"
[[nodiscard]] std::string extent_of(const LayoutModel& model, const LayoutObject& object);

} // namespace tmemc::inspect
