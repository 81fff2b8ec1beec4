// What nvcc made of CUDA files with functions, recursion, jump tables, variables of every space and
// parameters of every kind gives the values of plain C++. What is not supported is named with its line.
#include "cuda.hpp"

#include <cmath>

using namespace tmemc;
using namespace tmemc::emulator;

namespace {

struct PairOf { // as in functions.cu
    double first;
    int second;
    short third;
    bool operator==(const PairOf& other) const {
        return first == other.first && second == other.second && third == other.third;
    }
};

std::uint64_t fibonacci(int n) {
    return n < 2 ? static_cast<std::uint64_t>(n) : fibonacci(n - 1) + fibonacci(n - 2);
}
int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

/// switch.cu, one thread.
int interpreted(const std::vector<int>& in, int i) {
    const int n = static_cast<int>(in.size());
    int a = i, b = 7;
    for (int step = 0; step < 8; ++step) {
        const int code = in[static_cast<std::size_t>((i + step) % n)];
        const auto unsigned_a = static_cast<std::uint32_t>(a), unsigned_b = static_cast<std::uint32_t>(b);
        const auto wrapped = [](std::uint64_t value) {
            return static_cast<int>(static_cast<std::uint32_t>(value));
        };
        switch (code) {
        case 0: a = wrapped(unsigned_a + unsigned_b); break;
        case 1: a = wrapped(unsigned_a - unsigned_b); break;
        case 2: a = wrapped(std::uint64_t{unsigned_a} * 3); [[fallthrough]];
        case 3: b ^= a; break;
        case 4: b = wrapped(std::uint64_t{unsigned_b} * 5 + 1); break;
        case 5: std::swap(a, b); break;
        case 6: a = ~a; break;
        case 7: a = a >> 1; break;
        case 8: b = __builtin_popcount(unsigned_a); break;
        case 9: a = std::max(a, b); break;
        case 10: b = b == 0 ? 32 : __builtin_clz(unsigned_b); break;
        case 11: a = a % 1000; break;
        case 12: break;
        case 13:
            a = in[static_cast<std::size_t>(i)];
            b = wrapped(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(a));
            break;
        case 14: b = a / 17; break;
        case 15: {
            std::uint32_t reversed = 0;
            for (int bit = 0; bit < 32; ++bit) reversed |= (unsigned_b >> bit & 1) << (31 - bit);
            a = wrapped(reversed & 0xffff);
            break;
        }
        case 16: a = wrapped(std::uint64_t{unsigned_b} * unsigned_a); break;
        case 17: a = a | b; break;
        default: b = wrapped(unsigned_b + static_cast<std::uint32_t>(code)); break;
        }
    }
    return static_cast<int>(static_cast<std::uint32_t>(a) * 31 + static_cast<std::uint32_t>(b));
}

} // namespace

TEST_CASE("cuda: functions, with structs in and out, and under divergence") {
    with_each("functions", [](Cuda& cuda) {
        int n = 30;
        std::vector<PairOf> in, out(30), expected;
        for (int i = 0; i < n; ++i) in.push_back({i * 1.5, i * i, static_cast<short>(1000 - i)});
        for (int i = 0; i < n; ++i) {
            const PairOf &a = in[static_cast<std::size_t>(i)], &b = in[static_cast<std::size_t>((i + 1) % n)];
            const int by = i - 16;
            expected.push_back(
                {std::fma(a.first, by, b.first), a.second - b.second, static_cast<short>(a.third + by)});
        }
        cuda.run("structs", {{32, 1, 1}}, 0, in, out, n);
        CHECK(out == expected);

        std::vector<float> numbers, roots(40);
        for (int i = 0; i < 40; ++i) numbers.push_back(i % 7 == 0 ? -1.0f : static_cast<float>(i) * 0.75f);
        n = 40;
        cuda.run("calls", {{64, 1, 1}}, 0, numbers, roots, n);
        for (int i = 0; i < n; ++i) {
            float counter = 0;
            for (int k = 0; k <= i % 5; ++k) counter += k % 2 == 0 ? 2.0f : 1.0f;
            const float x = numbers[static_cast<std::size_t>(i)], root = x < 0 ? -1.0f : std::sqrt(x);
            CHECK(roots[static_cast<std::size_t>(i)] - counter == doctest::Approx(root).epsilon(1e-5));
        }
    });
}

