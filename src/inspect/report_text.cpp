// The report for people, a block of lines for each kernel.
//
//     roundtrip (sm_100a)
//       registers      14
//       spills         none
//       messages       ld 32x32b.x4, st 32x32b.x4
//       waits          1 ld, 1 st
//
// A message that stands there more than once has its number in front: `ld 8 x 32x32b.x32`.
#include "inspect/report.hpp"

#include <fmt/format.h>

namespace tmemc::inspect {
namespace {

constexpr const char* unknown = "not known";

std::string counted(KernelReport::Count count, std::string_view one, std::string_view many) {
    return count ? fmt::format("{} {}", *count, *count == 1 ? one : many) : unknown;
}

std::string spills(const KernelReport& kernel) {
    if (!kernel.spill_stores || !kernel.spill_loads) return unknown;
    if (*kernel.spill_stores == 0 && *kernel.spill_loads == 0) return "none";
    return fmt::format("{} bytes stored, {} bytes loaded", *kernel.spill_stores, *kernel.spill_loads);
}

std::string messages(const KernelReport& kernel) {
    if (!kernel.loads || !kernel.stores) return unknown;
    std::string text;
    const auto list = [&](const char* op, const std::map<std::string, int>& named) {
        for (const auto& [name, count] : named)
            text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", op,
                                count == 1 ? std::string() : fmt::format("{} x ", count), name);
    };
    list("ld", *kernel.loads);
    list("st", *kernel.stores);
    return text.empty() ? "none" : text;
}

std::string waits(const KernelReport& kernel) {
    if (kernel.load_waits == 0 && kernel.store_waits == 0) return "none";
    const auto count = [](KernelReport::Count each) { return each ? std::to_string(*each) : unknown; };
    return fmt::format("{} ld, {} st", count(kernel.load_waits), count(kernel.store_waits));
}

} // namespace

std::string report_text(const Report& report) {
    std::string text;
    for (const KernelReport& kernel : report.kernels) {
        text += fmt::format("{}{} ({})\n", text.empty() ? "" : "\n", kernel.name, report.target);
        const auto line = [&](std::string_view what, const std::string& value) {
            text += fmt::format("  {:<15}{}\n", what, value);
        };
        line("registers", kernel.registers ? std::to_string(*kernel.registers) : unknown);
        line("spills", spills(kernel));
        line("shared memory", counted(kernel.shared_bytes, "byte", "bytes"));
        line("barriers", kernel.barriers ? std::to_string(*kernel.barriers) : unknown);
        line("tensor memory", counted(kernel.columns, "column", "columns"));
        line("messages", messages(kernel));
        line("waits", waits(kernel));
        line("instructions", kernel.instructions ? std::to_string(*kernel.instructions) : unknown);
    }
    return text;
}

} // namespace tmemc::inspect
