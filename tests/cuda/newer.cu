#include "newer.cuh"

extern "C" __global__ void k(uint32_t acc, float* out) {
    float m[1], x[64];
    maxima(acc, m, x);
    out[threadIdx.x] = m[0] + x[3];
}
