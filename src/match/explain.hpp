// Why this plan: for every copy its messages, what they cost, and the runner-up, the cheapest other messages
// that would do the same. Example: 128x8 f16 in registers 0..3 are one 32x32b.x4 for cost 8, and the
// runner-up is two 32x32b.x2 for 16. The runner-up comes from the list whose first entry is the plan
// (share.hpp), so what is shown is what was chosen between. Made on request only: it is twice the work of
// matching. Not here: how it reads (inspect/plan_text.hpp).
#pragma once

#include "match/cost.hpp"
#include "match/match.hpp"

#include <optional>
#include <vector>

namespace tmemc::match {

/// Messages that do a copy.
struct Way {
    std::vector<Message> messages; // ascending (row, column)
    Cost cost;
    bool operator==(const Way&) const = default;
};

struct Explanation {
    std::size_t statement = 0; // a TmemCopy
    Way plan;
    std::optional<Way> runner_up; // never cheaper; nothing when there is no other way
    bool operator==(const Explanation&) const = default;
};

struct KernelExplanation {
    std::vector<Explanation> copies; // parallel to KernelPlan::copies
    bool operator==(const KernelExplanation&) const = default;
};

/// Explains a plan that match() made without errors and with the same options; one entry per kernel.
[[nodiscard]] std::vector<KernelExplanation> explain(const sema::Program& program, const Plan& plan,
                                                     const Options& options = {});

} // namespace tmemc::match
