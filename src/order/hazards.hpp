// Conflicts that nothing keeps apart, put into words: both places, the cells that both touch, and what must
// stand between. One diagnostic per later statement and kind of mistake, however many earlier ones it meets.
// Not here: how a conflict is found (conflicts.hpp) and what keeps it apart (waits.hpp).
#pragma once

#include "order/waits.hpp"
#include "sema/reports.hpp"

namespace tmemc::order {

/// `automatic`: waits were added wherever they help, so that a fragment read behind a load is worth no
/// warning and between warpgroups only a sync can be missing.
void report_hazards(const sema::Kernel& kernel, const std::vector<Conflict>& conflicts,
                    const Timeline& timeline, bool automatic, Footprints& footprints, sema::Reports& reports);

} // namespace tmemc::order
