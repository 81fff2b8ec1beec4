// One walk for the accesses, and a question to the timeline for each pair of warpgroups.
#include "space/lifetimes.hpp"

#include <algorithm>
#include <array>

namespace tmemc::space {

std::vector<Lifetime> lifetimes(const sema::Kernel& kernel, const order::Timeline& timeline) {
    const auto warpgroups = static_cast<std::size_t>(kernel.warpgroups);
    std::vector<Lifetime> lives(kernel.groups.size());
    for (Lifetime& life : lives) {
        life.begin.assign(warpgroups, never);
        life.done.assign(warpgroups, 0);
    }
    for (std::size_t i = 0; i < kernel.statements.size(); ++i) {
        const sema::Statement& statement = kernel.statements[i];
        const auto* copy = std::get_if<sema::TmemCopy>(&statement.what);
        if (copy == nullptr) continue;
        Lifetime& life = lives[kernel.buffers[copy->buffer.object].group];
        if (!life.used) life.first = i;
        life.used = true;
        const auto kind = copy->op == sema::TmemCopy::Op::ld ? order::WaitKind::ld : order::WaitKind::st;
        for (const int warpgroup : order::warpgroups_of(kernel, statement)) {
            const auto g = static_cast<std::size_t>(warpgroup);
            life.begin[g] = std::min(life.begin[g], i);
            life.done[g] = std::max(life.done[g], timeline.wait_after(warpgroup, kind, i));
            life.last = std::max(life.last, life.done[g]);
        }
    }
    return lives;
}

bool ends_before(const Lifetime& a, const Lifetime& b, const order::Timeline& timeline) {
    if (!a.used || !b.used) return false;
    for (std::size_t mine = 0; mine < a.begin.size(); ++mine)
        for (std::size_t other = 0; other < b.begin.size(); ++other) {
            if (a.begin[mine] == never || b.begin[other] == never) continue;
            const bool ordered = mine == other ? a.done[mine] <= b.begin[other]
                                               : timeline.sync_from(a.done[mine]) < b.begin[other];
            if (!ordered) return false;
        }
    return true;
}

} // namespace tmemc::space
