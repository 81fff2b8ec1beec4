// One epilogue, by the warps that need not wait for the tensor cores: of two warpgroups, the second stores the tile.
//
//     tmemc examples/embed/epilogue.tmx --emit=cuda
//     nvcc -arch=sm_100a -I. -c examples/embed/one_epilogue.cu
//
// nvcc 13 makes code for plain sm_100 as well then, which has no tensor memory: there the kernel is empty.
#include "epilogue.cuh"
#include "tensor_memory.cuh"

extern "C" __global__ void __launch_bounds__(256) one_epilogue(const float* A, __nv_bfloat16* C, float scale) {
    if constexpr (store_scaled_supported) {
        __shared__ std::uint32_t slot;
        const std::uint32_t acc = allocate<store_scaled_acc_columns>(&slot);
        if (threadIdx.x >= 128) {
            fill<store_scaled_acc_columns>(acc, A);
            store_scaled(acc, C, scale);
        }
        release<store_scaled_acc_columns>(acc);
    }
}
