// Per kernel: find the conflicts, add waits where asked, report what is left; then reads of what nobody wrote
// and waits for nothing and, in a kernel without errors, whatever else is of no use.
#include "order/order.hpp"

#include "order/hazards.hpp"
#include "order/tensor_meetings.hpp"
#include "order/usage.hpp"

#include <algorithm>

namespace tmemc::order {

namespace {

KernelSchedule schedule_of(const sema::Kernel& kernel, const Options& options, sema::Reports& reports) {
    Footprints footprints(kernel);
    const std::vector<Conflict> conflicts = find_conflicts(kernel, footprints);
    KernelSchedule schedule = options.automatic ? fewest_waits(kernel, conflicts) : written_waits(kernel);
    report_hazards(kernel, conflicts, Timeline(kernel, schedule), options.automatic, footprints, reports);
    report_unsynchronized(kernel, reports);
    report_unwritten(kernel, reports);
    report_useless_waits(kernel, reports);
    return schedule;
}

} // namespace

OrderResult order(const sema::Program& program, const Options& options) {
    OrderResult result;
    for (const sema::Kernel& kernel : program.kernels) {
        sema::Reports reports;
        result.schedule.kernels.push_back(schedule_of(kernel, options, reports));
        base::Diagnostics found = reports.take();
        if (!found.has_errors()) {
            report_useless(kernel, reports);
            found.append(reports.take());
            std::stable_sort(found.list.begin(), found.list.end(),
                             [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
        }
        result.diagnostics.append(std::move(found));
    }
    return result;
}

} // namespace tmemc::order
