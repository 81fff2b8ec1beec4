// What the kernels of this folder do with tensor memory themselves. A real kernel fills it with tcgen05.mma; these store a
// tile row by row, which needs no tensor cores and runs on the emulator.
#pragma once

#include <cstdint>

/// Warp 0 allocates the columns; every thread of the CTA gets their address.
template <int columns>
__device__ std::uint32_t allocate(std::uint32_t* slot) {
    const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(slot));
    if (threadIdx.x < 32) {
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(at), "n"(columns) : "memory");
        asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::: "memory");
    }
    __syncthreads();
    return *slot;
}

template <int columns>
__device__ void release(std::uint32_t allocation) {
    __syncthreads();
    if (threadIdx.x < 32)
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(allocation), "n"(columns));
}

/// Row t of the tile to lane t: four columns at a time, and a wait until they are there.
template <int columns>
__device__ void fill(std::uint32_t allocation, const float* tile) {
    const std::uint32_t lane = threadIdx.x % 128, address = allocation + ((lane & 96) << 16);
    for (std::uint32_t c = 0; c < columns; c += 4) {
        const float* x = tile + lane * columns + c;
        asm volatile("tcgen05.st.sync.aligned.32x32b.x4.b32 [%0], {%1, %2, %3, %4};" ::"r"(address + c), "f"(x[0]), "f"(x[1]),
                     "f"(x[2]), "f"(x[3])
                     : "memory");
    }
    asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
}
