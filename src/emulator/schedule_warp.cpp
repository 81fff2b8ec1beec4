// The loop that executes a warp, and the groups of its lanes.
#include "emulator/faults.hpp"
#include "emulator/schedule.hpp"

#include <algorithm>
#include <bit>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

// ---- groups
// ------------------------------------------------------------------------------------------------------

// The lowest counter of the groups ahead: there the running group looks up and joins them.
void set_limit(Warp& warp) {
    warp.limit = no_limit;
    for (int g = 0; g < warp.waiting_count; ++g) {
        const Group& group = warp.waiting[static_cast<std::size_t>(g)];
        if (group.pc >= warp.pc && group.wait != Wait::barrier) warp.limit = std::min(warp.limit, group.pc);
    }
}

void add_group(Warp& warp, Group added) {
    for (int g = 0; g < warp.waiting_count; ++g) {
        Group& group = warp.waiting[static_cast<std::size_t>(g)];
        if (group.pc != added.pc || group.wait != added.wait || group.barrier != added.barrier) continue;
        group.lanes |= added.lanes;
        return;
    }
    warp.waiting[static_cast<std::size_t>(warp.waiting_count++)] = added;
}

Group take_group(Warp& warp, int index) {
    const Group group = warp.waiting[static_cast<std::size_t>(index)];
    warp.waiting[static_cast<std::size_t>(index)] =
        warp.waiting[static_cast<std::size_t>(--warp.waiting_count)];
    return group;
}

// The group with the lowest counter that only waits for its turn; -1 when there is none.
int lowest_group(const Warp& warp) {
    int best = -1;
    for (int g = 0; g < warp.waiting_count; ++g) {
        const Group& group = warp.waiting[static_cast<std::size_t>(g)];
        if (group.wait == Wait::turn &&
            (best < 0 || group.pc < warp.waiting[static_cast<std::size_t>(best)].pc))
            best = g;
    }
    return best;
}

void start_group(Warp& warp, const Group& group) {
    warp.pc = group.pc;
    warp.active = group.lanes;
    set_limit(warp);
}

void raise_not_converged(Warp& warp, const Instruction& i, Mask there) {
    const Mask missing = warp.live & ~there;
    const auto thread = static_cast<std::uint32_t>(std::countr_zero(missing != 0 ? missing : ~warp.live));
    const char* why = missing != 0 ? "does not execute it now" : "has exited or was never started";
    raise(warp, i, {.thread = thread}, catalogue::not_converged, thread, why);
}

// A lane of the mask waits for one that does not come.
void raise_member_missing(Warp& warp, const Instruction& i, Mask mask) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    const Mask members = warp.registers[i.in[3]].word[lane];
    const Mask missing = members & warp.live & ~mask;
    raise(warp, i, {.thread = lane}, catalogue::member_missing, members,
          static_cast<std::uint32_t>(std::countr_zero(missing)));
}

// All groups wait for something: for the CTA if one does, else they wait for each other for ever.
void stop_waiting(Warp& warp) {
    const Group* end = warp.waiting.data() + warp.waiting_count;
    const Group* first = nullptr;
    for (const Group* group = warp.waiting.data(); group != end; ++group) {
        if (group->wait == Wait::barrier) {
            warp.stop = Stop::barrier;
            return;
        }
        if (first == nullptr || group->pc < first->pc) first = group;
    }
    const Instruction& i = warp.kernel->code[first->pc];
    if (i.members != Members::none)
        raise_member_missing(warp, i, first->lanes);
    else
        raise_not_converged(warp, i, first->lanes);
}

// No group runs: the next one does.
void next_group(Warp& warp) {
    const int next = lowest_group(warp);
    if (next < 0)
        stop_waiting(warp);
    else
        start_group(warp, take_group(warp, next));
}

// The running group has reached or passed another one's counter: equals join, the lowest runs on.
void regroup(Warp& warp) {
    for (int g = 0; g < warp.waiting_count; ++g) {
        const Group& group = warp.waiting[static_cast<std::size_t>(g)];
        if (group.pc == warp.pc && group.wait != Wait::barrier) warp.active |= take_group(warp, g--).lanes;
    }
    const int lowest = lowest_group(warp);
    const bool behind = lowest >= 0 && warp.waiting[static_cast<std::size_t>(lowest)].pc < warp.pc;
    if (behind && !warp.has_turn) {
        const Group lower = take_group(warp, lowest);
        add_group(warp, {warp.pc, warp.active});
        start_group(warp, lower);
    } else {
        set_limit(warp);
    }
}

