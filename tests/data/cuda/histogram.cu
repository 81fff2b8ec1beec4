// A histogram of bytes: shared atomics in the CTA, global ones between CTAs.
extern "C" __global__ void histogram(const unsigned char* in, unsigned* out, int n) {
    __shared__ unsigned bins[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (bins[b] != 0) atomicAdd(&out[b], bins[b]);
}
