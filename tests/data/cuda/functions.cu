// Calls: structs by value in and out, scalars of every width, recursion, calls under divergence and in a loop.
struct Pair {
    double first;
    int second;
    short third;
};

__device__ __noinline__ Pair mixed(Pair a, const Pair& b, signed char by) {
    return {a.first * by + b.first, a.second - b.second, static_cast<short>(a.third + by)};
}
__device__ __noinline__ unsigned long long fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ __noinline__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ __noinline__ void bump(int* counter, bool twice) { *counter += twice ? 2 : 1; }
__device__ __noinline__ float root(float x) {
    if (x < 0) return -1; // returns early: the callers' lanes meet again behind the call
    float r = x > 1 ? x : 1;
    for (int i = 0; i < 30; ++i) r = 0.5f * (r + __fdividef(x, r));
    return r;
}
__device__ __noinline__ bool even(unsigned n);
__device__ __noinline__ bool odd(unsigned n) { return n == 0 ? false : even(n - 1); }
__device__ __noinline__ bool even(unsigned n) { return n == 0 ? true : odd(n - 1); }

extern "C" __global__ void structs(const Pair* in, Pair* out, int n) {
    const int i = threadIdx.x;
    if (i < n) out[i] = mixed(in[i], in[(i + 1) % n], static_cast<signed char>(i - 16));
}
extern "C" __global__ void recursion(const int* in, unsigned long long* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] % 3 == 0)
        out[i] = fibonacci(in[i]);
    else if (in[i] % 3 == 1)
        out[i] = ackermann(2, in[i]);
    else
        out[i] = even(in[i]) ? 1000 : 2000;
}
extern "C" __global__ void calls(const float* in, float* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    int counter = 0;
    for (int k = 0; k <= i % 5; ++k) bump(&counter, k % 2 == 0);
    out[i] = root(in[i]) + counter;
}
