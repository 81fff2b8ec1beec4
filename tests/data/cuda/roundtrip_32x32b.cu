// A round trip through tensor memory: eight columns at a time, in a loop over 64. 128 threads, a row of `in` each.
#include "tensor.cuh"

extern "C" __global__ void __launch_bounds__(128) roundtrip_32x32b(const uint32_t* in, uint32_t* out) {
    __shared__ uint32_t slot;
    const uint32_t base = tensor_begin(&slot, 64), mine = warp_lanes(base);
    for (int c = 0; c < 64; c += 8) {
        uint32_t r[8];
        for (int k = 0; k < 8; ++k) r[k] = in[threadIdx.x * 64 + c + k];
        store_x8(mine + c, r);
    }
    wait_store();
    for (int c = 0; c < 64; c += 8) {
        uint32_t r[8];
        load_x8(r, mine + c);
        wait_load();
        for (int k = 0; k < 8; ++k) out[threadIdx.x * 64 + c + k] = r[k];
    }
    tensor_end(base, 64);
}
