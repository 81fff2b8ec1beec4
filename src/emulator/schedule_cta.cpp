// A CTA: its warps from start to exit, and its barriers.
#include "emulator/cta.hpp"
#include "emulator/faults.hpp"
#include "emulator/schedule.hpp"
#include "emulator/special.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

void fill(Warp& warp, const Constant& constant) {
    auto* row = reinterpret_cast<std::byte*>(warp.registers + constant.slot);
    const std::size_t bytes = constant.wide ? 8 : 4;
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        std::memcpy(row + lane * bytes, &constant.bits, bytes);
}

// The slots that are readable without being written: constants, what the hardware fills, and `truth`.
void prepare_registers(Warp& warp, const Kernel& kernel) {
    warp.register_file.resize(kernel.slots);
    warp.ready_file.assign(kernel.slots, 0);
    warp.in_flight.assign(kernel.slots, 0);
    if (!kernel.callees.empty()) warp.calls.resize(warp_size);
    if (!kernel.callees.empty() || kernel.local_bytes != 0) warp.local.resize(warp_size);
    warp.registers = warp.register_file.data();
    warp.ready = warp.ready_file.data();
    warp.kernel = &kernel;
    for (const Constant& constant : kernel.constants) fill(warp, constant);
}

void start(Warp& warp, std::uint32_t threads) {
    const Kernel& kernel = *warp.kernel;
    const bool strict = warp.cta->run->limits.uninitialised_is_fault;
    std::fill(warp.ready_file.begin(), warp.ready_file.end(), strict ? Mask{0} : all_lanes);
    for (const Constant& constant : kernel.constants) warp.ready[constant.slot] = all_lanes;
    for (const Special& special : kernel.specials) fill(warp, special);
    if (!strict) {
        for (const NamedSlot& named : kernel.names) {
            std::fill_n(warp.registers + named.slot, named.bits > 64 ? 4 : named.bits == 64 ? 2 : 1, Row{});
        }
    }
    for (GlobalMemory::Block& local : warp.local) {
        local.bytes.clear();
        local.written.clear();
    }
    std::fill(warp.calls.begin(), warp.calls.end(), CallStack{});
    const std::uint32_t lanes = std::min<std::uint32_t>(threads - warp.index * warp_size, warp_size);
    warp.live = warp.active = lanes == warp_size ? all_lanes : (Mask{1} << lanes) - 1;
    warp.pc = kernel.entry;
    warp.limit = no_limit;
    warp.stop = Stop::none;
    warp.waiting_count = 0;
    warp.has_turn = false;
    warp.tries = 0;
    std::fill(warp.in_flight.begin(), warp.in_flight.end(), std::uint8_t{0});
    warp.loads.clear();
    warp.stores.clear();
    warp.store_values.clear();
    warp.async = {};
    warp.loads_in_flight = false;
}

// ---- barriers
// ----------------------------------------------------------------------------------------------------

std::uint32_t threads_left(const Cta& cta) {
    const auto left =
        std::count_if(cta.warps.begin(), cta.warps.end(), [](const Warp& w) { return w.live != 0; });
    return static_cast<std::uint32_t>(left) * warp_size; // a barrier counts whole warps
}

std::uint32_t expected(const Cta& cta, const Barrier& barrier) {
    return barrier.expected != 0 ? barrier.expected : threads_left(cta);
}

// A warp all of whose threads have come counts as a whole one, however few they are.
std::uint32_t threads_of(const Warp& warp, Mask lanes) {
    return (warp.live & ~lanes) == 0 && lanes != 0 ? warp_size
                                                   : static_cast<std::uint32_t>(std::popcount(lanes));
}

std::uint32_t arrived(const Cta& cta, const Barrier& barrier) {
    std::uint32_t threads = barrier.passed;
    for (const Warp& warp : cta.warps) threads += threads_of(warp, barrier.lanes[warp.index]);
    return threads;
}

// barrier.red has one result for all.
void deliver_reduction(Warp& warp, const Instruction& i, Mask lanes, const Barrier& barrier) {
    Row& out = warp.registers[i.out];
    switch (static_cast<BarrierReduction>(i.detail)) {
    case BarrierReduction::none: return;
    case BarrierReduction::popc:
        for (std::size_t lane = 0; lane < warp_size; ++lane) {
            if ((lanes >> lane & 1) != 0) out.word[lane] = barrier.ayes;
        }
        return;
    case BarrierReduction::all:
        out.word[0] = (out.word[0] & ~lanes) | (barrier.noes == 0 ? lanes : 0);
        return;
    case BarrierReduction::any:
        out.word[0] = (out.word[0] & ~lanes) | (barrier.ayes != 0 ? lanes : 0);
        return;
    }
}

