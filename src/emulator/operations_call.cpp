// Calls and returns move bytes between frames of a lane's local memory, and keep the registers of recursive
// functions.
#include "emulator/operations_call.hpp"

#include "emulator/calls.hpp"
#include "emulator/faults.hpp"
#include "emulator/image.hpp"
#include "emulator/schedule.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

/// Calls f(lane) for every lane of the mask.
template <class F>
void each(Mask mask, F f) {
    for (; mask != 0; mask &= mask - 1) f(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

// ---- registers of one lane
// ---------------------------------------------------------------------------------------

std::byte* place(Warp& warp, Slot slot, std::uint32_t lane, std::size_t bytes) {
    return reinterpret_cast<std::byte*>(warp.registers + slot) + lane * bytes;
}

std::size_t bytes_of(const NamedSlot& of) { return of.bits > 64 ? 16 : of.bits > 32 ? 8 : 4; }

Frame::Saved value(Warp& warp, const NamedSlot& of, std::uint32_t lane) {
    Frame::Saved saved{{}, (warp.ready[of.slot] >> lane & 1) != 0};
    if (of.bits == 1)
        saved.bits[0] = warp.registers[of.slot].word[0] >> lane & 1;
    else
        std::memcpy(saved.bits.data(), place(warp, of.slot, lane, bytes_of(of)), bytes_of(of));
    return saved;
}

void set(Warp& warp, const NamedSlot& of, std::uint32_t lane, const Frame::Saved& saved) {
    const Mask bit = Mask{1} << lane;
    const auto with = [bit](Mask bits, bool set) { return set ? bits | bit : bits & ~bit; };
    Mask& predicates = warp.registers[of.slot].word[0];
    if (of.bits == 1)
        predicates = with(predicates, saved.bits[0] != 0);
    else
        std::memcpy(place(warp, of.slot, lane, bytes_of(of)), saved.bits.data(), bytes_of(of));
    warp.ready[of.slot] = with(warp.ready[of.slot], saved.ready);
}

void set_address(Warp& warp, const Callee::Address& address, std::uint32_t lane, std::uint64_t frame) {
    const std::uint64_t sum = frame + address.offset;
    std::memcpy(place(warp, address.slot, lane, 8), &sum, 8);
}

// ---- frames
// ------------------------------------------------------------------------------------------------------

void copy(GlobalMemory::Block& local, const std::vector<Copy>& list, std::uint64_t from, std::uint64_t to) {
    const auto move = [&](auto& bytes, const Copy& c) {
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(from + c.from);
        std::copy_n(begin, c.bytes, bytes.begin() + static_cast<std::ptrdiff_t>(to + c.to));
    };
    for (const Copy& each : list) {
        move(local.bytes, each);
        move(local.written, each);
    }
}

/// The registers of a function are nobody's when it begins.
void clear_registers(Warp& warp, const Callee& callee, Mask mask) {
    if (warp.cta->run->limits.uninitialised_is_fault) {
        for (const NamedSlot& each : callee.registers) warp.ready[each.slot] &= ~mask;
        return;
    }
    for (const NamedSlot& of : callee.registers)
        each(mask, [&](std::uint32_t lane) { set(warp, of, lane, {{}, true}); });
}

/// One lane enters a function; false when its stack is full.
bool push(Warp& warp, const Instruction& i, const Call& call, std::uint32_t lane) {
    const Callee& callee = warp.kernel->callees[call.callee];
    CallStack& stack = warp.calls[lane];
    const std::uint64_t frame =
        (stack.address + call.frame_bytes + frame_alignment - 1) / frame_alignment * frame_alignment;
    const std::uint64_t end = frame + callee.frame_bytes;
    if (stack.frames.size() == most_calls || end > most_local_bytes) {
        raise(warp, i, {.thread = lane}, catalogue::call_too_deep, callee.name, stack.frames.size(), end);
        return false;
    }
    GlobalMemory::Block& local = warp.local[lane];
    if (local.bytes.size() < end) {
        local.bytes.resize(end);
        local.written.resize(end);
    }
    const bool strict = warp.cta->run->limits.uninitialised_is_fault;
    const auto begin = static_cast<std::ptrdiff_t>(frame);
    std::fill(local.written.begin() + begin, local.written.begin() + static_cast<std::ptrdiff_t>(end),
              std::uint8_t{0});
    if (!strict)
        std::fill(local.bytes.begin() + begin, local.bytes.begin() + static_cast<std::ptrdiff_t>(end),
                  std::byte{0});
    copy(local, call.arguments, stack.address, frame);
    stack.frames.push_back({i.detail, warp.pc, stack.address, {}});
    if (callee.recursive)
        for (const NamedSlot& of : callee.registers)
            stack.frames.back().saved.push_back(value(warp, of, lane));
    stack.address = frame;
    for (const Callee::Address& address : callee.addresses) set_address(warp, address, lane, frame);
    return true;
}

/// One lane leaves its function; gives the instruction that it goes on with.
std::uint32_t pop(Warp& warp, std::uint32_t lane) {
    CallStack& stack = warp.calls[lane];
    const Frame frame = std::move(stack.frames.back());
    stack.frames.pop_back();
    const Call& call = warp.kernel->calls[frame.call];
    const Callee& callee = warp.kernel->callees[call.callee];
    copy(warp.local[lane], call.results, stack.address, frame.address);
    stack.address = frame.address;
    if (!callee.recursive) return frame.back;
    for (std::size_t r = 0; r < frame.saved.size(); ++r) set(warp, callee.registers[r], lane, frame.saved[r]);
    // The same function may lie further down: its addresses are those of that frame again.
    std::uint64_t address = frame.address;
    for (std::size_t f = stack.frames.size(); f-- > 0; address = stack.frames[f].address) {
        if (warp.kernel->calls[stack.frames[f].call].callee != call.callee) continue;
        for (const Callee::Address& each : callee.addresses) set_address(warp, each, lane, address);
        break;
    }
    return frame.back;
}

} // namespace

void call_function(Warp& warp, const Instruction& i, Mask mask) {
    const Call& call = warp.kernel->calls[i.detail];
    const Callee& callee = warp.kernel->callees[call.callee];
    for (Mask rest = mask; rest != 0; rest &= rest - 1)
        if (!push(warp, i, call, static_cast<std::uint32_t>(std::countr_zero(rest)))) return;
    clear_registers(warp, callee, mask);
    for (const Callee::Address& each : callee.addresses) warp.ready[each.slot] |= mask;
    branch(warp, callee.entry, mask);
}

void return_from_function(Warp& warp, const Instruction&, Mask mask) {
    std::array<std::uint32_t, warp_size> targets{};
    each(mask, [&](std::uint32_t lane) { targets[lane] = pop(warp, lane); });
    branch_each(warp, targets, mask);
}

void branch_by_table(Warp& warp, const Instruction& i, Mask mask) {
    std::array<std::uint32_t, warp_size> targets{};
    const auto count = static_cast<std::uint64_t>(i.immediate);
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint32_t index = warp.registers[i.in[0]].word[lane];
        if (index >= count) return raise(warp, i, {.thread = lane}, catalogue::branch_index, index, count);
        targets[lane] = warp.kernel->targets[i.detail + index];
    }
    branch_each(warp, targets, mask);
}

} // namespace tmemc::emulator
