// Register pressure. A register of a fragment is live from a write to the last read of what was written, over
// the unrolled program; where more are live than the CTA's cap leaves, ptxas spills them to memory, which is
// the warning -Wspill. A staged copy holds some more for what is on its way, when neither its own fragment
// needs to be there. Only registers written and still to be read count: a fragment of 128 registers whose
// second half is loaded and stored alone counts 64. Example: two fragments of 64 registers, both loaded
// before either is stored, need 128 and a few for addresses; in a CTA of 512 threads a thread has 128.
//
// Each warpgroup has instances of its own and passes over what stands in another's `on` block, so each is
// looked at alone. The worst statement is reported, once per kernel. Not here: how wide a message may be for
// the cap (plan_copy.hpp).
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "sema/program.hpp"

#include <map>
#include <vector>

namespace tmemc::match {

/// The most registers of fragments that are live at once in a thread of any warpgroup.
[[nodiscard]] int live_registers(const sema::Kernel& kernel);

/// By statement of a kernel: registers that it takes for itself, while neither what it writes nor what it
/// reads last need any.
using OwnRegisters = std::map<std::size_t, int>;

/// `own` is parallel to the kernels, or empty; `source` gives the lines of the notes.
[[nodiscard]] base::Diagnostics check_pressure(const sema::Program& program, const base::Source& source,
                                               const std::vector<OwnRegisters>& own = {});

} // namespace tmemc::match
