// The written waits, in program order. `wait ld, st;` is two of them.
#include "order/order.hpp"

namespace tmemc::order {

namespace {

KernelSchedule schedule_of(const sema::Kernel& kernel) {
    KernelSchedule schedule;
    for (std::size_t i = 0; i < kernel.statements.size(); ++i) {
        const auto* wait = std::get_if<sema::Wait>(&kernel.statements[i].what);
        if (wait == nullptr) continue;
        if (wait->ld) schedule.waits.push_back({i, WaitKind::ld, false});
        if (wait->st) schedule.waits.push_back({i, WaitKind::st, false});
    }
    return schedule;
}

} // namespace

OrderResult order(const sema::Program& program, const match::Plan&) {
    OrderResult result;
    for (const sema::Kernel& kernel : program.kernels) result.schedule.kernels.push_back(schedule_of(kernel));
    return result;
}

} // namespace tmemc::order
