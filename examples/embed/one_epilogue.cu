// One epilogue, by the warps that need not wait for the tensor cores: of two warpgroups, the second stores the tile.
//
//     tmemc examples/embed/epilogue.tmx --emit=cuda
//     nvcc -arch=sm_100a -I. -c examples/embed/one_epilogue.cu
#include "epilogue.cuh"
#include "tensor_memory.cuh"

extern "C" __global__ void __launch_bounds__(256) one_epilogue(const float* A, __nv_bfloat16* C, float scale) {
    __shared__ std::uint32_t slot;
    const std::uint32_t acc = allocate<store_scaled_acc_columns>(&slot);
    if (threadIdx.x >= 128) {
        fill<store_scaled_acc_columns>(acc, A);
        store_scaled(acc, C, scale);
    }
    release<store_scaled_acc_columns>(acc);
}
