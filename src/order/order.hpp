// When waits stand. The hardware completes loads and stores of tensor memory only at a wait of their kind,
// and the program writes its waits. The schedule is the list of them by place, which lower and the plan's
// JSON read. Not here yet: hazards between copies.
#pragma once

#include "base/diagnostics.hpp"
#include "match/plan.hpp"
#include "sema/program.hpp"

#include <vector>

namespace tmemc::order {

enum class WaitKind : std::uint8_t { ld, st };

struct ScheduledWait {
    /// Stands before this statement of the kernel, in place of it when that is a written wait.
    std::size_t before = 0;
    WaitKind kind{};
    bool inserted = false; // by the compiler, not the program
    bool operator==(const ScheduledWait&) const = default;
};
struct KernelSchedule {
    std::vector<ScheduledWait> waits; // in program order
    bool operator==(const KernelSchedule&) const = default;
};
struct Schedule {
    std::vector<KernelSchedule> kernels; // parallel to sema::Program::kernels
    bool operator==(const Schedule&) const = default;
};
struct OrderResult {
    Schedule schedule;
    base::Diagnostics diagnostics;
};

[[nodiscard]] OrderResult order(const sema::Program& program, const match::Plan& plan);

} // namespace tmemc::order