void release(Warp& warp, const Barrier& barrier, std::uint32_t number) {
    for (int g = 0; g < warp.waiting_count; ++g) {
        Group& group = warp.waiting[static_cast<std::size_t>(g)];
        if (group.wait != Wait::barrier || group.barrier != number) continue;
        deliver_reduction(warp, warp.kernel->code[group.pc - 1], group.lanes, barrier);
        group.wait = Wait::turn;
    }
    resume(warp);
}

void release_if_complete(Cta& cta, std::uint32_t number) {
    Barrier& barrier = cta.barrier[number];
    if (!barrier.used || arrived(cta, barrier) < expected(cta, barrier)) return;
    for (Warp& warp : cta.warps) {
        if (barrier.lanes[warp.index] == 0) continue;
        release(warp, barrier, number);
        observe(warp, [&](Observer& o) { o.acquired(warp, barrier_point(number)); });
    }
    for (auto& observer : cta.observers) observer->renewed(barrier_point(number));
    barrier = {};
}

// A warp has come to wait or to its end: whoever waited for all that are left may wait no more.
void release_complete(Cta& cta) {
    for (std::uint32_t number = 0; number <= cluster_barrier; ++number) release_if_complete(cta, number);
}

// ---- progress
// ----------------------------------------------------------------------------------------------------

// After a slice: has the run gone on for too long, or is it over because a lower CTA failed?
bool within_limits(Warp& warp) {
    Run& run = *warp.cta->run;
    if (run.faulty_cta != nullptr && *run.faulty_cta < warp.cta->number) return false;
    const Instruction& next = warp.kernel->code[warp.pc];
    if (run.limits.max_steps != 0 && run.steps >= run.limits.max_steps) {
        raise(warp, next, {}, catalogue::step_limit, run.limits.max_steps);
        return false;
    }
    if (run.limits.timeout.count() != 0 && std::chrono::steady_clock::now() >= run.deadline) {
        raise(warp, next, {}, catalogue::time_limit,
              static_cast<double>(run.limits.timeout.count()) / 1000.0);
        return false;
    }
    return true;
}

void refill_slice(Cta& cta, std::uint64_t steps) {
    Run& run = *cta.run;
    cta.slice = steps;
    if (run.limits.max_steps == 0) return;
    cta.slice = std::min(cta.slice, run.limits.max_steps - run.steps);
    run.steps += cta.slice;
}

// A group that waits at barrier `number`.
const Group* group_at(const Warp& warp, std::uint32_t number) {
    const Group* end = warp.waiting.data() + warp.waiting_count;
    const Group* found = std::find_if(warp.waiting.data(), end, [&](const Group& group) {
        return group.wait == Wait::barrier && group.barrier == number;
    });
    return found == end ? nullptr : found;
}

// True when all that are left have for long done nothing but wait for mbarriers, which nobody else arrives
// at.
bool all_try_in_vain(const Cta& cta) {
    constexpr std::uint32_t many = 10000;
    bool one = false;
    for (const Warp& warp : cta.warps) {
        if (warp.live == 0 || warp.stop == Stop::barrier) continue;
        if (warp.tries < many) return false;
        one = true;
    }
    return one;
}
void raise_mbarrier_deadlock(Cta& cta) {
    for (Warp& warp : cta.warps)
        if (warp.live != 0 && warp.stop != Stop::barrier)
            return raise(warp, *warp.tried, {}, catalogue::bad_mbarrier,
                         "no warp can go on: each waits for an mbarrier whose phase nobody completes");
}

