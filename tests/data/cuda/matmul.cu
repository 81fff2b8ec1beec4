// A tiled f32 matrix product: C = A * B, all n x n, n a multiple of 16.
constexpr int tile = 16;

extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* c, int n) {
    __shared__ float as[tile][tile], bs[tile][tile + 1];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
    float sum = 0;
    for (int k = 0; k < n; k += tile) {
        as[y][x] = a[row * n + k + x];
        bs[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum = fmaf(as[y][i], bs[i][x], sum);
        __syncthreads();
    }
    c[row * n + column] = sum;
}
