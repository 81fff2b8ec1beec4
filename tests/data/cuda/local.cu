// Arrays that live in local memory because their indices are not constants: an insertion sort of 16 values a thread, and
// one whose address goes to a function.
extern "C" __global__ void sort16(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int values[16];
#pragma unroll 1
    for (int k = 0; k < 16; ++k) {
        const int value = in[i * 16 + k];
        int place = k;
        while (place > 0 && values[place - 1] > value) {
            values[place] = values[place - 1];
            --place;
        }
        values[place] = value;
    }
#pragma unroll 1
    for (int k = 0; k < 16; ++k) out[i * 16 + k] = values[k];
}

__device__ __noinline__ void fill(short* into, int count, int from) {
    for (int k = 0; k < count; ++k) into[k] = static_cast<short>(from * (k + 1));
}
extern "C" __global__ void filled(const int* in, int* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    short values[24];
    fill(values, 24, in[i]);
    out[i] = values[in[i] & 15] + values[23];
}
