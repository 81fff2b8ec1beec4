// Looks at the text that was made too, so that every new way to copy is out until somebody has measured it.
#include "lower/register_limit.hpp"

#include "atlas/limits.hpp"
#include "match/pressure.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace tmemc::lower {
namespace {

constexpr int most_tensors = 2;
constexpr int few = 16;  // registers that ptxas places as tightly by itself
constexpr int spare = 4; // beside what pressure.hpp counts for addresses

/// Where in a trip a statement stands; 4 for what belongs to none.
int phase(const sema::Statement& statement) {
    if (const auto* copy = std::get_if<sema::GlobalCopy>(&statement.what))
        return copy->op == sema::GlobalCopy::Op::load ? 0 : 3;
    if (const auto* copy = std::get_if<sema::TmemCopy>(&statement.what))
        return copy->op == sema::TmemCopy::Op::st ? 1 : 2;
    return 4;
}

/// Loads, stores to tensor memory, loads from it and stores follow one another, waits anywhere.
bool one_trip(const sema::Kernel& kernel) {
    int reached = 0;
    for (const sema::Statement& each : kernel.statements) {
        if (std::holds_alternative<sema::Wait>(each.what)) continue;
        const int now = phase(each);
        if (now < reached || now > 3) return false;
        reached = now;
    }
    return reached == 3;
}

/// A whole access or a message, of every thread: nothing that needs a register of its own.
bool moves_only(const ptx::Instruction& instruction) {
    constexpr std::array<std::string_view, 5> names{"ld.global.", "st.global.", "tcgen05.ld.sync.",
                                                    "tcgen05.st.sync.", "tcgen05.wait::"};
    const std::string_view name = instruction.name;
    const bool known = std::any_of(names.begin(), names.end(), [&](std::string_view each) {
        return name.substr(0, each.size()) == each;
    });
    return known && !instruction.guard && (name[0] == 't' || name.substr(name.size() - 4) == ".b32");
}

} // namespace

std::optional<std::uint32_t> register_limit(const sema::Kernel& kernel, const match::KernelPlan& plan,
                                            const std::vector<ptx::Statement>& body,
                                            const std::vector<Extent>& statements) {
    const auto tensors = static_cast<int>(
        std::count_if(kernel.parameters.begin(), kernel.parameters.end(), [](const sema::Parameter& each) {
            return std::holds_alternative<sema::Tensor>(each);
        }));
    if (kernel.warpgroups != 1 || tensors > most_tensors || !one_trip(kernel)) return std::nullopt;
    for (const Extent& extent : statements)
        for (std::size_t i = extent.first; i < extent.last; ++i)
            if (const auto* instruction = std::get_if<ptx::Instruction>(&body[i]))
                if (!moves_only(*instruction)) return std::nullopt;

    int longest = 0;
    for (const match::CopyPlan& copy : plan.copies)
        for (const match::Message& message : copy.messages)
            longest = std::max(longest, static_cast<int>(message.registers.size()));
    const int live = match::live_registers(kernel);
    const int needed = std::max(longest + atlas::message_headroom,
                                live + atlas::thread_registers + atlas::pointer_registers * tensors + spare);
    const int limit =
        (needed + atlas::register_granule - 1) / atlas::register_granule * atlas::register_granule;
    if (longest == 0 || live <= few || limit >= atlas::register_cap(kernel.threads())) return std::nullopt;
    return static_cast<std::uint32_t>(limit);
}

} // namespace tmemc::lower
