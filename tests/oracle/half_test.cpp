// Every row of f16 and bf16 arithmetic, single and in pairs, against arithmetic written here in long double
// (reals.hpp), by the row's name: a row without an oracle fails. Edge values with each other and random ones,
// at each CPU level. A sum of long doubles is kept exact as a sum and its error, so that a result is rounded
// once, however far its terms are apart.
#include "../unit/emulator/program.hpp"
#include "reals.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>

using namespace tmemc::emulator;
using namespace oracle;

namespace {

// ---- the oracle
// ------------------------------------------------------------------------------------------------

struct Name {
    std::string operation; // "fma", "min", "ex2"
    std::set<std::string> words;
    std::string type; // "f16x2"
    [[nodiscard]] bool has(const char* word) const { return words.count(word) != 0; }
    [[nodiscard]] bool pair() const { return type.back() == '2'; }
    [[nodiscard]] const RealFormat& format() const { return type[0] == 'b' ? bf16 : f16; }
};
Name name_of(const std::string& row) {
    Name name;
    std::istringstream in(row);
    std::getline(in, name.operation, '.');
    for (std::string word; std::getline(in, word, '.');) name.words.insert(name.type = word);
    return name;
}

struct Sum {
    Real value, error; // the exact sum is both together
};
Sum sum(Real a, Real b) {
    const Real value = a + b;
    if (!std::isfinite(value)) return {value, 0};
    const Real part = value - a;
    return {value, (a - (value - part)) + (b - part)};
}
Real rounded(const RealFormat& f, const Sum& exact, Way way) {
    const Real value = std::fabs(exact.value);
    if (exact.error == 0 || !std::isfinite(value)) return oracle::rounded(f, exact.value, way);
    const bool beyond = std::signbit(exact.error) == std::signbit(exact.value); // further from zero
    const Real step = last_place(f, beyond ? value : std::nextafter(value, Real{0}));
    Real multiple = std::floor(value / step);
    const Real rest = value / step - multiple;
    const bool inwards = way == Way::zero || (way == Way::down) == !std::signbit(exact.value);
    if (way == Way::nearest_even)
        multiple += rest > 0.5L || (rest == 0.5L && beyond) ? 1 : 0;
    else if (inwards)
        multiple -= rest == 0 && !beyond ? 1 : 0;
    else
        multiple += rest == 0 && !beyond ? 0 : 1;
    const Real largest = from_code(f, f.largest());
    const Real over = way != Way::nearest_even && inwards ? largest : std::numeric_limits<Real>::infinity();
    return std::copysign(multiple * step > largest ? over : multiple * step, exact.value);
}

bool is_nan(const RealFormat& f, Code code) { return std::isnan(from_code(f, code)); }
Code flushed(const Name& name, Code code) {
    const bool subnormal = (code & 0x7fff) <= name.format().fraction();
    return name.has("ftz") && subnormal ? code & 0x8000 : code;
}

Code extreme(const Name& name, Code a, Code b) {
    const RealFormat& f = name.format();
    const Code sign = (a ^ b) & 0x8000;
    if (name.has("abs")) a &= 0x7fff, b &= 0x7fff;
    const bool no_a = is_nan(f, a), no_b = is_nan(f, b);
    if (name.has("NaN") ? no_a || no_b : no_a && no_b) return 0x7fff;
    Code chosen = 0;
    if (no_a || no_b) {
        chosen = no_a ? b : a;
    } else {
        const Real x = from_code(f, a), y = from_code(f, b);
        const bool a_below = x < y || (x == y && std::signbit(x) && !std::signbit(y));
        chosen = a_below == (name.operation == "min") ? a : b;
    }
    return name.has("xorsign") ? chosen | sign : chosen;
}

Real approximated(const Name& name, Real a) { return name.operation == "ex2" ? std::exp2(a) : std::tanh(a); }

/// The code of the result of one number of each source; nothing where the row has no oracle.
std::optional<Code> wanted(const Name& name, std::vector<Code> in) {
    const RealFormat& f = name.format();
    const bool outside = name.has("oob") && (in[0] == 0xffff || in[1] == 0xffff || in[2] == 0xffff);
    for (Code& code : in) code = flushed(name, code);
    std::vector<Real> x;
    for (const Code code : in) x.push_back(from_code(f, code));
    const std::string& op = name.operation;
    const Way way = name.has("rz") ? Way::zero : Way::nearest_even;
    std::optional<Code> result;
    if (op == "neg") result = is_nan(f, in[0]) ? 0x7fff : in[0] ^ 0x8000;
    if (op == "abs") result = is_nan(f, in[0]) ? 0x7fff : in[0] & 0x7fff;
    if (op == "min" || op == "max") result = extreme(name, in[0], in[1]);
    if (op == "add") result = to_code(f, rounded(f, sum(x[0], x[1]), way));
    if (op == "sub") result = to_code(f, rounded(f, sum(x[0], -x[1]), way));
    if (op == "mul") result = to_code(f, rounded(f, {x[0] * x[1], 0}, way));
    if (op == "fma") result = to_code(f, rounded(f, sum(x[0] * x[1], x[2]), way));
    if (op == "ex2" || op == "tanh") result = to_code(f, rounded(f, {approximated(name, x[0]), 0}, way));
    if (!result) return result;
    result = flushed(name, *result);
    const bool none = is_nan(f, *result), negative = (*result & 0x8000) != 0;
    if (name.has("sat")) result = none || negative ? 0 : std::min(*result, to_code(f, 1));
    if (name.has("relu") && !none && negative) result = 0;
    return outside ? 0 : result;
}

// ---- what goes in
// -----------------------------------------------------------------------------------------------

std::vector<Code> edges(const RealFormat& f) {
    const Code normal = f.fraction() + 1, one = to_code(f, 1), infinity = f.largest() + 1;
    std::vector<Code> all{0,
                          1,
                          2,
                          normal - 1,
                          normal,
                          normal + 1,
                          one - 1,
                          one,
                          one + 1,
                          2 * normal,
                          one + normal,
                          f.largest(),
                          infinity,
                          infinity + 1,
                          0x7fff,
                          f.largest() - normal,
                          to_code(f, 3),
                          to_code(f, 0.5L)};
    const std::size_t positive = all.size();
    for (std::size_t k = 0; k < positive; ++k) all.push_back(all[k] | 0x8000);
    return all;
}
std::uint64_t draw(std::uint64_t& state) { // splitmix
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

constexpr std::size_t threads = 256 * 160;
/// Three numbers of two halves for each thread: all edges with each other, then random ones; every fourth sum
/// nearly cancels or is nearly a tie.
std::vector<std::uint32_t> inputs(const RealFormat& f) {
    const std::vector<Code> edge = edges(f);
    std::vector<std::uint32_t> all;
    std::uint64_t state = 3;
    const auto number = [&](std::size_t i, std::size_t k) {
        const std::size_t n = edge.size();
        if (i < n * n * 12) return edge[k == 0 ? i % n : k == 1 ? i / n % n : (i / n / n * 3 + i) % n];
        const Code any = draw(state) & 0xffff;
        if (k < 2 || i % 4 != 0) return any;
        const Code a = all.end()[-2] & 0xffff,
                   b = all.end()[-1] & 0xffff; // the product, rounded, and a bit beside
        const Real product = -oracle::rounded(f, from_code(f, a) * from_code(f, b), Way::zero);
        return (to_code(f, product) + (any & 3) * (any >> 8 & 15)) & 0xffff;
    };
    for (std::size_t i = 0; i < threads; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            const Code below = number(i, k);
            all.push_back(static_cast<std::uint32_t>(below | (draw(state) & 0xffff) << 16));
        }
    return all;
}

std::string program(const std::string& row, int sources, bool pair) {
    std::string text =
        "mov.u32 %r10, %ctaid.x; mov.u32 %r11, %tid.x;\nmul.lo.u32 %r10, %r10, 256; add.u32 %r10, "
        "%r10, %r11;\nmul.wide.u32 %d10, %r10, 12; add.u64 %d10, %in, %d10;\n"
        "mul.wide.u32 %d11, %r10, 4; add.u64 %d11, %out, %d11;\n";
    const char kind = pair ? 'r' : 'h';
    for (int k = 0; k < 3; ++k)
        text += fmt::format("ld.global.b{} %{}{}, [%d10+{}];\n", pair ? 32 : 16, kind, k + 1, 4 * k);
    text += fmt::format("{} %{}0", row, kind);
    for (int k = 0; k < sources; ++k) text += fmt::format(", %{}{}", kind, k + 1);
    return kernel(text + fmt::format(";\nst.global.b{} [%d11], %{}0;", pair ? 32 : 16, kind));
}

std::vector<std::uint32_t> run(const std::string& text, CpuLevel level,
                               const std::vector<std::uint32_t>& in) {
    std::vector<std::uint32_t> out(threads);
    CHECK(words(Program(text, level).run({{256, 1, 1}, {threads / 256, 1, 1}}, in, out)) == "");
    return out;
}

bool ours(const std::string& row) {
    static const std::set<std::string> elsewhere{"cvt", "setp", "set", "atom", "red",
                                                 "ld",  "st",   "mov", "selp"};
    const Name name = name_of(row);
    static const std::set<std::string> types{"f16", "f16x2", "bf16", "bf16x2"};
    return types.count(name.type) != 0 && elsewhere.count(name.operation) == 0 && !name.has("f32");
}

} // namespace

TEST_CASE("every row of half precision gives what the oracle says") {
    std::map<std::string, int> classes;
    const std::map<std::string, std::vector<std::uint32_t>> in{{"f16", inputs(f16)}, {"bf16", inputs(bf16)}};
    for (const std::string& row : opcode_names()) {
        if (!ours(row)) continue;
        const Name name = name_of(row);
        const auto& bits = find_opcode(row, CpuLevel::baseline).row->bits;
        const auto sources =
            static_cast<int>(std::count_if(bits.begin() + 1, bits.end(), [](int b) { return b > 0; }));
        const auto& numbers = in.at(name.type[0] == 'b' ? "bf16" : "f16");
        const std::string text = program(row, sources, name.pair());
        const auto out = run(text, CpuLevel::baseline, numbers);
        CHECK(run(text, cpu_level(), numbers) == out);
        int shown = 0;
        for (std::size_t i = 0; i < threads && shown < 3; ++i)
            for (int shift = 0; shift <= (name.pair() ? 16 : 0); shift += 16) {
                std::vector<Code> x;
                for (std::size_t k = 0; k < 3; ++k) x.push_back(numbers[3 * i + k] >> shift & 0xffff);
                const auto want = wanted(name, x);
                REQUIRE_MESSAGE(want.has_value(), row, " has no oracle");
                const Code got = out[i] >> shift & 0xffff;
                if (got == *want) continue;
                ++shown;
                FAIL_CHECK(fmt::format("{} of {:#x} {:#x} {:#x} is {:#x}, wanted {:#x}", row, x[0], x[1],
                                       x[2], got, *want));
            }
        ++classes[name.operation + " " + name.type];
    }
    for (const auto& [name, count] : classes) MESSAGE(name << ": " << count << " rows");
    CHECK(classes.size() == 40);
}

TEST_CASE("every sum of half precision with f32 gives what the oracle says") {
    std::map<std::string, int> classes;
    std::uint64_t state = 9;
    for (const std::string& row : opcode_names()) {
        const Name name = name_of(row);
        const bool fused = name.operation == "fma";
        if (!name.has("f32") || (name.type != "f16" && name.type != "bf16") || name.operation == "cvt")
            continue;
        if (name.operation == "setp" || name.operation == "set") continue;
        const RealFormat& f = name.format();
        std::vector<std::uint32_t> in; // two halves, a float near their sum or product, or anything
        const std::vector<Code> edge = edges(f);
        for (std::size_t i = 0; i < threads; ++i) {
            const Code a = i % 3 == 0 ? edge[i % edge.size()] : draw(state) & 0xffff;
            const Code b = i % 5 == 0 ? edge[i / 7 % edge.size()] : draw(state) & 0xffff;
            const Real near =
                from_code(f, a) * (fused ? from_code(f, b) : Real{1}) * (i % 4 == 0 ? -1 : 0x1p-23L);
            const Code c = i % 2 == 0   ? to_code(f32, oracle::rounded(f32, near, Way::down))
                           : i % 7 == 0 ? edge[i % edge.size()] << 16
                                        : draw(state);
            for (const Code code : {a, b, c}) in.push_back(static_cast<std::uint32_t>(code));
        }
        std::string text =
            "mov.u32 %r10, %ctaid.x; mov.u32 %r11, %tid.x;\nmul.lo.u32 %r10, %r10, 256; add.u32 %r10, "
            "%r10, %r11;\nmul.wide.u32 %d10, %r10, 12; add.u64 %d10, %in, %d10;\n"
            "mul.wide.u32 %d11, %r10, 4; add.u64 %d11, %out, %d11;\n"
            "ld.global.b16 %h1, [%d10]; ld.global.b16 %h2, [%d10+4]; ld.global.f32 %f3, [%d10+8];\n";
        text = kernel(text + row + (fused ? " %f0, %h1, %h2, %f3;" : " %f0, %h1, %f3;") +
                      "\nst.global.f32 [%d11], %f0;");
        const auto out = run(text, CpuLevel::baseline, in);
        CHECK(run(text, cpu_level(), in) == out);
        const Way way = name.has("rz")   ? Way::zero
                        : name.has("rm") ? Way::down
                        : name.has("rp") ? Way::up
                                         : Way::nearest_even;
        int shown = 0;
        for (std::size_t i = 0; i < threads && shown < 3; ++i) {
            const Real x = from_code(f, in[3 * i]), y = fused ? from_code(f, in[3 * i + 1]) : 1;
            const Real z = from_code(f32, in[3 * i + 2]) * (name.operation == "sub" ? -1 : 1);
            Real result = rounded(f32, sum(x * y, z), way);
            if (x * y + z == 0 && std::signbit(x * y) != std::signbit(z))
                result = way == Way::down ? -0.0L : 0.0L;
            if (name.has("sat")) result = result > 0 ? std::min(result, Real{1}) : 0;
            const Code want = to_code(f32, result);
            if (out[i] == want) continue;
            ++shown;
            FAIL_CHECK(fmt::format("{} of {:#x} {:#x} {:#x} is {:#x}, wanted {:#x}", row, in[3 * i],
                                   in[3 * i + 1], in[3 * i + 2], out[i], want));
        }
        ++classes[name.operation + " " + name.type];
    }
    for (const auto& [name, count] : classes) MESSAGE(name << ": " << count << " rows");
    CHECK(classes.size() == 6);
}
