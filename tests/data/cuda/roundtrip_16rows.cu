// The shapes of 16 rows. Each warp stores its 32 lanes as two slabs of 16 with one shape and loads them with the same;
// the 16x256b registers go out as they are, so the reader of the result knows the fragment.
#include "tensor.cuh"

extern "C" __global__ void __launch_bounds__(128) roundtrip_16rows(const uint32_t* in, uint32_t* out) {
    __shared__ uint32_t slot;
    const uint32_t base = tensor_begin(&slot, 32), mine = warp_lanes(base);
    const uint32_t* from = in + threadIdx.x * 16;
    uint32_t* to = out + threadIdx.x * 16;
    for (int half = 0; half < 2; ++half) {
        const uint32_t slab = mine + (half * 16 << 16);
        asm volatile("tcgen05.st.sync.aligned.16x256b.x1.b32 [%0], {%1, %2, %3, %4};" ::"r"(slab), "r"(from[half * 8]),
                     "r"(from[half * 8 + 1]), "r"(from[half * 8 + 2]), "r"(from[half * 8 + 3]));
        asm volatile("tcgen05.st.sync.aligned.16x128b.x2.b32 [%0], {%1, %2, %3, %4};" ::"r"(slab + 8),
                     "r"(from[half * 8 + 4]), "r"(from[half * 8 + 5]), "r"(from[half * 8 + 6]), "r"(from[half * 8 + 7]));
    }
    wait_store();
    for (int half = 0; half < 2; ++half) {
        const uint32_t slab = mine + (half * 16 << 16);
        uint32_t a, b, c, d;
        asm volatile("tcgen05.ld.sync.aligned.16x256b.x1.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(slab));
        uint32_t e, f, g, h;
        asm volatile("tcgen05.ld.sync.aligned.16x128b.x2.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(e), "=r"(f), "=r"(g), "=r"(h)
                     : "r"(slab + 8));
        wait_load();
        const uint32_t all[8] = {a, b, c, d, e, f, g, h};
        for (int k = 0; k < 8; ++k) to[half * 8 + k] = all[k];
    }
    tensor_end(base, 32);
}

// Through another shape: what 16x64b stores, 32x32b reads, so a register meets another thread.
extern "C" __global__ void __launch_bounds__(128) reshape_16x64b(const uint32_t* in, uint32_t* out) {
    __shared__ uint32_t slot;
    const uint32_t base = tensor_begin(&slot, 32), mine = warp_lanes(base);
    for (int half = 0; half < 2; ++half) {
        const uint32_t* from = in + threadIdx.x * 8 + half * 4;
        asm volatile("tcgen05.st.sync.aligned.16x64b.x4.b32 [%0], {%1, %2, %3, %4};" ::"r"(mine + (half * 16 << 16)),
                     "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3]));
    }
    wait_store();
    uint32_t r[8];
    load_x8(r, mine);
    wait_load();
    for (int k = 0; k < 8; ++k) out[threadIdx.x * 8 + k] = r[k];
    tensor_end(base, 32);
}
