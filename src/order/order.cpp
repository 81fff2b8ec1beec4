// Per kernel: find the conflicts, add waits where asked, report what is left; then reads of what nobody wrote
// and waits for nothing and, in a kernel without errors, whatever else is of no use.
#include "order/order.hpp"

#include "order/hazards.hpp"
#include "order/tensor_meetings.hpp"
#include "order/usage.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

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

/// What has been said of a function is not said again of every kernel that calls it.
class Said {
  public:
    void remember(const base::Diagnostics& found) {
        for (const base::Diagnostic& each : found.list) said_.insert(key(each));
    }
    void forget_known(base::Diagnostics& found) const {
        found.list.erase(std::remove_if(found.list.begin(), found.list.end(),
                                        [&](const auto& each) { return said_.count(key(each)) != 0; }),
                         found.list.end());
    }

  private:
    using Key = std::tuple<const base::Kind*, std::uint32_t, std::uint32_t>;
    static Key key(const base::Diagnostic& each) { return {each.kind, each.span.begin, each.span.end}; }
    std::set<Key> said_;
};

/// Functions first, whose statements stand in kernels too.
std::vector<std::size_t> functions_first(const sema::Program& program) {
    std::vector<std::size_t> order(program.kernels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t k) { return program.kernels[k].function; });
    return order;
}

} // namespace

OrderResult order(const sema::Program& program, const Options& options) {
    OrderResult result;
    result.schedule.kernels.resize(program.kernels.size());
    Said said;
    for (const std::size_t k : functions_first(program)) {
        const sema::Kernel& kernel = program.kernels[k];
        sema::Reports reports;
        result.schedule.kernels[k] = schedule_of(kernel, options, reports);
        base::Diagnostics found = reports.take();
        if (!found.has_errors()) {
            report_useless(kernel, reports);
            found.append(reports.take());
        }
        said.forget_known(found);
        if (kernel.function) said.remember(found);
        result.diagnostics.append(std::move(found));
    }
    auto& list = result.diagnostics.list;
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
    return result;
}

} // namespace tmemc::order
