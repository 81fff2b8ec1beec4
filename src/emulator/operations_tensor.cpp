// tcgen05.ld, st, wait and fence. A message is checked when it is issued and takes effect as late as it may:
// a store at its wait::st, a load at its wait::ld, or when one of its registers is first read or overwritten;
// the cells are sampled then. So a program that lacks a wait works on wrong data, as it may on hardware.
//
// An address is a lane in the upper half of a word and a column in the lower. Of the lane only bits 0 to 4
// count: which slice of 32 a warp reaches is its rank modulo 4. --strict-lanes wants bits 5 and 6 to say the
// same. Source: PTX ISA 9.7.16.2 (access restrictions), 9.7.16.8 (ld, st, wait). Names such as
// unallocated_columns_access are those of ptxas's own checks.
#include "emulator/faults.hpp"
#include "emulator/opcodes.hpp"
#include "emulator/schedule.hpp"
#include "emulator/tensor_operand.hpp"

#include <bit>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

// ---- checks
// ------------------------------------------------------------------------------------------------------

// Where one half of a message lies when it starts at `address`; nothing after a fault.
std::optional<Rectangle> locate(Warp& warp, const Instruction& i, const Message& message,
                                std::uint32_t address) {
    const int lane = static_cast<int>(address >> 16), column = static_cast<int>(address & 0xffff);
    const int in_slice = lane % 32;
    const TensorCell cell{lane, column};
    const Rectangle rectangle{warp.slice(), in_slice, message.shape->lanes, {column, message.columns()}};
    if (lane >= tensor_lanes || column + message.columns() > tensor_columns) {
        raise(warp, i, {.cell = cell}, catalogue::tensor_out_of_bounds, column,
              column + message.columns() - 1, lane);
    } else if (in_slice % message.shape->lanes != 0) {
        raise(warp, i, {.cell = cell}, catalogue::illegal_lane, message.shape->name, in_slice,
              message.shape->lanes == 32 ? "0" : "0 or 16");
    } else if (warp.cta->run->limits.strict_lanes && lane / 32 != warp.slice()) {
        raise(warp, i, {.cell = cell}, catalogue::wrong_lane_owner, lane, warp.slice() * 32,
              warp.slice() * 32 + 31);
    } else if (message.packed && column % 2 != 0) {
        raise(warp, i, {.cell = cell}, catalogue::packed_column_odd, column);
    } else if (!warp.cta->tensor.allocated(rectangle.columns)) {
        const int missing = warp.cta->tensor.first_unallocated(rectangle.columns);
        raise(warp, i, {.cell = TensorCell{lane, missing}}, catalogue::unallocated_columns, missing);
    } else {
        return rectangle;
    }
    return std::nullopt;
}

std::optional<Footprint> footprint(Warp& warp, const Instruction& i, const Message& message, Mask mask) {
    const auto base = uniform_operand(warp, i, mask, 0, "the tensor-memory address");
    if (!base) return std::nullopt;
    Footprint result;
    const std::uint32_t address = *base + static_cast<std::uint32_t>(i.immediate);
    result.halves = message.shape->split ? 2 : 1;
    for (std::uint32_t half = 0; half < static_cast<std::uint32_t>(result.halves); ++half) {
        const auto rectangle = locate(warp, i, message, address + half * message.half_split);
        if (!rectangle) return std::nullopt;
        result.half[half] = *rectangle;
    }
    return result;
}

bool observed(Warp& warp, const Instruction& i, TensorOperation operation, const Footprint& where) {
    return observe(warp, [&](Observer& o) { o.accessed(warp, i, operation, where); });
}

// ---- stores
// ------------------------------------------------------------------------------------------------------

bool overlap(const Footprint& a, const Footprint& b) {
    for (const Rectangle& x : a.rectangles()) {
        for (const Rectangle& y : b.rectangles()) {
            if (x.overlaps(y)) return true;
        }
    }
    return false;
}

void store(Warp& warp, const Instruction& i, Mask mask) {
    const Message& message = warp.kernel->messages[i.detail];
    const auto where = footprint(warp, i, message, mask);
    if (!where || !observed(warp, i, TensorOperation::store, *where)) return;
    for (const Outstanding& earlier : warp.stores) {
        if (!overlap(earlier.footprint, *where)) continue;
        land_stores(warp); // a loop that never waits must not pile them up
        break;
    }
    const std::size_t values = warp.store_values.size();
    for (unsigned k = 0; k < i.vector_count; ++k)
        warp.store_values.push_back(warp.registers[warp.vector(i)[k]]);
    warp.stores.push_back({&i, *where, values});
}

// ---- loads
// -------------------------------------------------------------------------------------------------------

void mark_in_flight(Warp& warp, const Instruction& i, std::uint8_t value) {
    for (unsigned k = 0; k < i.vector_count; ++k) warp.in_flight[warp.vector(i)[k]] = value;
}

void load(Warp& warp, const Instruction& i, Mask mask) {
    const Message& message = warp.kernel->messages[i.detail];
    if (message.repeats_register) return raise(warp, i, {}, catalogue::duplicate_destination);
    const auto where = footprint(warp, i, message, mask);
    if (!where || !observed(warp, i, TensorOperation::load, *where)) return;
    for (const Rectangle& half : where->rectangles()) {
        const auto unwritten = warp.cta->tensor.first_unwritten(half);
        if (unwritten) {
            return raise(warp, i, {.cell = unwritten}, catalogue::uninitialised_cell, unwritten->lane,
                         unwritten->column);
        }
    }
    warp.loads.push_back({&i, *where, 0});
    warp.loads_in_flight = true;
    mark_in_flight(warp, i, 1);
}

