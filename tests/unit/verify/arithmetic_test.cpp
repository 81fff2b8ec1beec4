// Drawn expressions, compiled, checked by verify, run on the emulator, and judged here element by element.
// The inputs are small whole numbers and expressions that leave the range in which the dtype holds every
// whole number are drawn again, so each result is exact and known whatever rounds: the judge needs no
// rounding of its own.
#include "launch.hpp"
#include "pipeline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>

using namespace tmemc;

namespace {

constexpr int rows = 64, cols = 32, elements = rows * cols;

struct Type {
    const char* name;
    int bits;
    int exponent_bits, mantissa_bits; // 0: an integer
    bool is_signed;
    double limit; // every whole number up to it is an element, or wraps
};
constexpr Type types[] = {
    {"f32", 32, 8, 23, true, 1 << 20}, {"f16", 16, 5, 10, true, 2048},    {"bf16", 16, 8, 7, true, 256},
    {"s32", 32, 0, 0, true, 1 << 30},  {"u32", 32, 0, 0, false, 1 << 30}, {"s16", 16, 0, 0, true, 1 << 30},
    {"u16", 16, 0, 0, false, 1 << 30}, {"s8", 8, 0, 0, true, 1 << 30},    {"u8", 8, 0, 0, false, 1 << 30},
};

std::uint32_t encode(const Type& type, double value) {
    const std::uint32_t mask = ~0U >> (32 - type.bits);
    if (type.exponent_bits == 0) return static_cast<std::uint32_t>(static_cast<std::int64_t>(value)) & mask;
    if (value == 0) return 0; // of either sign: see same()
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent) * 2 - 1; // 1.fraction * 2^(exponent - 1)
    const int bias = (1 << (type.exponent_bits - 1)) - 1;
    const auto mantissa = static_cast<std::uint32_t>(std::ldexp(fraction, type.mantissa_bits));
    const auto biased = static_cast<std::uint32_t>(exponent - 1 + bias);
    return (value < 0 ? 1U << (type.bits - 1) : 0) | biased << type.mantissa_bits | mantissa;
}
bool same(const Type& type, std::uint32_t found, double wanted) {
    if (type.exponent_bits != 0 && wanted == 0) return (found & ((1U << (type.bits - 1)) - 1)) == 0;
    return found == encode(type, wanted);
}

/// An expression: its text, and its value of two elements and the scalar; a NaN where it leaves the range.
struct Expression {
    std::string text;
    std::function<double(double, double, double)> value;
};

class Drawer {
  public:
    Drawer(std::mt19937& random, const Type& type) : random_(random), type_(type) {}
    std::vector<std::string> used;

    /// The first operand is never a number: what is made of numbers alone is worked out by the compiler.
    Expression draw(int depth, bool number = false) {
        if (depth == 0) return leaf(number);
        const Expression a = draw(depth - 1), b = draw(below(depth), true), c = draw(below(depth), true);
        const bool floats = type_.exponent_bits != 0;
        switch (below(floats ? 11 : 13)) {
        case 0: return both("+", a, b, [](double x, double y) { return x + y; });
        case 1: return both("-", a, b, [](double x, double y) { return x - y; });
        case 2: return both("*", a, b, [](double x, double y) { return x * y; });
        case 3: return call("min", a, b, [](double x, double y) { return std::min(x, y); });
        case 4: return call("max", a, b, [](double x, double y) { return std::max(x, y); });
        case 5: return one("abs", a, [](double x) { return std::fabs(x); });
        case 6: return one("relu", a, [](double x) { return std::max(x, 0.0); });
        case 7: return one("-", a, [](double x) { return -x; });
        case 8: return three(a, b, c);
        case 9: return choice(a, b, c);
        case 10: return product_added(a, b, c);
        case 11: return both("/", a, b, [](double x, double y) { return y == 0 ? NAN : std::trunc(x / y); });
        default: return both("%", a, b, [](double x, double y) { return y == 0 ? NAN : std::fmod(x, y); });
        }
    }

  private:
    using Two = double (*)(double, double);
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    double within(double value) const {
        const bool below_zero =
            !type_.is_signed && type_.bits == 32 && value < 0; // would wrap to something large
        return std::fabs(value) > type_.limit || below_zero ? NAN : value;
    }
    Expression leaf(bool number) {
        switch (below(number ? 4 : 3)) {
        case 0: return {"X", [](double x, double, double) { return x; }};
        case 1: return {"Y", [](double, double y, double) { return y; }};
        case 2: return {"s", [](double, double, double s) { return s; }};
        default: {
            const int value = below(7);
            return {std::to_string(value), [value](double, double, double) { return value; }};
        }
        }
    }
    Expression two(std::string text, const char* name, const Expression& a, const Expression& b, Two f) {
        used.emplace_back(name);
        return {std::move(text), [this, a, b, f](double x, double y, double s) {
                    const double p = a.value(x, y, s), q = b.value(x, y, s);
                    return std::isnan(p) || std::isnan(q) ? NAN : within(f(p, q));
                }};
    }
    Expression both(const char* sign, const Expression& a, const Expression& b, Two f) {
        return two(fmt::format("({} {} {})", a.text, sign, b.text), sign, a, b, f);
    }
    Expression call(const char* name, const Expression& a, const Expression& b, Two f) {
        return two(fmt::format("{}({}, {})", name, a.text, b.text), name, a, b, f);
    }
    Expression one(const char* name, const Expression& a, double (*f)(double)) {
        used.emplace_back(name[0] == '-' ? "negate" : name);
        return {fmt::format("{}({})", name, a.text),
                [this, a, f](double x, double y, double s) { return within(f(a.value(x, y, s))); }};
    }
    Expression sum_of_product(std::string text, const char* name, const Expression& a, const Expression& b,
                              const Expression& c) {
        used.emplace_back(name);
        return {std::move(text), [this, a, b, c](double x, double y, double s) {
                    return within(within(a.value(x, y, s) * b.value(x, y, s)) + c.value(x, y, s));
                }};
    }
    Expression three(const Expression& a, const Expression& b, const Expression& c) {
        return sum_of_product(fmt::format("fma({}, {}, {})", a.text, b.text, c.text), "fma", a, b, c);
    }
    Expression product_added(const Expression& a, const Expression& b, const Expression& c) {
        return sum_of_product(fmt::format("({} + {} * {})", c.text, a.text, b.text), "+*", a, b, c);
    }
    Expression choice(const Expression& a, const Expression& b, const Expression& c) {
        constexpr const char* signs[] = {"<", "<=", ">", ">=", "==", "!="};
        const int sign = below(6);
        used.emplace_back(signs[sign]);
        return {fmt::format("select({} {} {}, {}, {})", a.text, signs[sign], b.text, c.text, a.text),
                [a, b, c, sign](double x, double y, double s) {
                    const double p = a.value(x, y, s), q = b.value(x, y, s), r = c.value(x, y, s);
                    if (std::isnan(p) || std::isnan(q) || std::isnan(r)) return static_cast<double>(NAN);
                    const bool holds[] = {p<q, p <= q, p> q, p >= q, p == q, p != q};
                    return holds[sign] ? r : p;
                }};
    }

