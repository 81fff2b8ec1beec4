// Switches: a dense one that becomes a table of targets (brx.idx), with fall-through and a default.
// nvcc: -jtd=1
extern "C" __global__ void interpret(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int a = i, b = 7;
#pragma unroll 1
    for (int step = 0; step < 8; ++step) {
        const int code = in[(i + step) % n];
        switch (code) {
        case 0: a += b; break;
        case 1: a -= b; break;
        case 2: a *= 3; [[fallthrough]];
        case 3: b ^= a; break;
        case 4: b = b * 5 + 1; break;
        case 5: { const int t = a; a = b; b = t; break; }
        case 6: a = ~a; break;
        case 7: a = a >> 1; break;
        case 8: b = __popc(a); break;
        case 9: a = max(a, b); break;
        case 10: b = __clz(b); break;
        case 11: a = a % 1000; break;
        case 12: out[i] = a; break;
        case 13: a = in[i]; b = in[i] * a; break;
        case 14: b = a / 17; break;
        case 15: a = __brev(b) & 0xffff; break;
        case 16: a = b * a; break;
        case 17: a = a | b; break;
        default: b += code; break;
        }
    }
    out[i] = a * 31 + b;
}
