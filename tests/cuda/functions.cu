// Kernels that take in functions: values, several functions in one kernel, one function several times, warps 4 to 7.
#include "functions.cuh"
#include "functions.cuh"
#include "other.cuh" // the same functions with a prefix, in a namespace

#include "tensor.cuh"

constexpr int columns = 64;

/// A cell holds (7*lane + column) % 101 - 50, which bf16 does not hold when it is scaled.
__device__ __forceinline__ void fill(uint32_t base) {
    for (uint32_t c = 0; c < columns; c += 8) {
        uint32_t cells[8];
        for (uint32_t i = 0; i < 8; ++i)
            cells[i] = __float_as_uint(static_cast<float>((7 * (threadIdx.x % 128) + c + i) % 101) - 50.0f);
        store_x8(warp_lanes(base) + c, cells);
    }
    wait_store();
}

extern "C" __global__ void __launch_bounds__(128) scaled(__nv_bfloat16* C, float scale) {
    __shared__ uint32_t slot;
    const uint32_t base = tensor_begin(&slot, columns);
    fill(base);
    store_scaled(base, C, scale);
    tensor_end(base, columns);
}

extern "C" __global__ void __launch_bounds__(128) staged(__nv_bfloat16* C, float scale) {
    __shared__ uint32_t slot;
    __shared__ __align__(128) unsigned char room[store_staged_shared_bytes];
    const uint32_t base = tensor_begin(&slot, columns);
    fill(base);
    store_staged(base, C, scale, room);
    tensor_end(base, columns);
}

/// Two functions, one of them three times, of both headers, in a loop that nvcc may unroll.
extern "C" __global__ void __launch_bounds__(128) several(__nv_bfloat16* C, __nv_bfloat16* D, float scale) {
    __shared__ uint32_t slot;
    const uint32_t base = tensor_begin(&slot, columns);
    fill(base);
    store_scaled(base, C, scale);
    for (int i = 0; i < 2; ++i) other::deep::my_store_scaled(base, D + i * 128 * 64, scale + static_cast<float>(i));
    tensor_end(base, columns);
}

/// A CTA of two warpgroups, of which the second does the epilogue.
extern "C" __global__ void __launch_bounds__(256) upper_warps(__nv_bfloat16* C, float scale) {
    __shared__ uint32_t slot;
    const uint32_t base = tensor_begin(&slot, columns);
    if (threadIdx.x >= 128) {
        fill(base);
        store_scaled(base, C, scale);
    }
    tensor_end(base, columns);
}

/// Fragments as arrays of elements and as words.
extern "C" __global__ void __launch_bounds__(128) fragments(__half* narrowed, __half* words, float* doubled) {
    float x[16], z[16];
    uint32_t raw[16], packed[8];
    __half2 y[8];
    for (int i = 0; i < 16; ++i) {
        x[i] = z[i] = static_cast<float>(narrow_X_row(threadIdx.x, i)) + static_cast<float>(narrow_X_col(threadIdx.x, i)) / 16.0f;
        raw[i] = __float_as_uint(-x[i]);
    }
    narrow(x, y);
    narrow(raw, packed);
    scale_in_place(z, __float2half(2.0f));
    for (int i = 0; i < 16; ++i) {
        const int at = narrow_Y_row(threadIdx.x, i) * 16 + narrow_Y_col(threadIdx.x, i);
        narrowed[at] = i % 2 ? __high2half(y[i / 2]) : __low2half(y[i / 2]);
        words[at] = __ushort_as_half(static_cast<unsigned short>(packed[i / 2] >> i % 2 * 16));
        doubled[at] = z[i];
    }
}

extern "C" __global__ void __launch_bounds__(128) scalars(int32_t* sums) {
    class_(sums, -3, 200, -30000, 60000, -7, 1000000);
    class_(sums + 128, int8_t(-128), uint8_t(255), int16_t(-32768), uint16_t(65535), -2000000000, 5);
}

/// Threads that hold nothing keep what they have.
extern "C" __global__ void __launch_bounds__(128) half_of_the_warps(float* out) {
    __shared__ uint32_t slot;
    const uint32_t base = tensor_begin(&slot, columns);
    fill(base);
    float x[16], y[16];
    for (int i = 0; i < 16; ++i) x[i] = y[i] = -1.0f;
    right_half(base, x);
    right_half(base + 32, y);
    for (int i = 0; i < 16; ++i) {
        const int row = right_half_X_row(threadIdx.x, i), col = right_half_X_col(threadIdx.x, i);
        if (row < 0) {
            out[2048 + threadIdx.x * 16 + i] = x[i] + y[i];
        } else {
            out[row * 16 + col] = x[i];
            out[1024 + row * 16 + col] = y[i];
        }
    }
    tensor_end(base, columns);
}

/// Every element type: what a fragment holds goes to memory, and a scalar fills another.
#define DTYPE(name, element, word)                                                                              \
    extern "C" __global__ void __launch_bounds__(128) kind_##name(element* C, uint32_t* filled, uint32_t bits) { \
        constexpr int registers = sizeof(element);                                                              \
        static_assert(of_##name##_X_registers == registers && of_##name##_X_elements == 4, "");                 \
        element s;                                                                                              \
        word z[registers], x[registers];                                                                        \
        memcpy(&s, &bits, sizeof(s));                                                                           \
        for (int i = 0; i < registers; ++i) {                                                                   \
            const uint32_t number = threadIdx.x * 0x1030507u + static_cast<uint32_t>(i);                        \
            memcpy(&z[i], &number, sizeof(number));                                                             \
        }                                                                                                       \
        of_##name(C, z, x, s);                                                                                  \
        for (int i = 0; i < registers; ++i) memcpy(&filled[threadIdx.x * registers + i], &x[i], sizeof(x[i]));  \
    }

DTYPE(f32, float, float)
DTYPE(f16, __half, __half2)
DTYPE(bf16, __nv_bfloat16, __nv_bfloat162)
DTYPE(tf32, float, float)
DTYPE(f8e4m3, __nv_fp8_e4m3, __nv_fp8x4_e4m3)
DTYPE(f8e5m2, __nv_fp8_e5m2, __nv_fp8x4_e5m2)
DTYPE(u8, uint8_t, uchar4)
DTYPE(s8, int8_t, char4)
DTYPE(u16, uint16_t, ushort2)
DTYPE(s16, int16_t, short2)
DTYPE(u32, uint32_t, uint32_t)
DTYPE(s32, int32_t, int32_t)
DTYPE(b8, uint8_t, uchar4)
DTYPE(b16, uint16_t, ushort2)
DTYPE(b32, uint32_t, uint32_t)

/// A number for each row: in one thread, and in the four of a quad.
extern "C" __global__ void __launch_bounds__(128) vectors(float* rows, float* quad_rows, float* stored) {
    __shared__ uint32_t slot;
    const uint32_t base = tensor_begin(&slot, columns);
    fill(base);
    float m[maxima_M_registers], q[quads_M_registers];
    maxima(base, m);
    rows[maxima_M_row(threadIdx.x, 0)] = m[0];
    quads(base, q, stored);
    for (int i = 0; i < quads_M_elements; ++i)
        if (threadIdx.x % 4 == 2) quad_rows[quads_M_row(threadIdx.x, i)] = q[i];
    tensor_end(base, columns);
}
