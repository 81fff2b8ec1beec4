// Parameters of every scalar kind, a struct and an aligned vector by value; with all sorts of launch bounds.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct alignas(16) Wide {
    unsigned char bytes[5];
    double value;
    unsigned short tail[3];
};

extern "C" __global__ void __launch_bounds__(64, 2)
    scalars(double* out, bool flag, char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, unsigned u,
            long long l, unsigned long long ul, float f, double d, Wide wide, int3 triple, float4 quad) {
    const double all[] = {double(flag), double(c), double(sc), double(uc), double(s), double(us), double(i), double(u),
                          double(l), double(ul), double(f), d, double(wide.bytes[4]), wide.value, double(wide.tail[2]),
                          double(triple.x + triple.z), double(quad.y)};
    for (int k = threadIdx.x; k < 17; k += 64) out[k] = all[k];
}
extern "C" __global__ void __maxnreg__(64) halves(const __half* a, const __nv_bfloat16* b, float* out, __half by, int n) {
    if (threadIdx.x < n)
        out[threadIdx.x] = __half2float(__hmul(a[threadIdx.x], by)) + __bfloat162float(b[threadIdx.x]);
}
