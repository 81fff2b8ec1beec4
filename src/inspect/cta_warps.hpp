// Warps as a kernel counts them. The matcher thinks of one warpgroup, warps 0 to 3; a statement runs in one
// of the kernel's warpgroups or in each. Example: with two warpgroups, a message for warps 0 and 1 runs in
// warps 0, 1, 4 and 5, and under `on warpgroup 1` in 4 and 5.
#pragma once

#include "match/plan.hpp"
#include "sema/program.hpp"

#include <vector>

namespace tmemc::inspect {

/// The CTA's warps that run `message` when it stands in `statement`.
[[nodiscard]] std::vector<int> warps_of_cta(const sema::Kernel& kernel, const sema::Statement& statement,
                                            const match::Message& message);

} // namespace tmemc::inspect