// Lanes of the running group wait at its instruction for others of the warp.
void park(Warp& warp, Mask lanes) {
    add_group(warp, {warp.pc, lanes, Wait::lanes});
    warp.active &= ~lanes;
    if (warp.active == 0) next_group(warp);
}

// Lanes may spin on what a later group of their own warp has yet to do: after a slice each of the others has
// a turn, for a slice in which it need not give way to lower ones.
void rotate(Warp& warp) {
    warp.has_turn = false;
    for (int g = 0; g < warp.waiting_count; ++g) {
        const auto next = static_cast<int>(warp.turn++ % static_cast<std::uint32_t>(warp.waiting_count));
        if (warp.waiting[static_cast<std::size_t>(next)].wait != Wait::turn) continue;
        const Group group = take_group(warp, next);
        add_group(warp, {warp.pc, warp.active});
        warp.has_turn = true;
        return start_group(warp, group);
    }
}

// ---- instructions
// ------------------------------------------------------------------------------------------------

const Slot* vector_end(const Warp& warp, const Instruction& i) { return warp.vector(i) + i.vector_count; }

void raise_uninitialised(Warp& warp, const Instruction& i, Mask mask) {
    const auto unready = [&](Slot slot) { return (mask & ~warp.ready[slot]) != 0; };
    const std::array<Slot, 5> plain{i.guard, i.in[0], i.in[1], i.in[2], i.in[3]};
    const Slot* slot = std::find_if(plain.begin(), plain.end(), unready);
    if (slot == plain.end()) slot = std::find_if(warp.vector(i), vector_end(warp, i), unready);
    const auto thread = static_cast<std::uint32_t>(std::countr_zero(mask & ~warp.ready[*slot]));
    raise(warp, i, {.thread = thread}, catalogue::uninitialised_register, register_name(*warp.kernel, *slot));
}

// A load delivers when one of its registers is first read or overwritten.
void deliver_touched(Warp& warp, const Instruction& i) {
    const auto touches = [&](const Outstanding& load, Slot slot) {
        const Instruction& l = *load.instruction;
        return std::find(warp.vector(l), vector_end(warp, l), slot) != vector_end(warp, l);
    };
    const auto touch = [&](Slot slot) {
        if (warp.in_flight[slot] == 0) return;
        for (std::size_t load = 0; load < warp.loads.size(); ++load) {
            if (touches(warp.loads[load], slot)) return deliver_load(warp, load);
        }
    };
    touch(i.out);
    std::for_each(i.in.begin(), i.in.end(), touch);
    std::for_each(warp.vector(i), vector_end(warp, i), touch);
}

// bar.warp.sync need not be the same instruction for all: the groups that wait at
// another one with the same members count, and go on with the lanes that have now come.
Mask waiting_elsewhere(const Warp& warp, const Instruction& i, Mask members) {
    Mask lanes = 0;
    for (int g = 0; g < warp.waiting_count; ++g) {
        const Group& group = warp.waiting[static_cast<std::size_t>(g)];
        if (group.wait != Wait::lanes || warp.kernel->code[group.pc].operation != i.operation) continue;
        const Instruction& other = warp.kernel->code[group.pc];
        for (std::size_t lane = 0; lane < warp_size; ++lane) {
            if ((group.lanes >> lane & 1) != 0 && warp.registers[other.in[3]].word[lane] == members)
                lanes |= Mask{1} << lane;
        }
    }
    return lanes;
}
void let_go(Warp& warp, Mask lanes) {
    for (int g = 0; g < warp.waiting_count; ++g) {
        Group& group = warp.waiting[static_cast<std::size_t>(g)];
        const Mask freed = group.wait == Wait::lanes ? group.lanes & lanes : 0;
        if (freed == 0) continue;
        const std::uint32_t pc = group.pc + 1;
        group.lanes &= ~freed;
        if (group.lanes == 0) take_group(warp, g--);
        add_group(warp, {pc, freed});
        warp.limit = 0;
    }
}

// The lanes of the mask whose members have all come to the instruction; the others wait at it.
Mask gather(Warp& warp, const Instruction& i, Mask mask) {
    Mask complete = 0, left = mask;
    while (left != 0) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const Row& row = warp.registers[i.in[3]];
        const Mask members = row.word[lane];
        if ((members >> lane & 1) == 0) {
            raise(warp, i, {.thread = lane}, catalogue::not_a_member, members, lane);
            return 0;
        }
        Mask alike = 0;
        for (std::size_t other = 0; other < warp_size; ++other)
            alike |= row.word[other] == members ? Mask{1} << other : 0;
        alike &= left;
        left &= ~alike;
        const Mask elsewhere = i.members == Members::anywhere ? waiting_elsewhere(warp, i, members) : 0;
        if ((members & warp.live & ~(alike | elsewhere)) != 0) continue;
        complete |= alike;
        let_go(warp, elsewhere);
    }
    if (complete != mask) {
        const bool others_go_on = complete == 0 && mask != warp.active; // whom the guard leaves out
        park(warp, mask & ~complete);
        if (others_go_on) ++warp.pc;
    }
    return complete;
}

