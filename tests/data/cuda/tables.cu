// Module variables with initialisers: constant and global tables, bytes, floats, structs with addresses of other
// variables, and an uninitialised one that a kernel writes and another reads.
struct Entry {
    const int* values;
    short count;
    float weight;
};
__constant__ int primes[10] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
__constant__ float halves[2][3] = {{0.5f, 1.5f, 2.5f}, {-0.5f, -1.5f, 1e-20f}};
__device__ int squares[6] = {0, 1, 4, 9, 16, 25};
__device__ const unsigned char letters[] = "Tensor memory";
__device__ double third = 1.0 / 3;
__constant__ Entry entries[3] = {{squares, 6, 0.25f}, {squares + 2, 3, 2}, {&squares[5], 1, -1}};
__device__ int scratch[64];
__device__ long long total = -5;

extern "C" __global__ void look_up(const int* in, float* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const Entry& entry = entries[in[i] % 3];
    float sum = primes[in[i] % 10] + halves[i % 2][in[i] % 3] + letters[i % 13] + static_cast<float>(third);
    for (int k = 0; k < entry.count; ++k) sum += entry.weight * entry.values[k];
    out[i] = sum;
}
extern "C" __global__ void remember(const int* in, int* out, int n) {
    if (threadIdx.x < n) scratch[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n) out[threadIdx.x] = scratch[n - 1 - threadIdx.x];
    if (threadIdx.x == 0) total += n;
}
extern "C" __global__ void recall(const int*, long long* out, int n) {
    if (threadIdx.x == 0) out[0] = total;
    if (threadIdx.x < n) out[1 + threadIdx.x] = scratch[threadIdx.x];
}
