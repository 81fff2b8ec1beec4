// Packed f16: two halves per register, one per cell; x and y change places in registers between store and load.
#include "tensor.cuh"
#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128) packed_f16(const __half2* in, __half2* out) {
    __shared__ uint32_t slot;
    const uint32_t base = tensor_begin(&slot, 32), mine = warp_lanes(base);
    uint32_t r[4], s[4];
    for (int k = 0; k < 4; ++k) {
        const __half2 twice = __hadd2(in[threadIdx.x * 4 + k], in[threadIdx.x * 4 + k]);
        r[k] = *reinterpret_cast<const uint32_t*>(&twice);
    }
    asm volatile("tcgen05.st.sync.aligned.32x32b.x4.unpack::16b.b32 [%0], {%1, %2, %3, %4};" ::"r"(mine), "r"(r[0]),
                 "r"(r[1]), "r"(r[2]), "r"(r[3]));
    wait_store();
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.pack::16b.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3])
                 : "r"(mine));
    wait_load();
    for (int k = 0; k < 4; ++k)
        out[threadIdx.x * 4 + k] = __hfma2(__lowhigh2highlow(*reinterpret_cast<__half2*>(&s[k])),
                                           __floats2half2_rn(0.5f, 0.25f), __float2half2_rn(1.0f));
    tensor_end(base, 32);
}