// No warp can go on. An allocation that nobody will make room for is the cause, whoever waits at a barrier
// for it.
void raise_deadlock(Cta& cta) {
    for (Warp& warp : cta.warps) {
        if (warp.stop == Stop::allocation) return raise_no_room(warp, warp.kernel->code[warp.pc]);
    }
    for (Warp& warp : cta.warps) {
        for (std::uint32_t number = 0; number <= cluster_barrier; ++number) {
            const Group* group = group_at(warp, number);
            if (group == nullptr) continue;
            const Barrier& barrier = cta.barrier[number];
            const bool all_here = std::all_of(cta.warps.begin(), cta.warps.end(), [&](const Warp& w) {
                return w.live == 0 || group_at(w, number) != nullptr;
            });
            const auto& kind = all_here ? catalogue::barrier_not_reached : catalogue::barrier_deadlock;
            return raise(warp, warp.kernel->code[group->pc - 1], {}, kind, number, arrived(cta, barrier),
                         expected(cta, barrier));
        }
    }
}

} // namespace

void arrive(Warp& warp, const Instruction& i, Mask mask, const Arrival& arrival) {
    Barrier& barrier = warp.cta->barrier[arrival.number];
    if (barrier.used && barrier.expected != arrival.threads) {
        return raise(warp, i, {}, catalogue::bad_barrier,
                     fmt::format("the threads at barrier {} wait for different numbers: {} and {}",
                                 arrival.number, barrier.expected, arrival.threads));
    }
    observe(warp, [&](Observer& o) { o.released(warp, barrier_point(arrival.number)); });
    barrier.used = true;
    barrier.expected = arrival.threads;
    barrier.ayes += arrival.ayes;
    barrier.noes += arrival.noes;
    if (arrival.then == AtBarrier::pass)
        barrier.passed += threads_of(warp, mask);
    else
        barrier.lanes[warp.index] |= mask;
    if (arrival.then == AtBarrier::wait) wait_at_barrier(warp, mask, arrival.number);
    release_if_complete(*warp.cta, arrival.number);
}

bool turn(Warp& warp) {
    Cta& cta = *warp.cta;
    run_warp(warp);
    if (warp.stop == Stop::exited || warp.stop == Stop::barrier) release_complete(cta);
    if (cta.slice == 0 && warp.stop != Stop::fault) {
        if (warp.stop == Stop::slice && !within_limits(warp)) return false;
        refill_slice(cta, warp.has_turn ? turn_steps : slice_steps);
    }
    return warp.stop != Stop::fault;
}

bool can_run(const Warp& warp) {
    return warp.stop == Stop::none || warp.stop == Stop::slice ||
           (warp.stop == Stop::allocation && can_allocate(warp));
}

void prepare_cta(Cta& cta, Run& run) {
    cta.run = &run;
    const Dimensions& block = run.launch->block;
    cta.warps.resize((block.x * block.y * block.z + warp_size - 1) / warp_size);
    for (std::uint32_t index = 0; index < cta.warps.size(); ++index) {
        Warp& warp = cta.warps[index];
        warp.cta = &cta;
        warp.index = index;
        prepare_registers(warp, *run.kernel);
    }
    const std::size_t shared_bytes = std::size_t{run.kernel->shared_bytes} + run.launch->shared_bytes;
    cta.shared.bytes.resize(shared_bytes);
    cta.shared.written.resize(shared_bytes);
    if (!run.limits.uninitialised_is_fault) cta.tensor.unwritten_is_zero();
    refill_slice(cta, slice_steps);
}

void begin_cta(Cta& cta, Dimensions id) {
    cta.id = id;
    std::fill(cta.shared.bytes.begin(), cta.shared.bytes.end(), std::byte{0});
    std::fill(cta.shared.written.begin(), cta.shared.written.end(), std::uint8_t{0});
    cta.allocations.clear();
    cta.relinquished = false;
    cta.smallest_allocation = tensor_columns;
    cta.barrier.fill({});
    const Dimensions& block = cta.run->launch->block;
    for (Warp& warp : cta.warps) start(warp, block.x * block.y * block.z);
    for (auto& observer : cta.observers) observer->started(cta);
}

void run_cta(Cta& cta, Dimensions id) {
    begin_cta(cta, id);
    bool progress = true;
    while (progress) {
        progress = false;
        for (Warp& warp : cta.warps) {
            if (!can_run(warp)) continue;
            progress = true;
            if (!turn(warp)) return;
        }
        if (progress && all_try_in_vain(cta)) return raise_mbarrier_deadlock(cta);
    }
    const bool finished = threads_left(cta) == 0;
    if (!finished)
        raise_deadlock(cta);
    else
        raise_if_leaked(cta);
}

} // namespace tmemc::emulator
