// A refused copy as a diagnostic: what is refused, the first obstacle of every shape in the program's terms,
// and what would work. Kinds: a copy that no sequence of messages does (TM0301), one that takes only part of
// a register or cell (TM0320) or of what an instruction moves at once (TM0321), and the rules of packing, of
// replicas and of width (TM0322 to TM0325).
#pragma once

#include "match/refusal.hpp"
#include "sema/reports.hpp"

namespace tmemc::match {

/// Reports the copy. There is no obstacle when only the extents differ.
void refuse(sema::Reports& reports, base::Span span, const Refusal& refusal, const Obstacle* obstacle);

} // namespace tmemc::match
