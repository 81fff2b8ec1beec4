// Two in one kernel: the tile goes out as bf16, and what is left of it after clipping is added up by the kernel itself,
// which asks the header where each of its elements lies.
//
//     tmemc examples/embed/epilogue.tmx --emit=cuda
//     nvcc -arch=sm_100a -I. -c examples/embed/two_epilogues.cu
#include "epilogue.cuh"
#include "tensor_memory.cuh"

extern "C" __global__ void __launch_bounds__(128) two_epilogues(const float* A, __nv_bfloat16* C, float* column_sums, float scale) {
    if constexpr (store_scaled_supported && load_clipped_supported) {
        __shared__ std::uint32_t slot;
        const std::uint32_t acc = allocate<load_clipped_acc_columns>(&slot);
        fill<load_clipped_acc_columns>(acc, A);
        store_scaled(acc, C, scale);

        float x[load_clipped_X_registers];
        load_clipped(acc, x);
        for (int i = 0; i < load_clipped_X_elements; ++i)
            atomicAdd(&column_sums[load_clipped_X_col(static_cast<int>(threadIdx.x), i)], x[i]);
        release<load_clipped_acc_columns>(acc);
    }
}
