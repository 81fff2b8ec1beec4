// Kernels twice: with the functions of the header, and with inline assembly written by hand. The first of a pair may have
// no instruction more than the second. Tensor memory belongs to whoever calls.
#include "tight.cuh"

#include "tensor_memory.cuh"

#include <cuda_bf16.h>

struct alignas(32) Access {
    uint32_t words[8];
};

namespace quads {
TENSOR_MEMORY_MOVES("16x256b", "x4", 16)
}
namespace rows {
TENSOR_MEMORY_MOVES("32x32b", "x64", 64)
}
namespace slices {
TENSOR_MEMORY_MOVES("32x32b", "x32", 32)
}

extern "C" __global__ void __launch_bounds__(128) load_header(uint32_t acc, float* out, float factor) {
    float x[32];
    load_chunk(acc, x);
#pragma unroll
    for (int i = 0; i < 32; ++i) out[threadIdx.x + 128 * i] = x[i] * factor;
}
extern "C" __global__ void __launch_bounds__(128) load_hand(uint32_t acc, float* out, float factor) {
    uint32_t x[2][16];
    quads::tmem_load(x[0], at_lanes(acc));
    quads::tmem_load(x[1], at_lanes(acc) + (16 << 16));
    wait_load();
#pragma unroll
    for (int i = 0; i < 32; ++i) out[threadIdx.x + 128 * i] = __uint_as_float(x[i / 16][i % 16]) * factor;
}

extern "C" __global__ void __launch_bounds__(128) store_header(uint32_t acc, const Access* in, float factor) {
    float x[64];
#pragma unroll
    for (int i = 0; i < 8; ++i) *reinterpret_cast<Access*>(&x[8 * i]) = in[threadIdx.x * 8 + i];
#pragma unroll
    for (int i = 0; i < 64; ++i) x[i] *= factor;
    store_chunk(acc, x);
}
extern "C" __global__ void __launch_bounds__(128) store_hand(uint32_t acc, const Access* in, float factor) {
    uint32_t x[64];
#pragma unroll
    for (int i = 0; i < 8; ++i) *reinterpret_cast<Access*>(&x[8 * i]) = in[threadIdx.x * 8 + i];
#pragma unroll
    for (int i = 0; i < 64; ++i) x[i] = __float_as_uint(__uint_as_float(x[i]) * factor);
    rows::tmem_store(at_lanes(acc), x);
    wait_store();
}

__device__ __forceinline__ void by_hand(uint32_t acc, Access* C, float scale, float shift) {
    C += threadIdx.x * 16;
#pragma unroll
    for (int c = 0; c < 8; ++c) {
        uint32_t r[32], narrow[16];
        slices::tmem_load(r, at_lanes(acc) + 32 * c);
        wait_load();
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const float2 x = make_float2(__uint_as_float(r[2 * i]), __uint_as_float(r[2 * i + 1]));
            const __nv_bfloat162 y =
                __float22bfloat162_rn(__ffma2_rn(x, make_float2(scale, scale), make_float2(shift, shift)));
            narrow[i] = *reinterpret_cast<const uint32_t*>(&y);
        }
#pragma unroll
        for (int i = 0; i < 2; ++i) C[2 * c + i] = *reinterpret_cast<Access*>(&narrow[8 * i]);
    }
}
extern "C" __global__ void __launch_bounds__(128) epilogue_header(uint32_t acc, __nv_bfloat16* C, float scale, float shift) {
    store_scaled(acc, C, scale, shift);
}
extern "C" __global__ void __launch_bounds__(128) epilogue_hand(uint32_t acc, Access* C, float scale, float shift) {
    by_hand(acc, C, scale, shift);
}

/// Two in one kernel, of the upper warpgroup, at addresses known only then.
extern "C" __global__ void __launch_bounds__(256) two_header(uint32_t acc, __nv_bfloat16* C, float scale, int tiles) {
    if (threadIdx.x < 128) return;
#pragma unroll 1
    for (int t = 0; t < tiles; ++t) {
        store_scaled(acc, C + t * 65536, scale, 1.0f);
        store_scaled(acc + 256, C + t * 65536 + 32768, scale, 2.0f);
    }
}
extern "C" __global__ void __launch_bounds__(256) two_hand(uint32_t acc, Access* C, float scale, int tiles) {
    if (threadIdx.x < 128) return;
    C -= 128 * 16;
#pragma unroll 1
    for (int t = 0; t < tiles; ++t) {
        by_hand(acc, C + t * 4096, scale, 1.0f);
        by_hand(acc + 256, C + t * 4096 + 2048, scale, 2.0f);
    }
}
