// Older targets have no instruction for much of what sm_100a has, and get others that give the same bits:
// every cast, and every operation on f16 and bf16, of any bits whatever and of numbers near the middle
// between two of the narrower type, compared on the emulator with what sm_100a's own instructions make of
// them.
#include "both_memories.hpp"

#include <doctest/doctest.h>

#include <random>

namespace {

using namespace tmemc;

constexpr int rows = 128, cols = 64;

/// Half of it any bits; of the rest the lowest so and so many bits are none, all, half, or one more or less,
/// and exponents are near those where narrow types end.
runtime::Array patterns(std::mt19937& random, base::Dtype dtype) {
    constexpr int dropped[] = {13, 16, 20, 21, 3, 8};
    constexpr std::uint32_t exponents[] = {1,   0,   103, 110, 112, 113, 118, 119,
                                           120, 121, 127, 135, 136, 142, 143, 254};
    const int bits = base::bits(dtype);
    runtime::Array array = runtime::make_array(dtype, {rows, cols});
    for (std::int64_t i = 0; i < array.elements(); ++i) {
        auto word = static_cast<std::uint32_t>(random());
        if (bits == 32 && i % 2 == 0) {
            const int low = dropped[random() % std::size(dropped)];
            const std::uint32_t half = 1U << (low - 1), all = 2 * half - 1;
            const std::uint32_t tails[] = {0, 1, half - 1, half, half + 1, all};
            word = (word & ~all) | tails[random() % std::size(tails)];
            if (i % 4 == 0) word = (word & 0x807fffff) | exponents[random() % std::size(exponents)] << 23;
        }
        array.set(i, bits == 32 ? word : word & ((1U << bits) - 1));
    }
    return array;
}

std::string judged(const std::string& text, std::mt19937& random, const std::vector<base::Dtype>& inputs) {
    const base::Source source("k.tmx", text);
    tests::Arrays given;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        given[std::string(1, static_cast<char>('A' + i))] = patterns(random, inputs[i]);
    return tests::difference(source, "k", given, true);
}

} // namespace

TEST_CASE("casts give the same bits on every target") {
    std::mt19937 random(3);
    int casts = 0;
    for (const base::DtypeRow& from : base::dtype_rows)
        for (const base::DtypeRow& to : base::dtype_rows) {
            const std::string text = fmt::format(
                "kernel k(in A: {0}[{2}, {3}], out R: {1}[{2}, {3}], out S: {1}[{2}, 1]) {{\n  frag X: "
                "{0}[{2}, {3}];\n"
                "  frag Y: {1}[{2}, {3}];\n  frag Z: {1}[{2}, {3}];\n  copy X <- A;\n  Y = cast<{1}>(X);\n"
                "  copy R <- Y;\n  Z = 0;\n  Z[:, 3:4] = cast<{1}>(X[:, 3:4]);\n  copy S <- Z[:, 3:4];\n}}\n",
                from.name, to.name, rows, cols);
            if (!tests::compiled_for(base::Source("k.tmx", text), "k", "sm_100a", false).ok()) continue;
            CHECK(judged(text, random, {from.dtype}) == "");
            ++casts;
        }
    MESSAGE("casts: " << casts);
    CHECK(casts == 12 * 12);
}

TEST_CASE("16-bit operations give the same bits on every target") {
    std::mt19937 random(4);
    const std::vector<std::string> values{
        "-X",         "abs(X)",        "X + Y",   "X - Y",     "X * Y",
        "X * Y + Z",  "fma(X, Y, -Z)", "X / Y",   "min(X, Y)", "max(X, Y)",
        "relu(X)",    "sqrt(X)",       "exp2(X)", "tanh(X)",   "select(X < Y, Z, -X)",
        "X * 1.5 + s"};
    for (const base::Dtype dtype : {base::Dtype::f16, base::Dtype::bf16})
        for (const std::string& value : values) {
            const std::string text =
                fmt::format("kernel k(in A: {0}[{1}, {2}], in B: {0}[{1}, {2}], in C: {0}[{1}, {2}], out R: "
                            "{0}[{1}, {2}], s: {0}) {{\n"
                            "  frag X: {0}[{1}, {2}];\n  frag Y: {0}[{1}, {2}];\n  frag Z: {0}[{1}, {2}];\n  "
                            "frag W: {0}[{1}, {2}];\n"
                            "  copy X <- A; copy Y <- B; copy Z <- C;\n  W = {3};\n  copy R <- W;\n}}\n",
                            base::name(dtype), rows, cols, value);
            tests::Arrays given{{"s", runtime::make_array(dtype, {})}};
            const base::Source source("k.tmx", text);
            for (const char* name : {"A", "B", "C"}) given[name] = patterns(random, dtype);
            given["s"].set(0, dtype == base::Dtype::f16 ? 0x3a00 : 0x3f20);
            CHECK(tests::difference(source, "k", given, true) == "");
        }
}

TEST_CASE("rows of 16 bits fold to the same bits on every target") {
    std::mt19937 random(5);
    for (const base::Dtype dtype : {base::Dtype::f32, base::Dtype::f16, base::Dtype::bf16, base::Dtype::s16})
        for (const char* fold : {"row_max", "row_min", "row_sum"})
            for (const char* atom : {"32x32b", "16x256b"}) {
                const std::string text = fmt::format(
                    "kernel k(in A: {0}[{1}, {2}], out R: {0}[{1}]) {{\n  frag X: {0}[{1}, {2}] atom {3};\n"
                    "  frag M: {0}[{1}] atom {3};\n  copy X <- A;\n  M = {5}({4}(X));\n  copy R <- M;\n}}\n",
                    base::name(dtype), rows, cols, atom, fold,
                    dtype == base::Dtype::s16 ? "cast<s16>" : ""); // a sum of integers has 32 bits
                CHECK(judged(text, random, {dtype}) == "");
            }
}
