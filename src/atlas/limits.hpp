// Sizes of tensor memory and of the register file, each with its source. Those that bound a map (128 lanes,
// 512 columns, 128 threads) are layout's and only named here; those of a message are its shape's
// (shapes.hpp).
#pragma once

#include "layout/tile_map.hpp"

namespace tmemc::atlas {

inline constexpr int lanes = layout::max_lanes;     // PTX ISA 9.7.16.1: tensor memory of a CTA
inline constexpr int columns = layout::max_columns; // the same
inline constexpr int lanes_per_warp = 32;           // 9.7.16.2: warp w reaches lanes 32*(w mod 4)..+31
inline constexpr int warps_per_group = 4;           // a warpgroup reaches all lanes
inline constexpr int min_allocation = 32;           // 9.7.16.7.1: nCols is a power of two from 32 to 512
inline constexpr int placement_granule = 4;         // language reference, "Tensor memory"
inline constexpr int warpgroup_threads = layout::max_threads;
inline constexpr int max_registers = 255;   // per thread; a fragment may have more, and then spills
inline constexpr int message_headroom = 18; // ptxas C7602: n >= 8 registers at once need a cap of n + 18
inline constexpr int register_granule = 8;  // they are given to threads in eights
// What a thread holds beside its fragments: in kernels of one or two, at 128, 512 and 1024 threads, `ptxas
// -arch=sm_100a -v` 13.0 spills nothing while these fit; but at 128 threads with four tensors it sometimes
// spills 8 bytes well below the cap, from 207 registers in the family measured; why was not looked into.
inline constexpr int thread_registers = 4;  // tensor-memory address, thread, predicates kept in registers
inline constexpr int pointer_registers = 2; // of each tensor parameter
inline constexpr int static_shared_bytes = 48 * 1024; // of a CTA: what every target has for variables
inline constexpr int register_file = 65536;           // 32-bit registers of an SM

/// Registers a thread may have when a CTA has `threads` threads: the register file shared out, rounded down
/// to a multiple of 8, at most 255.
[[nodiscard]] constexpr int register_cap(int threads) {
    int share = register_file / threads / register_granule * register_granule;
    return share < max_registers ? share : max_registers;
}

} // namespace tmemc::atlas
