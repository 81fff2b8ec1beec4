// The plan for people, a line for each copy in the program's order. Of a copy to or from tensor memory it has
// the messages with their places, what they cost in issue slots of the busiest warp, and the cheapest other
// way; of one to or from global memory what globals_text.hpp says. Places count as in plan_json.hpp.
//
//     roundtrip.tmx:10: T <- X: 32x32b.x4 (row 0, column 0, warps 0..3), cost 8 issue slots = 1 message; ...
//
// The turns of a loop whose plans differ in places and registers only share the line of the first of them:
// "T <- X (with c = 0, and in 7 more iterations): ...". Of a long plan the first messages are shown; all of
// them are in the JSON.
#pragma once

#include "base/source.hpp"
#include "lower/lower.hpp"
#include "match/explain.hpp"
#include "sema/program.hpp"
#include "space/space.hpp"

#include <string>
#include <vector>

namespace tmemc::inspect {

/// `explained`, `space` and `trace` are those of `program`.
[[nodiscard]] std::string plan_text(const base::Source& source, const sema::Program& program,
                                    const space::Space& space,
                                    const std::vector<match::KernelExplanation>& explained,
                                    const lower::Trace& trace);

} // namespace tmemc::inspect
