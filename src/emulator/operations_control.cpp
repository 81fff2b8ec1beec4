// Branches, exits, barriers and fences. A barrier waits for threads of the CTA: those named by a count, or
// all that have not exited; its red form gives all of them the number of true predicates, their and or their
// or:
//
//     bar.red.popc.u32 %r1, 0, %p1;      %r1 = in how many threads of the CTA %p1 is true
//
// The machine has one memory and runs the warps of a CTA one at a time, so within it fences do nothing.
// Source: PTX ISA 9.7.12 (control flow), 9.7.13 (barriers, fences, griddepcontrol). Not here: what the words
// of their names mean (decode_control.cpp), who runs when (schedule_*.cpp), mbarrier
// (operations_mbarrier.cpp).
#include "emulator/decode.hpp"
#include "emulator/faults.hpp"
#include "emulator/lanes.hpp"
#include "emulator/operations_call.hpp"
#include "emulator/schedule.hpp"

#include <atomic>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

// The value of a barrier's operand, the same in all lanes of the mask; false when a fault was raised.
bool uniform(Warp& warp, const Instruction& i, Mask mask, Slot slot, const char* what, std::uint32_t& value) {
    const Row& row = warp.registers[slot];
    const auto first = static_cast<std::uint32_t>(std::countr_zero(mask));
    value = row.word[first];
    for (std::uint32_t lane = first; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0 || row.word[lane] == value) continue;
        raise(warp, i, {.thread = lane}, catalogue::bad_barrier,
              fmt::format("{} is {} in thread {} and {} in thread {}", what, value, first, row.word[lane],
                          lane));
        return false;
    }
    return true;
}

// in[0]: the barrier; in[1]: the threads it waits for, `truth` when it names none; in[2]: a predicate.
template <AtBarrier then>
void barrier(Warp& warp, const Instruction& i, Mask mask) {
    Arrival arrival{.then = then};
    const bool counts = i.in[1] != truth;
    if (!uniform(warp, i, mask, i.in[0], "the number of the barrier", arrival.number)) return;
    if (counts && !uniform(warp, i, mask, i.in[1], "the number of threads", arrival.threads)) return;
    if (arrival.number >= barriers) {
        return raise(warp, i, {}, catalogue::bad_barrier,
                     fmt::format("there is no barrier {}", arrival.number));
    }
    if (arrival.threads % warp_size != 0 || (arrival.threads == 0 && counts)) {
        return raise(warp, i, {}, catalogue::bad_barrier,
                     fmt::format("{} threads are no whole number of warps", arrival.threads));
    }
    const Mask ayes = mask & (warp.registers[i.in[2]].word[0] ^ static_cast<Mask>(i.immediate));
    arrival.ayes = static_cast<std::uint32_t>(std::popcount(ayes));
    arrival.noes = static_cast<std::uint32_t>(std::popcount(mask & ~ayes));
    arrive(warp, i, mask, arrival);
}

// A cluster is one CTA here, and its barrier one more of the CTA's.
void cluster_arrive(Warp& warp, const Instruction& i, Mask mask) {
    arrive(warp, i, mask, {.number = cluster_barrier, .then = AtBarrier::wait_later});
}
// Who has arrived and still stands in the barrier's list waits for the rest.
void cluster_wait(Warp& warp, const Instruction&, Mask mask) {
    const Mask early = mask & warp.cta->barrier[cluster_barrier].lanes[warp.index];
    if (early != 0) wait_at_barrier(warp, early, cluster_barrier);
}

void nothing(Warp&, const Instruction&, Mask) {}
// The members have come together before the operation runs; there is nothing left to do.
void meet(Warp& warp, const Instruction&, Mask mask) {
    observe(warp, [&](Observer& o) { o.lanes_met(warp, mask); });
}
// Orders all accesses before it and after it, for CTAs that other threads of the host run.
void fence(Warp& warp, const Instruction&, Mask) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    observe(warp, [&](Observer& o) { o.fenced(warp, Fence::memory); });
}
void sleep(Warp& warp, const Instruction&, Mask) { yield(warp); }

constexpr Needs cta_word{{7, 8}, 75, {}};
constexpr Needs clusters{{7, 8}, 90, {}};

constexpr Operation sync = barrier<AtBarrier::wait>;
constexpr Operation pass = barrier<AtBarrier::pass>;
void trap(Warp& warp, const Instruction& i, Mask mask) {
    raise(warp, i, {.thread = static_cast<std::uint32_t>(std::countr_zero(mask))}, catalogue::trapped);
}

constexpr Needs register_pools{
    {8, 0},
    90,
    "sm_90a sm_100a sm_100f sm_101a sm_101f sm_103a sm_103f sm_110a sm_110f sm_120a sm_120f sm_121a sm_121f"};