TEST_CASE("cuda: recursion, to different depths in the lanes of a warp") {
    with_each("functions", [](Cuda& cuda) {
        int n = 45;
        std::vector<int> in;
        std::vector<std::uint64_t> out(45), expected;
        for (int i = 0; i < n; ++i) in.push_back(i % 14);
        for (const int x : in)
            expected.push_back(x % 3 == 0   ? fibonacci(x)
                               : x % 3 == 1 ? static_cast<std::uint64_t>(ackermann(2, x))
                               : x % 2 == 0 ? 1000
                                            : 2000);
        cuda.run("recursion", {{32, 1, 1}, {2, 1, 1}}, 0, in, out, n);
        CHECK(out == expected);
    });
}

TEST_CASE("cuda: a switch that jumps by table") {
    with_each("switch", [](Cuda& cuda) {
        int n = 100;
        std::vector<int> in = random_ints(100, 21), out(100), expected;
        cuda.run("interpret", {{64, 1, 1}, {2, 1, 1}}, 0, in, out, n);
        for (int i = 0; i < n; ++i) expected.push_back(interpreted(in, i));
        CHECK(out == expected);
    });
}

TEST_CASE("cuda: variables with initial values, and what a kernel leaves in them") {
    with_each("tables", [](Cuda& cuda) {
        int n = 40;
        std::vector<int> in = random_ints(40, 1000);
        std::vector<float> out(40), expected;
        cuda.run("look_up", {{64, 1, 1}}, 0, in, out, n);
        const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}, squares[] = {0, 1, 4, 9, 16, 25};
        const float halves[2][3] = {{0.5f, 1.5f, 2.5f}, {-0.5f, -1.5f, 1e-20f}}, weights[] = {0.25f, 2, -1};
        const int begins[] = {0, 2, 5}, counts[] = {6, 3, 1};
        const char letters[] = "Tensor memory";
        for (int i = 0; i < n; ++i) {
            const int x = in[static_cast<std::size_t>(i)];
            float sum = halves[i % 2][x % 3] + static_cast<float>(primes[x % 10]);
            sum += static_cast<float>(letters[i % 13]);
            sum += static_cast<float>(1.0 / 3);
            for (int k = 0; k < counts[x % 3]; ++k)
                sum = std::fmaf(weights[x % 3], static_cast<float>(squares[begins[x % 3] + k]), sum);
            expected.push_back(sum);
        }
        CHECK(out == expected);

        std::vector<int> reversed(40), backwards(in.rbegin(), in.rend());
        cuda.run("remember", {{64, 1, 1}}, 0, in, reversed, n);
        CHECK(reversed == backwards);
        std::vector<std::int64_t> kept(41), left{35};
        left.insert(left.end(), in.begin(), in.end());
        cuda.run("recall", {{64, 1, 1}}, 0, in, kept, n);
        CHECK(kept == left);
    });
}

TEST_CASE("cuda: static and dynamic shared memory") {
    with_each("shared", [](Cuda& cuda) {
        int n = 60;
        std::vector<int> in = random_ints(120, 1000), out(120), expected;
        cuda.run("reverse", {{64, 1, 1}, {2, 1, 1}}, 60 * 4, in, out, n);
        for (int block = 0; block < 2; ++block)
            for (int i = 0; i < n; ++i)
                expected.push_back(
                    static_cast<int>(in[static_cast<std::size_t>(block * n + n - 1 - i)] * 2.5) - 3 +
                    static_cast<std::uint8_t>(i % 37 * 7));
        CHECK(out == expected);
    });
}

