// Epilogues of a 128 x 64 accumulator: scale, add, round to bf16 or f16, in a loop or unrolled.
#include "tensor.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ __forceinline__ uint32_t rounded(float low, float high, __nv_bfloat16) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const uint32_t*>(&pair);
}
__device__ __forceinline__ uint32_t rounded(float low, float high, __half) {
    const __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<const uint32_t*>(&pair);
}

template <class Out, int unroll>
__device__ __forceinline__ void epilogue(const float* in, uint4* out, float scale, float bias) {
    __shared__ uint32_t slot;
    const uint32_t base = tensor_begin(&slot, 64), mine = warp_lanes(base);
#pragma unroll 1
    for (int c = 0; c < 64; c += 8) { // what a matrix product would have left
        uint32_t r[8];
        for (int k = 0; k < 8; ++k) r[k] = __float_as_uint(in[threadIdx.x * 64 + c + k]);
        store_x8(mine + c, r);
    }
    wait_store();
#pragma unroll unroll
    for (int c = 0; c < 64; c += 8) {
        uint32_t r[8];
        load_x8(r, mine + c);
        wait_load();
        float x[8];
        for (int k = 0; k < 8; ++k) x[k] = fmaf(__uint_as_float(r[k]), scale, bias);
        out[threadIdx.x * 8 + c / 8] = make_uint4(rounded(x[0], x[1], Out()), rounded(x[2], x[3], Out()),
                                                  rounded(x[4], x[5], Out()), rounded(x[6], x[7], Out()));
    }
    tensor_end(base, 64);
}

#define EPILOGUE(name, type, unroll)                                                                        \
    extern "C" __global__ void __launch_bounds__(128) name(const float* in, uint4* out, float scale, float bias) { \
        epilogue<type, unroll>(in, out, scale, bias);                                                       \
    }
EPILOGUE(bf16_rolled, __nv_bfloat16, 1)
EPILOGUE(bf16_unrolled, __nv_bfloat16, 8)
EPILOGUE(f16_rolled, __half, 1)
EPILOGUE(f16_unrolled, __half, 8)
