// Drawn reductions and vectors, compiled, checked by verify, run on the emulator and judged here in plain
// C++: `Z = row_sum(X * rows(P) + cols(V))` and its like, in every atom, over slices, of whole numbers that
// add up exactly in any order; then maxima and minima of bit patterns, NaNs, infinities and both zeros among
// them.
#include "launch.hpp"
#include "pipeline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

using namespace tmemc;

namespace {

using test::Bytes, test::launched;

std::string compiled(const std::string& text) {
    const base::Source source("k.tmx", text);
    const Compilation made = compile(source);
    REQUIRE_MESSAGE(made.ok(), made.diagnostics.list.front().message);
    const auto checked = verify_text(made);
    CHECK_MESSAGE(!checked.mismatch,
                  verify::to_string(checked.mismatch.value_or(verify::Mismatch{}), source));
    return made.ptx.text;
}

struct Shape {
    const char* atom;
    int rows, cols;
};
/// Shapes whose rows lie in a thread or a warp, 32-bit elements.
constexpr Shape shapes[] = {{"32x32b", 128, 12}, {"16x64b", 128, 8},  {"16x64b", 64, 6},
                            {"16x128b", 128, 8}, {"16x128b", 64, 20}, {"16x256b", 128, 16},
                            {"16x256b", 64, 8},  {"16x32bx2", 64, 10}};

struct Type {
    const char* name;
    int bits;
    int exponent_bits, mantissa_bits; // 0: an integer
};
constexpr Type types[] = {{"f32", 32, 8, 23}, {"f16", 16, 5, 10}, {"bf16", 16, 8, 7}, {"s32", 32, 0, 0},
                          {"u32", 32, 0, 0},  {"s16", 16, 0, 0},  {"u8", 8, 0, 0}};

/// A small whole number as an element.
std::uint32_t encode(const Type& type, int value) {
    const std::uint32_t mask = ~0U >> (32 - type.bits);
    if (type.exponent_bits == 0) return static_cast<std::uint32_t>(value) & mask;
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (type.bits == 32) return bits;
    if (type.exponent_bits == 8) return bits >> 16;
    if (value == 0) return 0;
    const std::uint32_t exponent = (bits >> 23 & 255) - 127 + 15;
    return (bits >> 31) << 15 | exponent << 10 | (bits >> 13 & 1023);
}
Bytes encoded(const Type& type, const std::vector<int>& values) {
    const auto bytes = static_cast<std::size_t>(type.bits) / 8;
    Bytes all(values.size() * bytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t element = encode(type, values[i]);
        std::memcpy(all.data() + i * bytes, &element, bytes);
    }
    return all;
}

/// What a reduction's operand is, in text and in numbers.
struct Operand {
    const char* text;
    int (*value)(int x, int p, int v);
};
constexpr Operand operands[] = {
    {"X{}", [](int x, int, int) { return x; }},
    {"X{} + rows(P{r})", [](int x, int p, int) { return x + p; }},
    {"X{} - cols(V{c})", [](int x, int, int v) { return x - v; }},
    {"max(X{} * 2, rows(Q{r}) + cols(V{c}))", [](int x, int p, int v) { return std::max(2 * x, p + v); }},
};
constexpr const char* reductions[] = {"row_max", "row_min", "row_sum"};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

/// The slices that a turn works on, in multiples that keep whole lanes together.
struct Window {
    int row = 0, rows = 0, col = 0, cols = 0;
};
Window draw_window(std::mt19937& random, const Shape& shape) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Window window{0, shape.rows, 0, shape.cols};
    if (below(2) == 0) {
        window.row = below(shape.rows - 1);
        window.rows = 1 + below(shape.rows - window.row);
    }
    const std::string atom = shape.atom;
    const int unit = atom == "16x64b" ? 2 : atom == "16x128b" ? 4 : atom == "16x256b" ? 8 : 1;
    if (below(2) == 0 && atom != "16x32bx2") {
        window.col = unit * below(shape.cols / unit);
        window.cols = unit * (1 + below((shape.cols - window.col) / unit));
    }
    return window;
}

} // namespace

