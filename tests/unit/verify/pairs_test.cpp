// Two elements by one instruction are the same two numbers: each expression is compiled twice, with its
// fragments side by side, which makes pairs, and with the target one column aside, which makes none; random
// bits and the edges of f32 go in, and all bits that come out are equal (a NaN is a NaN).
#include "launch.hpp"
#include "pipeline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

using namespace tmemc;

namespace {

constexpr int rows = 128, cols = 8;
constexpr std::size_t elements = std::size_t{rows} * cols;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t edges[] = {0,          0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff,
                                   0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x3f800000,
                                   0xbf800001, 0x33800000, 0x4b800000, 0x3effffff};

Words draw(std::mt19937& random) {
    Words words(elements);
    for (std::uint32_t& word : words)
        word = random() % 2 == 0 ? edges[random() % std::size(edges)] : static_cast<std::uint32_t>(random());
    return words;
}

/// The kernel that computes `value` of P, Q, a and b, `aside` columns from where they are. `dtype` is the
/// result's.
std::string program(const std::string& value, const std::string& dtype, int aside) {
    return fmt::format(
        "kernel k(in A: f32[{0}, {1}], in B: f32[{0}, {1}], out C: {3}[{0}, {1}], a: f32, b: "
        "f32) {{\nfrag P: f32[{0}, {1}];\nfrag Q: f32[{0}, {1}];\nfrag W: {3}[{0}, {1} + 8];\n"
        "copy P <- A;\ncopy Q <- B;\nW = 0;\nW[:, {4} +: {1}] = {2};\ncopy C <- W[:, {4} +: {1}];\n}}\n",
        rows, cols, value, dtype, aside);
}

std::string compiled(const std::string& text) {
    const Compilation made = compile(base::Source("k.tmx", text));
    REQUIRE_MESSAGE(made.ok(), made.diagnostics.list.front().message);
    CHECK(!verify_text(made).mismatch);
    return made.ptx.text;
}

template <class Number>
test::Bytes bytes_of(const std::vector<Number>& numbers) {
    test::Bytes bytes(numbers.size() * sizeof(Number));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

Words run(const std::string& ptx, const Words& a, const Words& b, const std::vector<float>& scalars) {
    const test::Bytes bytes =
        test::launched(ptx, {bytes_of(a), bytes_of(b), bytes_of(Words(elements))},
                       {bytes_of(std::vector{scalars[0]}), bytes_of(std::vector{scalars[1]})})[2];
    Words result(elements);
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
}

bool same(std::uint32_t a, std::uint32_t b) {
    return a == b || (std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b)));
}

int count(const std::string& text, const std::string& word) {
    int n = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
}

} // namespace

TEST_CASE("a pair holds the two numbers that each element gives by itself") {
    struct Row {
        const char* value;
        int pairs; // per two elements
    };
    constexpr Row table[] = {{"P + Q", 1},
                             {"P - Q", 1},
                             {"a - P", 1},
                             {"P * Q", 1},
                             {"P * a + b", 1},
                             {"fma(P, Q, P) * Q", 2},
                             {"relu(P * a + 1.5) - Q", 2},
                             {"select(P * a < Q + b, P - Q, Q * 0.1)", 4},
                             {"sqrt(abs(P)) * sqrt(abs(Q))", 1},
                             {"-(P * P)", 1}};
    std::mt19937 random(11);
    std::size_t compared = 0, nans = 0;
    for (const Row& row : table) {
        CAPTURE(row.value);
        const std::string paired = compiled(program(row.value, "f32", 0));
        const std::string alone = compiled(program(row.value, "f32", 1));
        CHECK(count(paired, ".f32x2") == row.pairs * cols / 2);
        CHECK(count(alone, ".f32x2") < count(paired, ".f32x2")); // roots of numbers are made anywhere
        for (int turn = 0; turn < 4; ++turn) {
            const Words a = draw(random), b = draw(random);
            const std::vector<float> scalars{turn == 0 ? 1.1F : std::bit_cast<float>(draw(random)[0]),
                                             std::bit_cast<float>(draw(random)[1])};
            const Words one = run(paired, a, b, scalars), other = run(alone, a, b, scalars);
            int wrong = 0;
            for (std::size_t i = 0; i < elements; ++i) {
                wrong += same(one[i], other[i]) ? 0 : 1;
                nans += std::isnan(std::bit_cast<float>(one[i])) ? 1 : 0;
            }
            CHECK(wrong == 0);
            compared += elements;
        }
    }
    MESSAGE(compared << " numbers, " << nans << " of them NaN");
    CHECK(nans > 0);
    CHECK(nans < compared / 2);
}
