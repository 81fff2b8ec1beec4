// tcgen05.alloc, dealloc and relinquish_alloc_permit. An allocation that finds no room waits for another warp
// to deallocate; when no warp can go on, it never will be served, and that is the fault. Source: PTX
// ISA 9.7.16.7. The names in the messages are those of ptxas's own checks.
#include "emulator/cta.hpp"
#include "emulator/faults.hpp"
#include "emulator/memory_access.hpp"
#include "emulator/tensor_operand.hpp"

#include <algorithm>
#include <cstring>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

bool legal_size(std::uint32_t count) { return count >= 32 && count <= 512 && (count & (count - 1)) == 0; }

// The rules that do not depend on room. The number of columns, or nothing after a fault.
std::optional<int> wanted_columns(Warp& warp, const Instruction& i, Mask mask) {
    const auto count = uniform_operand(warp, i, mask, 1, "the number of columns");
    if (!count) return std::nullopt;
    const Cta& cta = *warp.cta;
    if (!legal_size(*count)) {
        raise(warp, i, {}, catalogue::allocation_granularity, *count);
    } else if (cta.relinquished) {
        raise(warp, i, {}, catalogue::allocation_after_relinquish);
    } else if (static_cast<int>(*count) > cta.smallest_allocation) {
        raise(warp, i, {}, catalogue::allocation_grows, *count, cta.smallest_allocation);
    } else {
        return static_cast<int>(*count);
    }
    return std::nullopt;
}

} // namespace

void allocate_columns(Warp& warp, const Instruction& i, Mask mask) {
    const auto count = wanted_columns(warp, i, mask);
    if (!count) return;
    Cta& cta = *warp.cta;
    if (!resolve(warp, i, mask, sizeof(std::uint32_t), Access::store)) return;
    const auto first = cta.tensor.allocate(*count);
    if (!first) {
        warp.pc = warp.number(i); // once more, when there is room
        warp.stop = Stop::allocation;
        return;
    }
    cta.smallest_allocation = *count;
    cta.allocations.push_back({{*first, *count}, &i, &warp});
    const auto address = static_cast<std::uint32_t>(*first); // lane 0
    std::memcpy(warp.address[0], &address, sizeof address);
}

void free_columns(Warp& warp, const Instruction& i, Mask mask) {
    const auto address = uniform_operand(warp, i, mask, 0, "the tensor-memory address");
    if (!address) return;
    const auto count = uniform_operand(warp, i, mask, 1, "the number of columns");
    if (!count) return;
    Cta& cta = *warp.cta;
    const std::uint32_t first = *address & 0xffff, lane = *address >> 16;
    const auto found = std::find_if(cta.allocations.begin(), cta.allocations.end(), [&](const Allocation& a) {
        return lane == 0 && a.columns == Columns{static_cast<int>(first), static_cast<int>(*count)};
    });
    if (found != cta.allocations.end()) {
        for (auto& observer : cta.observers) {
            observer->freeing(warp, i, found->columns);
            if (warp.stop == Stop::fault) return;
        }
        cta.tensor.free(found->columns);
        cta.allocations.erase(found);
        return;
    }
    const bool inside = first<tensor_columns&& * count> 0 && *count <= tensor_columns - first;
    if (inside && cta.tensor.allocated({static_cast<int>(first), static_cast<int>(*count)})) {
        raise(warp, i, {}, catalogue::free_of_other_columns, *count, *address);
    } else {
        raise(warp, i, {}, catalogue::free_of_unallocated, *count, *address);
    }
}

void relinquish_permit(Warp& warp, const Instruction& i, Mask mask) {
    if (whole_warp(warp, i, mask)) warp.cta->relinquished = true;
}

bool can_allocate(const Warp& warp) {
    const auto count = static_cast<int>(warp.registers[warp.kernel->code[warp.pc].in[1]].word[0]);
    return warp.cta->tensor.has_room(count);
}

void raise_no_room(Warp& warp, const Instruction& i) {
    raise(warp, i, {}, catalogue::allocation_without_room, warp.registers[i.in[1]].word[0],
          warp.cta->tensor.free_columns());
}

void raise_if_leaked(Cta& cta) {
    if (cta.allocations.empty()) return;
    const Allocation& left = cta.allocations.front();
    raise(*left.warp, *left.instruction, {}, catalogue::leaked_columns, left.columns.count,
          left.columns.first);
}

} // namespace tmemc::emulator
