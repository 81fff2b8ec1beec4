// ld and st. An access is resolved to a place per lane first; then the elements are copied, extended to the
// width of their register when that is wider:
//
//     ld.global.v2.s8 {%r0, _}, [%d0];      two bytes per lane; the first, with its sign, to %r0
//
// Source: PTX ISA 9.7.9 (ld, ld.global.nc, ldu, st). Not here: the words of their names (decode_memory.cpp),
// addresses (memory_access.cpp).
#include "emulator/decode.hpp"
#include "emulator/lanes.hpp"
#include "emulator/memory_access.hpp"
#include "emulator/memory_types.hpp"

#include <algorithm>
#include <atomic>

namespace tmemc::emulator {

namespace {

using namespace TMEMC_LEVEL;

// Between an ordered access and all others of this thread of the host.
void order(const Instruction& i) {
    if (i.ordered) std::atomic_thread_fence(std::memory_order_seq_cst);
}

/// Between the registers' marks and those of the bytes in the frame. A register is written when one of its
/// bytes is: which of them matter nobody knows.
template <bool loads>
void move_marks(Warp& warp, const Instruction& i, Mask mask, std::size_t bytes) {
    const bool strict = warp.cta->run->limits.uninitialised_is_fault;
    for (std::size_t k = 0; k < i.vector_count; ++k) {
        const Slot slot = warp.vector(i)[k];
        if (slot == nowhere) continue;
        Mask written = 0;
        for (std::size_t lane = 0; lane < warp_size; ++lane) {
            if ((mask >> lane & 1) == 0) continue;
            GlobalMemory::Block& local = warp.local[lane];
            std::uint8_t* marks =
                local.written.data() + (warp.address[lane] - local.bytes.data()) + k * bytes;
            if (!loads)
                std::fill_n(marks, bytes, static_cast<std::uint8_t>(warp.ready[slot] >> lane & 1));
            else if (!strict || std::find(marks, marks + bytes, std::uint8_t{1}) != marks + bytes)
                written |= Mask{1} << lane;
        }
        if (loads) warp.ready[slot] = (warp.ready[slot] & ~mask) | written;
    }
}

template <class T, class Register>
void load(Warp& warp, const Instruction& i, Mask mask) {
    const std::size_t count = i.vector_count;
    if (!resolve(warp, i, mask, static_cast<std::uint32_t>(sizeof(T) * count), Access::load)) return;
    const auto address = warp.address;
    for (std::size_t k = 0; k < count; ++k) {
        const Slot slot = warp.vector(i)[k];
        if (slot == nowhere) continue;
        const Destination<Register> out(warp, slot);
        each_lane(mask, [&](int lane) {
            const T value = load_relaxed<T>(address[static_cast<std::size_t>(lane)] + k * sizeof(T));
            out.set(lane, static_cast<Register>(value));
        });
    }
    if (i.moves) move_marks<true>(warp, i, mask, sizeof(T));
    order(i);
}

template <class T, class Register>
void store(Warp& warp, const Instruction& i, Mask mask) {
    const std::size_t count = i.vector_count;
    order(i);
    if (!resolve(warp, i, mask, static_cast<std::uint32_t>(sizeof(T) * count), Access::store)) return;
    const auto address = warp.address;
    for (std::size_t k = 0; k < count; ++k) {
        const Slot slot = warp.vector(i)[k];
        if (slot == nowhere) continue;
        const Source<Register> in(warp, slot);
        each_lane(mask, [&](int lane) {
            store_relaxed(address[static_cast<std::size_t>(lane)] + k * sizeof(T), static_cast<T>(in[lane]));
        });
    }
    if (i.moves) move_marks<false>(warp, i, mask, sizeof(T));
    order(i);
}

// A register of 128 bits is 32 pairs of doublewords.
std::byte* pair_at(const Warp& warp, Slot slot, int lane) {
    return reinterpret_cast<std::byte*>(warp.registers + slot) + std::ptrdiff_t{16} * lane;
}
void copy_pair(std::byte* to, const std::byte* from) {
    store_relaxed(to, load_relaxed<std::uint64_t>(from));
    store_relaxed(to + 8, load_relaxed<std::uint64_t>(from + 8));
}
void load_pair(Warp& warp, const Instruction& i, Mask mask) {
    if (!resolve(warp, i, mask, 16, Access::load)) return;
    each_lane(mask, [&](int lane) {
        copy_pair(pair_at(warp, warp.vector(i)[0], lane), warp.address[static_cast<std::size_t>(lane)]);
    });
    order(i);
}
void store_pair(Warp& warp, const Instruction& i, Mask mask) {
    order(i);
    if (!resolve(warp, i, mask, 16, Access::store)) return;
    each_lane(mask, [&](int lane) {
        copy_pair(warp.address[static_cast<std::size_t>(lane)], pair_at(warp, warp.vector(i)[0], lane));
    });
    order(i);
}

template <class T, class Register>
constexpr MemoryOperations operations{load<T, Register>, store<T, Register>};
template <class T>
constexpr MemoryType memory_type(std::string_view name) {
    if constexpr (sizeof(T) == 8)
        return {name, 8 * sizeof(T), {}, operations<T, std::uint64_t>};
    else
        return {name, 8 * sizeof(T), operations<T, std::uint32_t>, operations<T, std::uint64_t>};
}

constexpr MemoryType types[] = {
    memory_type<std::uint8_t>("b8"),
    memory_type<std::uint8_t>("u8"),
    memory_type<std::int8_t>("s8"),
    memory_type<std::uint16_t>("b16"),
    memory_type<std::uint16_t>("u16"),
    memory_type<std::int16_t>("s16"),
    memory_type<std::uint32_t>("b32"),
    memory_type<std::uint32_t>("u32"),
    memory_type<std::int32_t>("s32"),
    memory_type<std::uint32_t>("f32"),
    memory_type<std::uint64_t>("b64"),
    memory_type<std::uint64_t>("u64"),
    memory_type<std::int64_t>("s64"),
    memory_type<std::uint64_t>("f64"),
    {"b128", 128, {}, {load_pair, store_pair}},
};

constexpr Opcode rows[] = {
    {"ld", "", {}, decode_load, nullptr},
    {"ldu", "", {}, decode_load, nullptr},
    {"st", "", {}, decode_store, nullptr},
};

} // namespace

const MemoryType* memory_type_named(std::string_view name) {
    const auto* type =
        std::find_if(std::begin(types), std::end(types), [&](auto& t) { return t.name == name; });
    return type == std::end(types) ? nullptr : type;
}

std::span<const Opcode> memory_rows() { return rows; }

} // namespace tmemc::emulator
