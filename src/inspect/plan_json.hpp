// The plan of a program as JSON, schema 1 (command-line reference, "--emit=plan"): which messages move which
// copy, where every buffer lies, how global copies go and where waits stand, by source line. Columns count
// from the kernel's allocation, warps are the CTA's.
#pragma once

#include "base/source.hpp"
#include "lower/lower.hpp"
#include "match/plan.hpp"
#include "order/order.hpp"
#include "sema/program.hpp"
#include "space/space.hpp"

#include <string>

namespace tmemc::inspect {

[[nodiscard]] std::string plan_json(const base::Source& source, const sema::Program& program,
                                    const match::Plan& plan, const order::Schedule& schedule,
                                    const space::Space& space, const lower::Trace& trace);

} // namespace tmemc::inspect
