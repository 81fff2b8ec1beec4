// Conflicts that nothing keeps apart, put into words: both places, the cells that both touch, and what must
// stand between. One diagnostic per later statement and kind of mistake, however many earlier ones it meets.
// Not here: how a conflict is found (conflicts.hpp) and what keeps it apart (waits.hpp).
#pragma once

#include "order/waits.hpp"
#include "sema/reports.hpp"

namespace tmemc::order {

/// `policy`: whether a fragment read behind a load that was not waited for is worth a warning.
void report_hazards(const sema::Kernel& kernel, const std::vector<Conflict>& conflicts,
                    const Timeline& timeline, bool policy, Footprints& footprints, sema::Reports& reports);

} // namespace tmemc::order