// What few instructions need before they execute: convergence and vectors. The lanes in which it runs now.
Mask prepare(Warp& warp, const Instruction& i, Mask mask) {
    if (i.collective && mask != warp.live) {
        if (mask != warp.active)
            raise_not_converged(warp, i, mask);
        else
            park(warp, mask);
        return 0;
    }
    if (i.members != Members::none && (mask = gather(warp, i, mask)) == 0) return 0;
    if (warp.loads_in_flight) deliver_touched(warp, i);
    if (i.vector_role == VectorRole::source) {
        Mask ready = all_lanes;
        for (const Slot* slot = warp.vector(i); slot != vector_end(warp, i); ++slot)
            ready &= warp.ready[*slot];
        if ((mask & ~ready) != 0) {
            raise_uninitialised(warp, i, mask);
            return 0;
        }
    }
    return mask;
}

} // namespace

void branch(Warp& warp, std::uint32_t target, Mask mask) {
    const Mask others = warp.active & ~mask;
    if (others != 0) add_group(warp, {warp.pc, others}); // pc is the next instruction already
    warp.active = mask;
    warp.pc = target;
    // The target may lie behind or beyond other groups: look at once.
    if (warp.waiting_count != 0) warp.limit = 0;
}

void leave(Warp& warp, const Instruction&, Mask mask) {
    warp.live &= ~mask;
    warp.active &= ~mask;
    // Who waited for these lanes looks again.
    for (int g = 0; g < warp.waiting_count; ++g) {
        Group& group = warp.waiting[static_cast<std::size_t>(g)];
        if (group.wait == Wait::lanes) group.wait = Wait::turn;
    }
    if (warp.active != 0) return;
    if (warp.live == 0)
        warp.stop = Stop::exited;
    else
        next_group(warp);
}

void wait_at_barrier(Warp& warp, Mask mask, std::uint32_t number) {
    add_group(warp, {warp.pc, mask, Wait::barrier, static_cast<std::uint8_t>(number)});
    warp.active &= ~mask;
    if (warp.active == 0) next_group(warp);
}

void resume(Warp& warp) {
    warp.limit = 0; // released lanes may stand where the running group comes by
    if (warp.stop == Stop::barrier) warp.stop = Stop::none;
    if (warp.active == 0) next_group(warp);
}

void yield(Warp& warp) {
    if (warp.stop != Stop::none) return;
    rotate(warp);
    warp.stop = Stop::slice;
}

void run_warp(Warp& warp) {
    const Instruction* const code = warp.kernel->code.data();
    Cta& cta = *warp.cta;
    warp.stop = Stop::none;
    while (warp.stop == Stop::none) {
        if (warp.pc >= warp.limit) regroup(warp);
        if (cta.slice == 0) {
            rotate(warp);
            warp.stop = Stop::slice;
            return;
        }
        --cta.slice;
        const Instruction& i = code[warp.pc];
        Mask mask = warp.active & (warp.registers[i.guard].word[0] ^ i.guard_flip);
        const Mask* const ready = warp.ready;
        const Mask readable = ready[i.in[0]] & ready[i.in[1]] & ready[i.in[2]] & ready[i.in[3]];
        const Mask unreadable = (mask & ~readable) | (warp.active & ~ready[i.guard]);
        if (unreadable != 0) [[unlikely]] {
            raise_uninitialised(warp, i, unreadable);
            return;
        }
        if (mask == 0) {
            ++warp.pc;
            continue;
        }
        const bool unusual = i.collective || i.members != Members::none || warp.loads_in_flight ||
                             i.vector_role != VectorRole::none;
        if (unusual && (mask = prepare(warp, i, mask)) == 0) continue;
        ++warp.pc;
        i.operation(warp, i, mask);
        warp.ready[i.out] |= mask;
        if (i.vector_role == VectorRole::destination) {
            for (const Slot* slot = warp.vector(i); slot != vector_end(warp, i); ++slot)
                warp.ready[*slot] |= mask;
        }
        warp.thread_instructions +=
            mask == all_lanes ? std::uint64_t{warp_size} : static_cast<std::uint64_t>(std::popcount(mask));
    }
}

} // namespace tmemc::emulator
