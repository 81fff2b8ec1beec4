// Sums: by shuffles inside a warp, through shared memory between warps, by an atomic between CTAs; and a prefix sum.
extern "C" __global__ void reduce_shfl(const float* in, float* out, int n) {
    __shared__ float part[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
        if (threadIdx.x == 0) atomicAdd(out, sum);
    }
}

extern "C" __global__ void scan_shfl(const int* in, int* out, int n) {
    const int lane = threadIdx.x % 32;
    int value = threadIdx.x < n ? in[threadIdx.x] : 0;
    for (int offset = 1; offset < 32; offset *= 2) {
        const int below = __shfl_up_sync(0xffffffff, value, offset);
        if (lane >= offset) value += below;
    }
    const unsigned odd = __ballot_sync(0xffffffff, value % 2 != 0);
    if (threadIdx.x < n) out[threadIdx.x] = value * 100 + __popc(odd);
}
