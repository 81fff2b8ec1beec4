// Where the elements of a fragment lie, by the functions of the header, against cells written and read with tcgen05
// instructions of our own: cell (lane, column) holds 1000*lane + column.
#include "placement.cuh"

#include "tensor.cuh"

constexpr int columns = 64; // of the allocation

__device__ __forceinline__ void fill(uint32_t base) {
    for (uint32_t c = 0; c < columns; c += 8) {
        uint32_t cells[8];
        for (uint32_t i = 0; i < 8; ++i) cells[i] = __float_as_uint(1000.0f * static_cast<float>(threadIdx.x % 128) + static_cast<float>(c + i));
        store_x8(warp_lanes(base) + c, cells);
    }
    wait_store();
}

#define ATOM(name, cols)                                                                                   \
    extern "C" __global__ void __launch_bounds__(128) load_##name(float* out) {                            \
        __shared__ uint32_t slot;                                                                          \
        const uint32_t base = tensor_begin(&slot, columns);                                                \
        fill(base);                                                                                        \
        float x[32];                                                                                       \
        get_##name(base, x);                                                                               \
        for (int i = 0; i < 32; ++i)                                                                       \
            out[get_##name##_X_row(threadIdx.x, i) * cols + get_##name##_X_col(threadIdx.x, i)] = x[i];    \
        tensor_end(base, columns);                                                                         \
    }                                                                                                      \
    extern "C" __global__ void __launch_bounds__(128) store_##name(float* out) {                           \
        __shared__ uint32_t slot;                                                                          \
        const uint32_t base = tensor_begin(&slot, columns);                                                \
        fill(base);                                                                                        \
        float x[32];                                                                                       \
        for (int i = 0; i < 32; ++i)                                                                       \
            x[i] = 1000.0f * static_cast<float>(put_##name##_X_row(threadIdx.x, i)) +                      \
                   static_cast<float>(put_##name##_X_col(threadIdx.x, i)) + 0.5f;                          \
        put_##name(base, x);                                                                               \
        for (uint32_t c = 0; c < columns; c += 8) {                                                        \
            uint32_t cells[8];                                                                             \
            load_x8(cells, warp_lanes(base) + c);                                                          \
            wait_load();                                                                                   \
            for (int i = 0; i < 8; ++i) out[threadIdx.x * columns + c + i] = __uint_as_float(cells[i]);    \
        }                                                                                                  \
        tensor_end(base, columns);                                                                         \
    }

ATOM(32x32b_128, 32)
ATOM(16x64b_128, 32)
ATOM(16x128b_128, 32)
ATOM(16x256b_128, 32)
ATOM(32x32b_64, 64)
ATOM(16x64b_64, 64)
ATOM(16x128b_64, 64)
ATOM(16x256b_64, 64)
ATOM(16x32bx2_64, 64)

static_assert(get_16x256b_128_X_registers == 32 && get_16x256b_128_X_elements == 32, "");
static_assert(get_16x256b_128_T_columns == 32 && get_32x32b_64_T_columns == 32 && get_16x64b_64_T_columns == 64, "");
