// Compiled for targets with tensor memory and without, twice into one program (KERNEL is another name then).
#include "small.cuh"
#include "small_too.cuh"
#include "small.cuh"

__global__ void KERNEL(uint32_t acc, float* out, __nv_bfloat16* C, float scale) {
    if (load_chunk_supported) {
        float x[32];
        load_chunk(acc, x);
        for (int i = 0; i < load_chunk_X_elements; ++i)
            out[load_chunk_X_row(static_cast<int>(threadIdx.x), i) * 32 + load_chunk_X_col(static_cast<int>(threadIdx.x), i)] = x[i];
        store_scaled(acc, C, scale);
        too::my_store_scaled(acc, C, scale);
    } else {
        uint32_t words[32];
        too::my_load_chunk(acc, words); // traps
    }
}
static_assert(load_chunk_X_registers == 32 && load_chunk_acc_columns == 32, "");
#ifdef MAIN
int main() { return load_chunk_X_row(0, 0) + too::my_store_scaled_shared_bytes; }
#endif
