// Counting what the reader of cubins found, and the comparison of two counts.
#include "inspect/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tmemc::inspect {
namespace {

constexpr std::string_view split_shape = "16x32bx2"; // two instructions, one for each half

void count_code(const toolchain::SassCounts& code, KernelReport& kernel) {
    kernel.instructions = code.instructions;
    kernel.spill_stores = code.spill_stores;
    kernel.spill_loads = code.spill_loads;
    kernel.columns = code.columns;
    kernel.load_waits = code.load_waits;
    kernel.store_waits = code.store_waits;
    kernel.loads.emplace();
    kernel.stores.emplace();
    for (const toolchain::TensorMove& move : code.moves)
        ++(move.store ? *kernel.stores : *kernel.loads)[fmt::format("{}.x{}", move.shape, move.num)];
    for (auto* messages : {&*kernel.loads, &*kernel.stores})
        for (auto& [name, count] : *messages)
            if (name.substr(0, split_shape.size()) == split_shape) count = (count + 1) / 2;
}

KernelReport::Count sum(const KernelReport::Messages& messages) {
    if (!messages) return std::nullopt;
    int all = 0;
    for (const auto& [name, count] : *messages) all += count;
    return all;
}

/// A name that a cubin of other origin may have damaged, as text.
std::string printable(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return name;
}

/// The numbers that are compared, in the order in which they are told.
std::vector<std::pair<const char*, KernelReport::Count>> numbers(const KernelReport& kernel) {
    return {{"registers", kernel.registers},
            {"spill store bytes", kernel.spill_stores},
            {"spill load bytes", kernel.spill_loads},
            {"shared bytes", kernel.shared_bytes},
            {"barriers", kernel.barriers},
            {"tmem columns", kernel.columns},
            {"instructions", kernel.instructions},
            {"ld messages", sum(kernel.loads)},
            {"st messages", sum(kernel.stores)},
            {"ld waits", kernel.load_waits},
            {"st waits", kernel.store_waits}};
}

/// "32x32b.x4, 3 x 32x32b.x8"
std::string listed(const std::map<std::string, int>& messages) {
    std::string text;
    for (const auto& [name, count] : messages)
        text += (text.empty() ? "" : ", ") + (count == 1 ? "" : std::to_string(count) + " x ") + name;
    return text.empty() ? "none" : text;
}

/// What sums do not tell: other kinds of messages, or other numbers of them that make the same sum.
std::string other_kinds(const char* what, const KernelReport::Messages& now,
                        const KernelReport::Messages& before) {
    if (!now || !before || *now == *before) return {};
    const bool same_kinds = std::equal(now->begin(), now->end(), before->begin(), before->end(),
                                       [](const auto& a, const auto& b) { return a.first == b.first; });
    if (same_kinds && sum(now) != sum(before)) return {};
    return fmt::format("other {}: {}; {} before", what, listed(*now), listed(*before));
}

const KernelReport* find(const Report& report, const std::string& name) {
    const auto found = std::find_if(report.kernels.begin(), report.kernels.end(),
                                    [&](const KernelReport& each) { return each.name == name; });
    return found == report.kernels.end() ? nullptr : &*found;
}

} // namespace

Report report(const toolchain::Cubin& cubin) {
    Report made{cubin.target, {}};
    const bool entries = std::any_of(cubin.kernels.begin(), cubin.kernels.end(),
                                     [](const toolchain::CubinKernel& each) { return each.entry; });
    for (const toolchain::CubinKernel& each : cubin.kernels) {
        if (each.entry != entries) continue;
        KernelReport kernel;
        kernel.name = printable(each.name);
        if (each.registers != 0) kernel.registers = each.registers;
        kernel.shared_bytes = static_cast<int>(each.shared_bytes);
        kernel.barriers = each.barriers;
        if (each.code) count_code(*each.code, kernel);
        made.kernels.push_back(std::move(kernel));
    }
    return made;
}

Report report(const sema::Program& program, const space::Space& space, const std::string& cubin) {
    Report made = report(toolchain::read_cubin(cubin));
    made.target = program.target;
    const auto place = [&](const KernelReport& kernel) {
        return std::find_if(program.kernels.begin(), program.kernels.end(),
                            [&](const sema::Kernel& each) { return each.name == kernel.name; });
    };
    std::stable_sort(made.kernels.begin(), made.kernels.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    for (KernelReport& each : made.kernels) { // without optimisation the number comes from a register
        const auto index = static_cast<std::size_t>(place(each) - program.kernels.begin());
        if (!each.columns && each.loads && index < space.kernels.size())
            each.columns = space.kernels[index].columns;
    }
    return made;
}

Comparison compare(const Report& now, const Report& earlier) {
    Comparison made;
    const auto line = [&](const std::string& kernel, const std::string& what) {
        made.text += fmt::format("{}: {}\n", kernel, what);
    };
    if (now.target != earlier.target)
        made.text += fmt::format("this is for {}, the baseline for {}\n", now.target, earlier.target);
    for (const KernelReport& kernel : now.kernels) {
        const KernelReport* const before = find(earlier, kernel.name);
        if (before == nullptr) {
            line(kernel.name, "is not in the baseline");
            continue;
        }
        std::string untold;
        const auto new_numbers = numbers(kernel), old_numbers = numbers(*before);
        for (std::size_t i = 0; i < new_numbers.size(); ++i) {
            const auto& [what, count] = new_numbers[i];
            const KernelReport::Count old = old_numbers[i].second;
            if (count.has_value() != old.has_value())
                untold += fmt::format("{} {}", untold.empty() ? "" : ",", what);
            if (!count || !old || *count == *old) continue;
            made.worse = made.worse || *count > *old;
            line(kernel.name,
                 fmt::format("{}: {} {}, {} before", *count > *old ? "worse" : "better", what, *count, *old));
        }
        for (const std::string& other : {other_kinds("ld messages", kernel.loads, before->loads),
                                         other_kinds("st messages", kernel.stores, before->stores)})
            if (!other.empty()) line(kernel.name, other);
        if (!untold.empty()) line(kernel.name, "not compared, since one of the two does not tell:" + untold);
    }
    for (const KernelReport& kernel : earlier.kernels)
        if (find(now, kernel.name) == nullptr)
            line(kernel.name, "is in the baseline and no more");
        else if (find(earlier, kernel.name) != &kernel)
            line(kernel.name, "is in the baseline more than once; the first counts");
    if (made.text.empty()) made.text = "as in the baseline\n";
    return made;
}

} // namespace tmemc::inspect
