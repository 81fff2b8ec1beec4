// Every thread loops as often as its number asks for: steps until 1, and the highest value on the way.
extern "C" __global__ void collatz(const unsigned* in, ulonglong2* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long value = in[i], highest = value, steps = 0;
    while (value > 1) {
        if (value % 2 == 0) {
            value /= 2;
        } else {
            value = 3 * value + 1;
            if (value > highest) highest = value;
        }
        ++steps;
        if (steps == 1000) break;
    }
    out[i] = make_ulonglong2(steps, highest);
}
