// What else a module may hold: managed variables, weak and static functions, labels in inline assembly, line pragmas.
__managed__ int visits = 3;
static __device__ __noinline__ int once(int x) { return x * x + 1; }
template <class T>
__device__ __noinline__ T twice(T x) {
    return x + x;
}
template <class T>
__global__ void weak(const T* in, T* out, T n) {
    if (threadIdx.x < n) out[threadIdx.x] = twice<T>(in[threadIdx.x]);
}
template __global__ void weak<int>(const int*, int*, int);

extern "C" __global__ void odds(const int* in, int* out, int n) {
    if (threadIdx.x >= n) return;
    int x = once(in[threadIdx.x]);
    asm("{\n\t.reg .pred p, q;\n\t.reg .s32 t;\n\tsetp.gt.s32 p|q, %0, 50;\n\tmov.s32 t, 0x10;\n\t@!p add.s32 t, t, -010;\n\t"
        "@q add.s32 t, t, 0b11;\n\t/* a comment */ add.s32 %0, %0, t;\n\t}" : "+r"(x));
    asm("{\n\t.reg .s32 t;\n\tmov.s32 t, 7; // another scope, another t\n\tadd.s32 %0, %0, t;\n\t}" : "+r"(x));
    if (threadIdx.x == 0) visits += 1;
    out[threadIdx.x] = x;
}
