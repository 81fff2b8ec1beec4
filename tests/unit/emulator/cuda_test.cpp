// What nvcc made of the CUDA files of tests/data/cuda runs and gives the values that plain C++ gives, for
// every architecture whose PTX is kept: tensor memory, reductions, atomics, loops. Functions, variables and
// parameters are in cuda_calls_test.cpp.
#include "cuda.hpp"

#include <bit>
#include <cmath>

using namespace tmemc;
using namespace tmemc::emulator;

namespace {

std::uint16_t bf16(float value) { // none of them infinite or NaN
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
/// To the nearest of the values of a half, ties to even, by way of the spacing of halves around the value.
std::uint16_t f16(float value) {
    const double magnitude = std::fabs(static_cast<double>(value));
    const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
    const double steps = std::nearbyint(std::ldexp(magnitude, 10 - exponent)); // 2^-10 of the leading bit
    const double bits = (exponent + 14) * 1024.0 + steps; // a carry moves into the exponent by itself
    return static_cast<std::uint16_t>(static_cast<int>(bits) | (std::signbit(value) ? 0x8000 : 0));
}

} // namespace

TEST_CASE("cuda: round trips through tensor memory") {
    with_each("roundtrip_32x32b", [](Cuda& cuda) {
        auto in = random_words(128 * 64);
        std::vector<std::uint32_t> out(in.size());
        cuda.run("roundtrip_32x32b", {{128, 1, 1}}, 0, in, out);
        CHECK(out == in);
    });
    with_each("roundtrip_16rows", [](Cuda& cuda) {
        auto in = random_words(128 * 16);
        std::vector<std::uint32_t> out(in.size());
        cuda.run("roundtrip_16rows", {{128, 1, 1}}, 0, in, out);
        CHECK(out == in);
        // 16x64b: register r of lane l is row l % 8 + 8 * (r % 2) ... as 32x32b reads it, a row is a lane.
        in = random_words(128 * 8);
        out.assign(in.size(), 0);
        cuda.run("reshape_16x64b", {{128, 1, 1}}, 0, in, out);
        std::vector<std::uint32_t> sorted_in = in, sorted_out = out;
        std::sort(sorted_in.begin(), sorted_in.end());
        std::sort(sorted_out.begin(), sorted_out.end());
        CHECK(sorted_in == sorted_out);
        CHECK(in != out);
    });
}

TEST_CASE("cuda: packed halves") {
    with_each("packed_f16", [](Cuda& cuda) {
        std::vector<std::uint16_t> in, out(128 * 8);
        std::vector<float> values = random_floats(out.size());
        for (const float value : values) in.push_back(f16(value));
        cuda.run("packed_f16", {{128, 1, 1}}, 0, in, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
            // The halves of a pair change places; sums and products of these values are exact in a float.
            const float other = values[i ^ 1] * 2;
            CHECK(out[i] == f16(std::fma(other, i % 2 == 0 ? 0.5f : 0.25f, 1.0f)));
        }
    });
}

TEST_CASE("cuda: epilogues to bf16 and f16, rolled and unrolled") {
    with_each("epilogue", [](Cuda& cuda) {
        auto in = random_floats(128 * 64);
        float scale = 1.0f / 3, bias = -0.125f;
        for (const std::string name : {"bf16_rolled", "bf16_unrolled", "f16_rolled", "f16_unrolled"}) {
            std::vector<std::uint16_t> out(in.size()), expected;
            cuda.run(name, {{128, 1, 1}}, 0, in, out, scale, bias);
            for (const float value : in) {
                const float x = std::fmaf(value, scale, bias);
                expected.push_back(name[0] == 'b' ? bf16(x) : f16(x));
            }
            CHECK_MESSAGE(out == expected, name);
        }
    });
}

TEST_CASE("cuda: reductions and scans by shuffles") {
    with_each("reduce_shfl", [](Cuda& cuda) {
        int n = 1000;
        std::vector<float> in(1000), out(1);
        float sum = 0;
        for (std::size_t i = 0; i < in.size(); ++i) sum += in[i] = static_cast<float>(i % 37) - 11;
        cuda.run("reduce_shfl", {{96, 1, 1}, {3, 1, 1}}, 0, in, out, n); // exact, in any order
        CHECK(out[0] == sum);

        n = 50;
        std::vector<int> numbers = random_ints(64, 100), sums(64, -1), expected(64, -1);
        cuda.run("scan_shfl", {{64, 1, 1}}, 0, numbers, sums, n);
        for (std::size_t warp = 0; warp < 2; ++warp) {
            int total = 0, odd = 0;
            std::array<int, 32> prefix{};
            for (std::size_t lane = 0; lane < 32; ++lane) {
                const std::size_t i = warp * 32 + lane;
                total += i < 50 ? numbers[i] : 0;
                prefix[lane] = total;
                odd += total % 2;
            }
            for (std::size_t lane = 0; lane < 32 && warp * 32 + lane < 50; ++lane)
                expected[warp * 32 + lane] = prefix[lane] * 100 + odd;
        }
        CHECK(sums == expected);
    });
}

TEST_CASE("cuda: a histogram with atomics") {
    with_each("histogram", [](Cuda& cuda) {
        int n = 5000;
        std::vector<std::uint8_t> in;
        std::vector<std::uint32_t> out(256), expected(256);
        for (const std::uint32_t word : random_words(5000, 100)) {
            in.push_back(static_cast<std::uint8_t>(word * word / 40));
            ++expected[in.back()];
        }
        cuda.run("histogram", {{128, 1, 1}, {4, 1, 1}}, 0, in, out, n);
        CHECK(out == expected);
    });
}

TEST_CASE("cuda: a tiled matrix product") {
    with_each("matmul", [](Cuda& cuda) {
        int n = 48;
        const std::size_t size = 48;
        std::vector<float> a = random_floats(size * size), b = random_floats(size * size), c(size * size),
                           expected;
        cuda.run("matmul", {{16, 16, 1}, {3, 3, 1}}, 0, a, b, c, n);
        for (std::size_t row = 0; row < size; ++row)
            for (std::size_t column = 0; column < size; ++column) {
                float sum = 0;
                for (std::size_t k = 0; k < size; ++k)
                    sum = std::fmaf(a[row * size + k], b[k * size + column], sum);
                expected.push_back(sum);
            }
        CHECK(c == expected);
    });
}

TEST_CASE("cuda: loops that diverge") {
    with_each("collatz", [](Cuda& cuda) {
        int n = 200;
        std::vector<std::uint32_t> in;
        for (std::uint32_t i = 0; i < 200; ++i) in.push_back(i * 7 % 1000);
        std::vector<std::uint64_t> out(400), expected;
        cuda.run("collatz", {{96, 1, 1}, {3, 1, 1}}, 0, in, out, n);
        for (const std::uint32_t first : in) {
            std::uint64_t value = first, highest = first, steps = 0;
            for (; value > 1 && steps < 1000; ++steps) {
                value = value % 2 == 0 ? value / 2 : 3 * value + 1;
                highest = std::max(highest, value);
            }
            expected.push_back(steps);
            expected.push_back(highest);
        }
        CHECK(out == expected);
    });
}
