// The plan for people, a line for each copy: the messages with their places, what they cost in issue slots of
// the busiest warp, and the cheapest other way. Places count as in plan_json.hpp.
//
//     roundtrip.tmx:10: T <- X: 32x32b.x4 (row 0, column 0, warps 0..3), cost 8 = 1 message; runner-up ...
//
// The turns of a loop whose plans differ in places and registers only share the line of the first of them:
// "T <- X (with c = 0, and in 7 more iterations): ...". Of a long plan the first messages are shown; all of
// them are in the JSON.
#pragma once

#include "base/source.hpp"
#include "match/explain.hpp"
#include "sema/program.hpp"
#include "space/space.hpp"

#include <string>
#include <vector>

namespace tmemc::inspect {

/// `explained` and `space` are those of `program`.
[[nodiscard]] std::string plan_text(const base::Source& source, const sema::Program& program,
                                    const space::Space& space,
                                    const std::vector<match::KernelExplanation>& explained);

} // namespace tmemc::inspect
