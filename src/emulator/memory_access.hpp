// Addresses of a warp to places in the machine's memory. For each lane an access is checked: aligned to its
// size, inside its allocation, and, when it reads, written before; a store marks its bytes as written.
//
//     generic addresses: windows of 2^40 bytes from shared_window on are shared, local, constant and
//     parameter memory; everything else is global memory
//
//     ld.global.v2.b32 {%r0, %r1}, [%d0+8];      resolve(): 8 bytes per lane at %d0 + 8 -> warp.address
//
// Every access of a space goes through resolve(), which tells the observers of it. CTAs may run on several
// threads of the host: what they share is read and written by the relaxed accesses below, so a program's data
// race gives old or new values, as on hardware, and is none in the machine. Source: PTX ISA 5.1 (state
// spaces), 6.4 (addresses), 8.2 (scalars of a vector access). Not here: atomic operations (atomics.hpp).
#pragma once

#include "emulator/warp.hpp"

#include <cstring>

namespace tmemc::emulator {

inline constexpr std::uint64_t window_bytes = std::uint64_t{1} << 40;
inline constexpr std::uint64_t shared_window = 0x7000'0000'0000; // generic address of its first byte
inline constexpr std::uint64_t local_window = shared_window + window_bytes;
inline constexpr std::uint64_t constant_window = local_window + window_bytes;
inline constexpr std::uint64_t parameter_window = constant_window + window_bytes;

/// A space that is not generic: its word in messages, and its window; global memory has none.
struct SpaceRow {
    Space space{};
    const char* word = nullptr;
    std::uint64_t window = 0;
};
inline constexpr SpaceRow spaces[] = {{Space::global, "global", 0},
                                      {Space::shared, "shared", shared_window},
                                      {Space::local, "local", local_window},
                                      {Space::constant, "const", constant_window},
                                      {Space::parameter, "param", parameter_window}};
/// The one in which a generic address lies.
[[nodiscard]] const SpaceRow& space_at(std::uint64_t generic_address);
[[nodiscard]] const SpaceRow& space_row(Space space); // not of generic

/// Where the lanes of the mask access `bytes` bytes each goes: a power of two up to 32. The addresses are
/// in[0] + immediate in the instruction's space. Sets warp.address; false when a fault was raised.
bool resolve(Warp& warp, const Instruction& instruction, Mask mask, std::uint32_t bytes, Access access);
/// The same for addresses that are given.
bool resolve(Warp& warp, const Instruction& instruction, Mask mask, std::uint32_t bytes, Access access,
             Space space, const Addresses& addresses);
/// Sets warp.address for bytes of shared memory that are written later; marks nothing as written.
bool resolve_place(Warp& warp, const Instruction& instruction, Mask mask, std::uint32_t bytes, Space space,
                   const Addresses& addresses);
/// Sets warp.address for bytes of global memory that are read, at addresses aligned for more than these.
bool resolve_source(Warp& warp, const Instruction& instruction, Mask mask, std::uint32_t bytes,
                    std::uint32_t align, const Addresses& addresses);
/// in[0] + immediate in every lane; and the same of another operand.
[[nodiscard]] Addresses addresses_of(const Warp& warp, const Instruction& instruction);
[[nodiscard]] Addresses addresses_of(const Warp& warp, Slot base, bool wide, std::int64_t offset);

/// A value of 1 to 8 bytes at an aligned place that other threads may access at the same time.
template <class T>
T load_relaxed(const std::byte* at) {
    using Aliased [[gnu::may_alias]] = T;
    return __atomic_load_n(reinterpret_cast<const Aliased*>(at), __ATOMIC_RELAXED);
}
template <class T>
void store_relaxed(std::byte* at, T value) {
    using Aliased [[gnu::may_alias]] = T;
    __atomic_store_n(reinterpret_cast<Aliased*>(at), value, __ATOMIC_RELAXED);
}

} // namespace tmemc::emulator
