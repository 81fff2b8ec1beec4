// Addresses of a warp to places in the machine's memory. For each lane the access is checked: aligned to its
// size, inside one allocation, and, when it reads, written before; a store marks its bytes as written.
//
//     generic addresses: shared memory appears at shared_window, everything else is global memory
//
// Source: PTX ISA 5.1 (state spaces), 6.4 (addresses).
#pragma once

#include "emulator/warp.hpp"

namespace tmemc::emulator {

inline constexpr std::uint64_t shared_window =
    0x7000'0000'0000; // generic address of the first byte of shared memory

enum class Access : std::uint8_t { load, store };

/// Where the lanes of the mask access `bytes` bytes each goes: sets warp.address; false when a fault was
/// raised. The address is in[0] + immediate.
using Resolve = bool (*)(Warp& warp, const Instruction& instruction, Mask mask, std::uint32_t bytes,
                         Access access);

bool resolve_global(Warp&, const Instruction&, Mask, std::uint32_t bytes, Access);
bool resolve_shared(Warp&, const Instruction&, Mask, std::uint32_t bytes, Access);
bool resolve_generic(Warp&, const Instruction&, Mask, std::uint32_t bytes, Access);
bool resolve_parameter(Warp&, const Instruction&, Mask, std::uint32_t bytes, Access);

} // namespace tmemc::emulator
