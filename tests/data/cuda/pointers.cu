// What the emulator names as not supported, with its line: calls through pointers, and functions that another module
// has (vprintf). The reader takes it all the same.
// nvcc: -lineinfo
#include <cstdio>

typedef int (*Operation)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ Operation operations[2] = {add, subtract};

extern "C" __global__ void apply(const int* in, int* out) {
    const int x = in[threadIdx.x];
    out[threadIdx.x] = operations[x & 1](x, 3);
}
extern "C" __global__ void print(const int* in) { printf("%d\n", in[0]); }