TEST_CASE("cuda: arrays in local memory") {
    with_each("local", [](Cuda& cuda) {
        int n = 50;
        std::vector<int> in = random_ints(50 * 16, 10000), out(in.size()), expected = in;
        for (auto row = expected.begin(); row != expected.end(); row += 16) std::sort(row, row + 16);
        cuda.run("sort16", {{32, 1, 1}, {2, 1, 1}}, 0, in, out, n);
        CHECK(out == expected);
        n = 20;
        std::vector<int> numbers(in.begin(), in.begin() + 20), sums(20), wanted;
        cuda.run("filled", {{32, 1, 1}}, 0, numbers, sums, n);
        for (const int x : numbers)
            wanted.push_back(static_cast<short>(x * ((x & 15) + 1)) + static_cast<short>(x * 24));
        CHECK(sums == wanted);
    });
}

TEST_CASE("cuda: parameters of every kind") {
    struct alignas(16) Wide {
        std::uint8_t bytes[5];
        double value;
        std::uint16_t tail[3];
    };
    with_each("scalars", [](Cuda& cuda) {
        std::vector<double> out(17);
        bool flag = true;
        signed char c = -3, sc = -128;
        std::uint8_t uc = 250;
        std::int16_t s = -30000;
        std::uint16_t us = 60000;
        int i = -2000000000;
        std::uint32_t u = 4000000000;
        std::int64_t l = -(std::int64_t{1} << 52);
        std::uint64_t ul = std::uint64_t{1} << 60;
        float f = 0.1f;
        double d = 0.1;
        Wide wide{{1, 2, 3, 4, 5}, 2.5, {6, 7, 8}};
        std::array<int, 3> triple{1, 20, 300};
        struct alignas(16) {
            float x, y, z, w;
        } quad{1, 1.5f, 2, 3};
        cuda.run("scalars", {{64, 1, 1}}, 0, out, flag, c, sc, uc, s, us, i, u, l, ul, f, d, wide, triple,
                 quad);
        CHECK(out == std::vector<double>{1, -3, -128, 250, -30000, 60000, -2e9, 4e9, -0x1p52, 0x1p60,
                                         static_cast<double>(0.1f), 0.1, 5, 2.5, 8, 301, 1.5});
        std::vector<std::uint16_t> a{0x3C00, 0x4200, 0xBE00}, b{0x3F80, 0xC000, 0x0000}; // 1 3 -1.5, 1 -2 0
        std::vector<float> sums(3);
        std::uint16_t by = 0x4000; // 2
        int n = 3;
        cuda.run("halves", {{32, 1, 1}}, 0, a, b, sums, by, n);
        CHECK(sums == std::vector<float>{3, 4, -3});
    });
}

TEST_CASE("cuda: managed variables, templates, scopes of inline assembly") {
    with_each("managed", [](Cuda& cuda) {
        int n = 40;
        std::vector<int> in = random_ints(40, 20), out(40), twice, odds;
        for (const int x : in) {
            twice.push_back(2 * x);
            const int squared = x * x + 1;
            odds.push_back(squared + (squared > 50 ? 16 : 8) + (squared > 50 ? 0 : 3) + 7);
        }
        cuda.run("_Z4weakIiEvPKT_PS0_S0_", {{64, 1, 1}}, 0, in, out, n);
        CHECK(out == twice);
        cuda.run("odds", {{64, 1, 1}}, 0, in, out, n);
        CHECK(out == odds);
    });
}

TEST_CASE("cuda: what is not supported is named with its line") {
    for (const std::string& path : kept("pointers")) {
        const base::Source source(path, text_of(path));
        const LoadResult loaded = load(source);
        CHECK(loaded.executable == nullptr);
        std::vector<std::string> found;
        for (const auto& each : loaded.diagnostics.list) found.push_back(each.message);
        const std::vector<std::string> expected{"`call` does not fit its operands: the emulator knows calls "
                                                "of a function by its name, not through a "
                                                "register",
                                                "`vprintf` cannot be called: the module has no body of it"};
        CHECK(found == expected);
        for (const auto& each : loaded.diagnostics.list) CHECK(source.position(each.span.begin).line > 10);
    }
}