constexpr Opcode rows[] = {
    {"bra", "", {}, decode_branch, [](Warp& w, const Instruction& i, Mask m) { branch(w, i.detail, m); }},
    {"brx.idx", "", {}, decode_table_branch, branch_by_table},
    {"call", "", {}, decode_call, call_function},
    {"ret", "", {}, decode_return, leave}, // of a kernel; a function's is return_from_function
    {"exit", "", {}, decode_plain, leave},
    {"trap", "", {}, decode_plain, trap},
    {"brkpt", "", {}, decode_plain, trap}, // no debugger is there to take it
    {"pmevent", "", {}, decode_sleep, nothing},
    needing(register_pools, {"setmaxnreg.inc.sync.aligned", "u32", {}, decode_sleep, nothing}),
    needing(register_pools, {"setmaxnreg.dec.sync.aligned", "u32", {}, decode_sleep, nothing}),
    {"bar.sync", "", {}, decode_barrier, sync},
    {"bar.arrive", "", {}, decode_barrier, pass},
    {"bar.red", "", {}, decode_barrier_reduction, sync},
    needing(cta_word, {"bar.cta.sync", "", {}, decode_barrier, sync}),
    needing(cta_word, {"bar.cta.arrive", "", {}, decode_barrier, pass}),
    needing(cta_word, {"bar.cta.red", "", {}, decode_barrier_reduction, sync}),
    {"barrier.sync", "", {}, decode_barrier, sync},
    {"barrier.arrive", "", {}, decode_barrier, pass},
    {"barrier.red", "", {}, decode_barrier_reduction, sync},
    needing(cta_word, {"barrier.cta.sync", "", {}, decode_barrier, sync}),
    needing(cta_word, {"barrier.cta.arrive", "", {}, decode_barrier, pass}),
    needing(cta_word, {"barrier.cta.red", "", {}, decode_barrier_reduction, sync}),
    needing(clusters, {"barrier.cluster.arrive", "", {}, decode_cluster_barrier, cluster_arrive}),
    needing(clusters, {"barrier.cluster.wait", "", {}, decode_cluster_barrier, cluster_wait}),
    {"bar.warp.sync", "", {}, decode_warp_barrier, meet},
    {"nanosleep", "u32", {}, decode_sleep, sleep},
    needing(clusters, {"griddepcontrol.wait", "", {}, decode_plain, nothing}),
    needing(clusters, {"griddepcontrol.launch_dependents", "", {}, decode_plain, nothing}),
};

struct FenceRow {
    std::string_view name;
    Needs needs{};
};
constexpr Needs proxies{{8, 0}, 90, {}};
constexpr Needs restricted{{8, 6}, 90, {}};
constexpr FenceRow fences[] = {
    {"membar.cta"},
    {"membar.gl"},
    {"membar.sys"},
    {"membar.proxy.alias", {{7, 5}, 75, {}}},
    {"fence.proxy.alias", {{7, 5}, 75, {}}},
    {"fence.proxy.async", proxies},
    {"fence.proxy.async.global", proxies},
    {"fence.proxy.async.shared::cta", proxies},
    {"fence.proxy.async.shared::cluster", proxies},
    {"fence.mbarrier_init.release.cluster", proxies},
    {"fence.acquire.sync_restrict::shared::cluster.cluster", restricted},
    {"fence.release.sync_restrict::shared::cta.cluster", restricted},
    {"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", restricted},
    {"fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster", restricted},
    {"fence.cta"},
    {"fence.cluster", clusters},
    {"fence.gpu"},
    {"fence.sys"},
    {"fence.sc.cta"},
    {"fence.sc.cluster", clusters},
    {"fence.sc.gpu"},
    {"fence.sc.sys"},
    {"fence.acq_rel.cta"},
    {"fence.acq_rel.cluster", clusters},
    {"fence.acq_rel.gpu"},
    {"fence.acq_rel.sys"},
    {"fence.acquire.cta"},
    {"fence.acquire.cluster", clusters},
    {"fence.acquire.gpu"},
    {"fence.acquire.sys"},
    {"fence.release.cta"},
    {"fence.release.cluster", clusters},
    {"fence.release.gpu"},
    {"fence.release.sys"},
};

constexpr auto all_rows() {
    std::array<Opcode, std::size(rows) + std::size(fences)> all{};
    std::size_t used = 0;
    for (const Opcode& row : rows) all[used++] = row;
    for (const FenceRow& row : fences)
        all[used++] = needing(row.needs, {row.name, "", {}, decode_plain, fence});
    return all;
}

} // namespace

void decode_branch(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty() && decoding.rest() != "uni") return decoding.unknown();
    if (decoding.operands(text, 1, 1)) into.detail = decoding.label(text.operands[0]);
}

std::span<const Opcode> control_rows() {
    static constexpr auto all = all_rows();
    return all;
}

} // namespace tmemc::emulator
