// Warp sets in the order of their first message.
#include "lower/tensor_memory.hpp"

#include "atlas/limits.hpp"

#include <algorithm>

namespace tmemc::lower {
namespace {

ThreadSet threads_of(const std::vector<int>& warps) {
    ThreadSet threads;
    for (std::size_t thread = 0; thread < threads.size(); ++thread)
        threads[thread] = std::find(warps.begin(), warps.end(),
                                    static_cast<int>(thread) / atlas::lanes_per_warp) != warps.end();
    return threads;
}

} // namespace

void for_each_by_warps(KernelText& text, const std::vector<match::Message>& messages,
                       const std::function<void(std::size_t message)>& write) {
    std::vector<std::vector<int>> sets;
    for (const match::Message& each : messages)
        if (std::find(sets.begin(), sets.end(), each.warps) == sets.end()) sets.push_back(each.warps);
    for (const std::vector<int>& warps : sets) {
        const bool some = warps.size() != static_cast<std::size_t>(atlas::warps_per_group);
        const std::string others = some ? text.names.symbol("other_warps") : "";
        if (some)
            text.body.emplace_back(
                instruction("bra", {ptx::Symbol{others}}, text.predicate(~threads_of(warps))));
        for (std::size_t m = 0; m < messages.size(); ++m)
            if (messages[m].warps == warps) write(m);
        if (some) text.body.emplace_back(ptx::Label{others});
    }
}

} // namespace tmemc::lower
