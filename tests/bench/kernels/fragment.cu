// fragment_*.tmx in CUDA C++: a tile of ROWS x W words spread as 16xNb messages of LENGTH registers leave it (ATOM is N).
// Each thread loads its words one by one, of 16x256b two by two, whose neighbours it owns.
#include "tensor_memory.cuh"

#define STRING_(x) #x
#define STRING(x) STRING_(x)
TENSOR_MEMORY_MOVES("16x" STRING(ATOM) "b", NUM, LENGTH)

constexpr int columns = W < 32 ? 32 : W, width = ATOM == 256 ? 2 : 1, slabs = ROWS / 64;
struct alignas(4 * width) Access {
    uint32_t words[width];
};

/// Where register r of lane l is, in words from the warp's first.
static __device__ __forceinline__ int place(int l, int r) {
    if (ATOM == 64) return (l / 4 + l % 2 * 8) * W + 2 * r + l / 2 % 2;
    if (ATOM == 128) return (l / 4 + r % 2 * 8) * W + r / 2 * 4 + l % 4;
    return (l / 4 + r / 2 % 2 * 8) * W + r / 4 * 8 + l % 4 * 2;
}

extern "C" __global__ void __launch_bounds__(128) fragment(const uint32_t* A, uint32_t* B) {
    __shared__ uint32_t slot;
    uint32_t r[slabs][LENGTH];
    const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * 16 * slabs * W + place(lane, 0);
#pragma unroll
    for (int slab = 0; slab < slabs; ++slab)
#pragma unroll
        for (int i = 0; i < LENGTH; i += width)
            *reinterpret_cast<Access*>(&r[slab][i]) =
                *reinterpret_cast<const Access*>(A + first + slab * 16 * W + place(0, i));
    const uint32_t allocation = allocate<columns>(&slot), taddr = at_lanes(allocation);
#pragma unroll
    for (int slab = 0; slab < slabs; ++slab) tmem_store(taddr + (slab << 20), r[slab]);
    wait_store();
#pragma unroll
    for (int slab = 0; slab < slabs; ++slab) tmem_load(r[slab], taddr + (slab << 20));
    wait_load();
#pragma unroll
    for (int slab = 0; slab < slabs; ++slab)
#pragma unroll
        for (int i = 0; i < LENGTH; i += width)
            *reinterpret_cast<Access*>(B + first + slab * 16 * W + place(0, i)) =
                *reinterpret_cast<Access*>(&r[slab][i]);
    release<columns>(allocation);
}
