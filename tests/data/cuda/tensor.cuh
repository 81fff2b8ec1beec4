// Tensor memory by inline assembly: an allocation that lives as long as the CTA, waits, and the address of a warp's
// lanes. Warp 0 allocates; its slot is static shared memory.
#pragma once
#include <cstdint>

__device__ __forceinline__ std::uint32_t tensor_begin(std::uint32_t* slot, std::uint32_t columns) {
    const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(slot));
    if (threadIdx.x < 32) {
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(at), "r"(columns) : "memory");
        asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::: "memory");
    }
    __syncthreads();
    return *reinterpret_cast<volatile std::uint32_t*>(slot);
}
__device__ __forceinline__ void tensor_end(std::uint32_t base, std::uint32_t columns) {
    __syncthreads();
    if (threadIdx.x < 32)
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(base), "r"(columns));
}
/// The address of the first lane that this warp reaches.
__device__ __forceinline__ std::uint32_t warp_lanes(std::uint32_t base) {
    return base + ((threadIdx.x / 32 % 4 * 32) << 16);
}
__device__ __forceinline__ void wait_load() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wait_store() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }

__device__ __forceinline__ void store_x8(std::uint32_t at, const std::uint32_t (&r)[8]) {
    asm volatile("tcgen05.st.sync.aligned.32x32b.x8.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};" ::"r"(at), "r"(r[0]),
                 "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]));
}
__device__ __forceinline__ void load_x8(std::uint32_t (&r)[8], std::uint32_t at) {
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
                 : "r"(at));
}