    std::mt19937& random_;
    const Type& type_;
};

struct Inputs {
    std::vector<double> a, b;
    double s = 0;
};
Inputs draw_inputs(std::mt19937& random, const Type& type) {
    const auto number = [&] {
        return static_cast<double>(static_cast<int>(random() % 13)) - (type.is_signed ? 6 : 0);
    };
    Inputs inputs;
    for (int i = 0; i < elements; ++i) {
        inputs.a.push_back(number());
        inputs.b.push_back(number());
    }
    inputs.s = number();
    return inputs;
}

std::vector<double> expected(const Expression& expression, const Inputs& inputs) {
    std::vector<double> results;
    for (std::size_t i = 0; i < inputs.a.size(); ++i)
        results.push_back(expression.value(inputs.a[i], inputs.b[i], inputs.s));
    return results;
}

std::string program(const Type& type, const char* atom, const std::string& expression) {
    return fmt::format(
        "kernel k(in A: {0}[{2}, {3}], in B: {0}[{2}, {3}], out C: {0}[{2}, {3}], s: {0}) {{\n"
        "frag X: {0}[{2}, {3}] atom {1};\nfrag Y: {0}[{2}, {3}] atom {1};\n"
        "frag Z: {0}[{2}, {3}] atom {1};\ncopy X <- A;\ncopy Y <- B;\nZ = {4};\ncopy C <- Z;\n}}\n",
        type.name, atom, rows, cols, expression);
}

std::vector<std::byte> encoded(const Type& type, const std::vector<double>& values) {
    const auto bytes = static_cast<std::size_t>(type.bits) / 8;
    std::vector<std::byte> all(values.size() * bytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t element = encode(type, values[i]);
        std::memcpy(all.data() + i * bytes, &element, bytes);
    }
    return all;
}

/// The bytes of C.
test::Bytes run(const std::string& ptx, const Type& type, const Inputs& inputs) {
    const std::vector<double> zeros(inputs.a.size());
    return test::launched(ptx, {encoded(type, inputs.a), encoded(type, inputs.b), encoded(type, zeros)},
                          {encoded(type, {inputs.s})})[2];
}

void judge(const Type& type, const std::string& text, const Inputs& inputs,
           const std::vector<double>& wanted) {
    const base::Source source("k.tmx", text);
    const Compilation made = compile(source);
    REQUIRE_MESSAGE(made.ok(), made.diagnostics.list.front().message);
    const auto checked = verify_text(made);
    CHECK_MESSAGE(!checked.mismatch,
                  verify::to_string(checked.mismatch.value_or(verify::Mismatch{}), source));
    const std::vector<std::byte> found = run(made.ptx.text, type, inputs);
    const auto bytes = static_cast<std::size_t>(type.bits) / 8;
    int wrong = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        std::uint32_t element = 0;
        std::memcpy(&element, found.data() + i * bytes, bytes);
        wrong += same(type, element, wanted[i]) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("drawn expressions give what their numbers say, in every dtype and through every atom") {
    constexpr const char* atoms[] = {"16x64b", "16x128b", "16x256b"};
    constexpr int each = 24;
    std::mt19937 random(7);
    std::map<std::string, int> drawn;
    for (const Type& type : types)
        for (int i = 0; i < each; ++i) {
            Drawer drawer(random, type);
            Expression expression;
            Inputs inputs;
            std::vector<double> wanted;
            do {
                drawer.used.clear();
                expression = drawer.draw(1 + i % 3);
                inputs = draw_inputs(random, type);
                wanted = expected(expression, inputs);
            } while (std::any_of(wanted.begin(), wanted.end(), [](double x) { return std::isnan(x); }));
            const std::string text = program(type, atoms[i % 3], expression.text);
            CAPTURE(text);
            judge(type, text, inputs, wanted);
            ++drawn[type.name];
            for (const std::string& used : drawer.used) ++drawn[used];
        }
    std::string counts;
    for (const auto& [name, count] : drawn) counts += fmt::format("{} {}, ", name, count);
    MESSAGE(counts);
    for (const char* name : {"+", "-", "*", "/", "%", "min", "max", "abs", "relu", "negate", "fma", "+*", "<",
                             "<=", ">", ">=", "==", "!="})
        CHECK_MESSAGE(drawn[name] > 3, name);
}