// Each thread's values, folded; the first with itself, which makes a NaN canonical.
void reduce(const Message& message, std::span<Row* const> values, Row& result) {
    for (std::size_t thread = 0; thread < warp_size; ++thread) {
        std::uint32_t folded = values.front()->word[thread] & message.reduced_bits;
        for (const Row* value : values)
            folded = message.reduction->fold(folded, value->word[thread] & message.reduced_bits);
        result.word[thread] = folded;
    }
}

void wait_load(Warp& warp, const Instruction& i, Mask mask) {
    if (!whole_warp(warp, i, mask)) return;
    while (!warp.loads.empty()) deliver_load(warp, 0);
    observe(warp, [&](Observer& o) { o.waited(warp, i, TensorOperation::load); });
}

void wait_store(Warp& warp, const Instruction& i, Mask mask) {
    if (!whole_warp(warp, i, mask)) return;
    land_stores(warp);
    observe(warp, [&](Observer& o) { o.waited(warp, i, TensorOperation::store); });
}

// Fences order what other warps see; the machine runs one warp at a time, so only its observers care.
template <Fence kind>
void fence(Warp& warp, const Instruction&, Mask) {
    observe(warp, [&](Observer& o) { o.fenced(warp, kind); });
}

constexpr std::string_view load_reduction_targets = "sm_101a sm_101f sm_103a sm_103f sm_110a sm_110f";

constexpr Opcode rows[] = {
    needing(tensor_memory, {"tcgen05.ld", "", {}, decode_tensor_message, load}),
    needing({{8, 8}, 101, load_reduction_targets}, {"tcgen05.ld.red", "", {}, decode_tensor_message, load}),
    needing(tensor_memory, {"tcgen05.st", "", {}, decode_tensor_message, store}),
    needing(tensor_memory, {"tcgen05.wait::ld", "", {}, decode_tensor_order, wait_load}),
    needing(tensor_memory, {"tcgen05.wait::st", "", {}, decode_tensor_order, wait_store}),
    needing(tensor_memory,
            {"tcgen05.fence::before_thread_sync", "", {}, decode_tensor_order, fence<Fence::tensor_before>}),
    needing(tensor_memory,
            {"tcgen05.fence::after_thread_sync", "", {}, decode_tensor_order, fence<Fence::tensor_after>}),
    needing(tensor_memory, {"tcgen05.alloc", "", {}, decode_tensor_allocate, allocate_columns}),
    needing(tensor_memory, {"tcgen05.dealloc", "", {}, decode_tensor_free, free_columns}),
    needing(tensor_memory,
            {"tcgen05.relinquish_alloc_permit", "", {}, decode_tensor_relinquish, relinquish_permit}),
};

} // namespace

void land_stores(Warp& warp) {
    for (const Outstanding& store : warp.stores) {
        const Message& message = warp.kernel->messages[store.instruction->detail];
        const Row* values = warp.store_values.data() + store.values;
        warp.cta->tensor.store(message, store.footprint, {values, store.instruction->vector_count});
        for (const Rectangle& half : store.footprint.rectangles()) warp.cta->tensor.mark_written(half);
    }
    warp.stores.clear();
    warp.store_values.clear();
}

void deliver_load(Warp& warp, std::size_t index) {
    const Outstanding load = warp.loads[index];
    const Instruction& i = *load.instruction;
    const Message& message = warp.kernel->messages[i.detail];
    const auto count = static_cast<std::size_t>(message.registers());
    std::array<Row*, 128> registers{};
    for (std::size_t k = 0; k < count; ++k) registers[k] = warp.registers + warp.vector(i)[k];
    warp.cta->tensor.load(message, load.footprint, {registers.data(), count});
    if (message.reduction != nullptr)
        reduce(message, {registers.data(), count}, warp.registers[warp.vector(i)[count]]);
    mark_in_flight(warp, i, 0);
    warp.loads.erase(warp.loads.begin() + static_cast<std::ptrdiff_t>(index));
    warp.loads_in_flight = !warp.loads.empty();
}

std::optional<std::uint32_t> uniform_operand(Warp& warp, const Instruction& i, Mask mask, std::size_t operand,
                                             std::string_view what) {
    if (!whole_warp(warp, i, mask)) return std::nullopt;
    const auto& word = warp.registers[i.in[operand]].word;
    for (std::uint32_t lane = 1; lane < warp_size; ++lane) {
        if (word[lane] == word[0]) continue;
        raise(warp, i, {.thread = lane}, catalogue::lanes_differ, what, word[0], lane, word[lane]);
        return std::nullopt;
    }
    return word[0];
}

bool whole_warp(Warp& warp, const Instruction& i, Mask mask) {
    if (mask == all_lanes) return true;
    const auto thread = static_cast<std::uint32_t>(std::countr_one(mask));
    raise(warp, i, {.thread = thread}, catalogue::not_converged, thread, "has exited or was never started");
    return false;
}

std::span<const Opcode> tensor_rows() { return rows; }

} // namespace tmemc::emulator
