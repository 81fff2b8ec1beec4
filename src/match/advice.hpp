// What would work instead of a refused copy: found by trying, so that advice is never wrong. Each atom of the
// atlas with the right number of rows takes the fragment's place, first for the very same regions, then for
// the whole buffer; those that the matcher can plan are named. Example: "declare `Y` with 64 rows: frag Y:
// f32[64, 64] atom 16x256b;"
#pragma once

#include "match/refusal.hpp"

#include <optional>

namespace tmemc::match {

/// A help line for a fragment of another atom or other extents, or nothing when none would do.
[[nodiscard]] std::optional<std::string> fragment_advice(const Refusal& refusal);

/// What has to be copied together: "16x256b moves 16 rows x 8 columns at once: ...", or what the register
/// holds when the fragment's layout has no name.
[[nodiscard]] std::string unit_advice(const Refusal& refusal, int warp, int reg);

} // namespace tmemc::match