TEST_CASE("drawn reductions give what their numbers say") {
    std::mt19937 random(3);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::map<std::string, int> drawn;
    for (int i = 0; i < 200; ++i) {
        const Type& type = types[static_cast<std::size_t>(i) % std::size(types)];
        Shape shape = shapes[static_cast<std::size_t>(below(std::size(shapes)))];
        shape.cols *= 32 / type.bits;
        Window window = draw_window(random, shape);
        if (type.bits < 32) window.col = 0, window.cols = shape.cols;
        const Operand& operand = operands[below(std::size(operands))];
        const int which = below(3);
        const bool back = below(2) == 0; // into a tile again, not into a vector

        const std::string rows = fmt::format("[{}:{}]", window.row, window.row + window.rows);
        const std::string cols = fmt::format("[{}:{}]", window.col, window.col + window.cols);
        const std::string slice = fmt::format("[{}:{}, {}:{}]", window.row, window.row + window.rows,
                                              window.col, window.col + window.cols);
        std::string inner = replaced(replaced(operand.text, "{r}", rows), "{c}", cols);
        inner = replaced(inner, "{}", slice);
        const char* result = which == 2 && type.exponent_bits == 0 && type.bits < 32 ? "s32" : type.name;
        if (type.exponent_bits == 0 && type.bits < 32 && operand.text[3] != 0) result = "s32";
        const std::string value = fmt::format("cast<{}>({}({}))", type.name, reductions[which], inner);
        const std::string statement =
            back ? fmt::format("X{} = cast<{}>(rows({}({})));", slice, type.name, reductions[which], inner)
                 : fmt::format("M{} = {};", rows,
                               std::string(result) == type.name
                                   ? fmt::format("{}({})", reductions[which], inner)
                                   : value);
        const std::string text =
            fmt::format("kernel k(in A: {0}[{2}, {3}], in P: {0}[{2}], in V: {0}[{3}], out B: {0}[{2}, {3}], "
                        "out S: {0}[{2}]) {{\nfrag X: {0}[{2}, {3}] atom {1};\nfrag M: {0}[{2}] atom {1};\n"
                        "frag Q: {0}[{2}] atom {1};\ncopy X <- A;\ncopy Q <- P;\nM = 0;\n{4}\ncopy B <- X;\n"
                        "copy S <- M;\n}}\n",
                        type.name, shape.atom, shape.rows, shape.cols, statement);
        CAPTURE(text);

        // Sums stay within the whole numbers that bf16 and u8 hold.
        const int most = type.bits == 32 ? 100 : 1;
        const auto number = [&] { return below(most + 1); };
        std::vector<int> a(static_cast<std::size_t>(shape.rows * shape.cols)), p, v;
        for (int& each : a) each = number() + (type.bits < 32 && operand.text[3] == 0 ? 0 : most);
        for (int r = 0; r < shape.rows; ++r) p.push_back(number());
        for (int c = 0; c < shape.cols; ++c) v.push_back(number());

        std::vector<int> b = a, s(static_cast<std::size_t>(shape.rows));
        for (int r = window.row; r < window.row + window.rows; ++r) {
            int row = 0;
            for (int c = window.col; c < window.col + window.cols; ++c) {
                const auto at = static_cast<std::size_t>(r * shape.cols + c);
                const int x =
                    operand.value(a[at], p[static_cast<std::size_t>(r)], v[static_cast<std::size_t>(c)]);
                row = c == window.col ? x
                      : which == 0    ? std::max(row, x)
                      : which == 1    ? std::min(row, x)
                                      : row + x;
            }
            for (int c = window.col; back && c < window.col + window.cols; ++c)
                b[static_cast<std::size_t>(r * shape.cols + c)] = row;
            if (!back) s[static_cast<std::size_t>(r)] = row;
        }
        const auto found = launched(compiled(text), {encoded(type, a), encoded(type, p), encoded(type, v),
                                                     encoded(type, b), encoded(type, s)});
        CHECK(found[3] == encoded(type, b));
        CHECK(found[4] == encoded(type, s));
        for (const std::string& name :
             {std::string(type.name), std::string(shape.atom), std::string(operand.text),
              std::string(reductions[which]), std::string(back ? "tile" : "vector")})
            ++drawn[name];
    }
    std::string counts;
    for (const auto& [name, count] : drawn) {
        counts += fmt::format("{} {}, ", name, count);
        const std::string what = name; // clang 14 captures no structured binding
        CHECK_MESSAGE(count > 5, what);
    }
    MESSAGE(counts);
    CHECK(drawn.size() == std::size(types) + 5 + std::size(operands) + 3 + 2);
}

TEST_CASE("maxima and minima pass over NaNs and know both zeros") {
    std::mt19937 random(5);
    constexpr std::uint32_t special[] = {0x7fc00000, 0xffffffff, 0x7f800000, 0xff800000, 0,
                                         0x80000000, 0x3f800000, 0xbf800000, 1,          0x80000001};
    constexpr int rows = 64, cols = 8;
    for (const char* atom : {"16x64b", "16x128b", "16x256b", "16x32bx2"}) {
        const std::string text = fmt::format(
            "kernel k(in A: f32[64, 8], out S: f32[64], out T: f32[64]) {{\nfrag X: f32[64, 8] atom {0};\n"
            "frag M: f32[64] atom {0};\ncopy X <- A;\nM = row_max(X);\ncopy S <- M;\nM = row_min(X);\n"
            "copy T <- M;\n}}\n",
            atom);
        std::vector<std::uint32_t> a;
        for (int i = 0; i < rows * cols; ++i) {
            const bool all_nan = i / cols % 8 == 0;
            a.push_back(special[random() % (all_nan ? 2 : std::size(special))]);
        }
        Bytes input(a.size() * 4);
        std::memcpy(input.data(), a.data(), input.size());
        const auto found = launched(compiled(text), {input, Bytes(rows * 4), Bytes(rows * 4)});
        int nans = 0;
        for (int r = 0; r < rows; ++r) {
            std::vector<float> numbers;
            for (int c = 0; c < cols; ++c) {
                const auto x = std::bit_cast<float>(a[static_cast<std::size_t>(r * cols + c)]);
                if (!std::isnan(x)) numbers.push_back(x);
            }
            const auto below = [](float x, float y) {
                return x < y || (x == y && std::signbit(x) && !std::signbit(y));
            };
            std::uint32_t most = 0, least = 0;
            std::memcpy(&most, found[1].data() + r * 4, 4);
            std::memcpy(&least, found[2].data() + r * 4, 4);
            if (numbers.empty()) {
                CHECK(std::isnan(std::bit_cast<float>(most)));
                CHECK(std::isnan(std::bit_cast<float>(least)));
                ++nans;
                continue;
            }
            const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end(), below);
            CHECK(most == std::bit_cast<std::uint32_t>(*high));
            CHECK(least == std::bit_cast<std::uint32_t>(*low));
        }
        CHECK(nans >= 8);
    }
}
