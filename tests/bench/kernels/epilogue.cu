// epilogue.tmx in CUDA C++, 32 columns at a time; UNROLL is 8 for straight code and 1 for a loop. Two elements are computed
// at once (__ffma2_rn), accesses are 32 bytes wide.
#include "tensor_memory.cuh"

#include <cuda_bf16.h>

TENSOR_MEMORY_MOVES("32x32b", "x32", 32)

constexpr int unroll = UNROLL;
struct alignas(32) Access {
    uint32_t words[8];
};

extern "C" __global__ void __launch_bounds__(128) epilogue(const Access* A, Access* B, float scale, float bias) {
    __shared__ uint32_t slot;
    const uint32_t allocation = allocate<256>(&slot), taddr = at_lanes(allocation);
    A += threadIdx.x * 32;
    B += threadIdx.x * 16;
#pragma unroll unroll
    for (int c = 0; c < 8; ++c) {
        uint32_t r[32];
#pragma unroll
        for (int i = 0; i < 4; ++i) *reinterpret_cast<Access*>(&r[8 * i]) = A[4 * c + i];
        tmem_store(taddr + 32 * c, r);
    }
    wait_store();
#pragma unroll unroll
    for (int c = 0; c < 8; ++c) {
        uint32_t r[32], narrow[16];
        tmem_load(r, taddr + 32 * c);
        wait_load();
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const float2 x = make_float2(__uint_as_float(r[2 * i]), __uint_as_float(r[2 * i + 1]));
            const __nv_bfloat162 y =
                __float22bfloat162_rn(__ffma2_rn(x, make_float2(scale, scale), make_float2(bias, bias)));
            narrow[i] = *reinterpret_cast<const uint32_t*>(&y);
        }
#pragma unroll
        for (int i = 0; i < 2; ++i) B[2 * c + i] = *reinterpret_cast<Access*>(&narrow[8 * i]);
    }
    release<256>(allocation);
}
