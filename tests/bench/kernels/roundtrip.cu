// roundtrip.tmx in CUDA C++: a row of N words for each thread, in accesses of 32 bytes where it has so many.
#include "tensor_memory.cuh"

TENSOR_MEMORY_MOVES("32x32b", NUM, N)

constexpr int columns = N < 32 ? 32 : N;
constexpr int width = N < 8 ? N : 8; // words of an access
struct alignas(4 * width) Access {
    uint32_t words[width];
};

extern "C" __global__ void __launch_bounds__(128) roundtrip(const Access* A, Access* B) {
    __shared__ uint32_t slot;
    uint32_t r[N];
    Access* words = reinterpret_cast<Access*>(r);
#pragma unroll
    for (int i = 0; i < N / width; ++i) words[i] = A[threadIdx.x * (N / width) + i];
    const uint32_t allocation = allocate<columns>(&slot), taddr = at_lanes(allocation);
    tmem_store(taddr, r);
    wait_store();
    tmem_load(r, taddr);
    wait_load();
#pragma unroll
    for (int i = 0; i < N / width; ++i) B[threadIdx.x * (N / width) + i] = words[i];
    release<columns>(allocation);
}
