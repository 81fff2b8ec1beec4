// setp and set of f16 and bf16, single and in pairs, against comparisons of long doubles (reals.hpp): every
// row plainly, with each Boolean operator and a predicate read either way, and as set of every type of
// result. Edge values with each other and random ones, at each CPU level; a row that the oracle does not know
// fails.
#include "../unit/emulator/program.hpp"
#include "reals.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

using namespace tmemc::emulator;
using namespace oracle;

namespace {

constexpr std::size_t threads = 256 * 16;

bool holds(const std::string& comparison, Real a, Real b) {
    const bool none = std::isnan(a) || std::isnan(b);
    const std::string plain =
        comparison.size() == 3 && comparison.back() == 'u' ? comparison.substr(0, 2) : comparison;
    if (comparison == "num") return !none;
    if (comparison == "nan") return none;
    if (none) return plain != comparison;
    if (plain == "eq") return a == b;
    if (plain == "ne") return a != b;
    if (plain == "lt") return a < b;
    if (plain == "le") return a <= b;
    if (plain == "gt") return a > b;
    REQUIRE_MESSAGE(plain == "ge", comparison, " has no oracle");
    return a >= b;
}
bool joined(const std::string& by, bool a, bool b) {
    return by == "and" ? a && b : by == "or" ? a || b : by == "xor" ? a != b : a;
}

std::uint64_t draw(std::uint64_t& state) { // splitmix
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
/// Two words of two halves and a third for the predicate, for each thread.
std::vector<std::uint32_t> inputs(const RealFormat& f) {
    const Code infinity = f.largest() + 1, one = to_code(f, 1);
    const std::vector<Code> edges{0,       1,           f.fraction(), f.fraction() + 1, one,
                                  one + 1, f.largest(), infinity,     infinity + 1,     0x7fff};
    std::uint64_t state = 4;
    const auto number = [&] {
        const std::uint64_t any = draw(state);
        return (any & 1) != 0 ? any >> 8 & 0xffff : edges[(any >> 8) % edges.size()] | (any >> 4 & 1) << 15;
    };
    std::vector<std::uint32_t> all;
    for (std::size_t i = 0; i < threads; ++i) {
        const Code a = number() | number() << 16, b = draw(state) % 4 == 0 ? a : number() | number() << 16;
        for (const Code word : {a, b, draw(state)}) all.push_back(static_cast<std::uint32_t>(word));
    }
    return all;
}

std::vector<std::uint32_t> run(const std::string& body, CpuLevel level,
                               const std::vector<std::uint32_t>& in) {
    const std::string text =
        kernel("mov.u32 %r10, %ctaid.x; mov.u32 %r11, %tid.x;\nmul.lo.u32 %r10, %r10, 256; add.u32 %r10, "
               "%r10, %r11;\nmul.wide.u32 %d10, %r10, 12; add.u64 %d10, %in, %d10;\n"
               "mul.wide.u32 %d11, %r10, 4; add.u64 %d11, %out, %d11;\n"
               "ld.global.b32 %r1, [%d10]; ld.global.b32 %r2, [%d10+4]; ld.global.b32 %r3, [%d10+8];\n"
               "ld.global.b16 %h1, [%d10]; ld.global.b16 %h2, [%d10+4]; and.b32 %r3, %r3, 1;\n"
               "setp.eq.u32 %p3, %r3, 1; mov.b32 %r0, 0; mov.b16 %h0, 0; mov.pred %p1, 0;\n" +
               body);
    std::vector<std::uint32_t> out(threads);
    CHECK(words(Program(text, level).run({{256, 1, 1}, {threads / 256, 1, 1}}, in, out)) == "");
    return out;
}

struct Comparison {
    std::string comparison, type; // "ltu", "f16x2"
    bool ftz = false;
    [[nodiscard]] bool pair() const { return type.back() == '2'; }
    [[nodiscard]] const RealFormat& format() const { return type[0] == 'b' ? bf16 : f16; }
    /// Of number k of a thread.
    [[nodiscard]] bool holds(const std::uint32_t* in, int k) const {
        const auto value = [&](std::uint32_t word) {
            const Code code = word >> (16 * k) & 0xffff;
            const bool subnormal = ftz && (code & 0x7fff) <= format().fraction();
            return from_code(format(), subnormal ? code & 0x8000 : code);
        };
        return ::holds(comparison, value(in[0]), value(in[1]));
    }
};

/// Compares what a body stores with `wanted(i)` of each thread.
template <class Wanted>
void check(const std::string& body, const std::vector<std::uint32_t>& in, Wanted wanted) {
    const auto out = run(body, CpuLevel::baseline, in);
    CHECK(run(body, cpu_level(), in) == out);
    for (std::size_t i = 0; i < threads; ++i) {
        const std::uint32_t want = wanted(&in[3 * i]);
        if (out[i] == want) continue;
        FAIL_CHECK(fmt::format("{}\nof {:#x} {:#x} {:#x} is {:#x}, wanted {:#x}", body, in[3 * i],
                               in[3 * i + 1], in[3 * i + 2], out[i], want));
        return;
    }
}

/// setp: bit 0 of what is stored is the first result, bit 1 the second.
void check_setp(const Comparison& row, const std::string& by, bool negated,
                const std::vector<std::uint32_t>& in) {
    const std::string sources = row.pair() ? "%r1, %r2" : "%h1, %h2";
    const std::string name = fmt::format("setp.{}{}{}.{}", row.comparison, by.empty() ? "" : "." + by,
                                         row.ftz ? ".ftz" : "", row.type);
    const std::string with = by.empty() ? "" : negated ? ", !%p3" : ", %p3";
    const std::string body = fmt::format("{} {}, {}{};\nselp.b32 %r4, 1, 0, %p0; selp.b32 %r5, 2, 0, %p1;\n"
                                         "or.b32 %r4, %r4, %r5; st.global.b32 [%d11], %r4;",
                                         name, row.pair() ? "%p0|%p1" : "%p0", sources, with);
    check(body, in, [&](const std::uint32_t* x) {
        const bool third = (x[2] & 1) != (negated ? 1 : 0);
        const unsigned high = row.pair() && joined(by, row.holds(x, 1), third) ? 2 : 0;
        return high | (joined(by, row.holds(x, 0), third) ? 1U : 0U);
    });
}

void check_set(const Comparison& row, const std::string& to, std::uint32_t yes, const std::string& by,
               const std::vector<std::uint32_t>& in) {
    const std::string sources = row.pair() ? "%r1, %r2" : "%h1, %h2";
    const bool wide = to.substr(1) == "32" || to.back() == '2';
    const std::string name = fmt::format("set.{}{}{}.{}.{}", row.comparison, by.empty() ? "" : "." + by,
                                         row.ftz ? ".ftz" : "", to, row.type);
    const std::string body =
        fmt::format("{0} %{1}0, {2}{3};\nst.global.b{4} [%d11], %{1}0;", name, wide ? 'r' : 'h', sources,
                    by.empty() ? "" : ", %p3", wide ? 32 : 16);
    check(body, in, [&](const std::uint32_t* x) {
        const bool third = (x[2] & 1) != 0;
        const std::uint32_t value = row.pair() ? yes & 0xffff : yes;
        const std::uint32_t high = row.pair() && joined(by, row.holds(x, 1), third) ? value << 16 : 0;
        return high | (joined(by, row.holds(x, 0), third) ? value : 0);
    });
}

} // namespace

TEST_CASE("every comparison of half precision gives what the oracle says") {
    std::map<std::string, int> classes;
    const std::map<char, std::vector<std::uint32_t>> in{{'f', inputs(f16)}, {'b', inputs(bf16)}};
    const struct {
        const char* to;
        std::uint32_t yes;
        const char* from;
    } results[] = {{"u32", 0xffffffff, "f16 f16x2 bf16 bf16x2"},
                   {"s32", 0xffffffff, "f16 f16x2 bf16 bf16x2"},
                   {"u16", 0xffff, "f16 bf16"},
                   {"s16", 0xffff, "f16 bf16"},
                   {"f16", 0x3c00, "f16"},
                   {"bf16", 0x3f80, "f16 bf16"},
                   {"f16x2", 0x3c00, "f16x2"},
                   {"bf16x2", 0x3f80, "bf16x2"}};
    for (const std::string& name : opcode_names()) {
        if (name.substr(0, 5) != "setp." || name.find("f16") == std::string::npos) continue;
        Comparison row;
        std::istringstream words(name.substr(5));
        std::getline(words, row.comparison, '.');
        for (std::string word; std::getline(words, word, '.');)
            word == "ftz" ? row.ftz = true : (row.type = word, false);
        for (const char* by : {"", "and", "or", "xor"}) {
            check_setp(row, by, false, in.at(row.type[0]));
            if (*by != 0) check_setp(row, by, true, in.at(row.type[0]));
            for (const auto& result : results) {
                const std::string from = fmt::format(" {} ", result.from);
                if (from.find(" " + row.type + " ") == std::string::npos || (*by != 0 && result.to[0] != 'u'))
                    continue;
                check_set(row, result.to, result.yes, by, in.at(row.type[0]));
                ++classes[fmt::format("set {} of {}", result.to, row.type)];
            }
        }
        ++classes["setp " + row.type];
    }
    for (const auto& [name, count] : classes) MESSAGE(name << ": " << count);
    CHECK(classes.size() == 4 + 17);
}

TEST_CASE("set takes the pairs of types that exist and no others") {
    const auto refused = [](const std::string& instruction) {
        const tmemc::base::Source source("set.ptx", kernel(instruction));
        return load(source, cpu_level()).diagnostics.list.size();
    };
    for (const char* good : {"set.eq.f16.u32 %h0, %r1, %r2;", "set.lt.bf16.f32 %h0, %f1, %f2;",
                             "set.lt.u16.bf16 %h0, %h1, %h2;"}) {
        INFO(good);
        CHECK(refused(good) == 0);
    }
    for (const char* bad : {"set.eq.f32.f16 %f0, %h1, %h2;", "set.eq.u16.u32 %h0, %r1, %r2;",
                            "set.eq.f16.bf16 %h0, %h1, %h2;", "set.eq.f16x2.f16 %r0, %h1, %h2;",
                            "set.eq.u64.f16 %d0, %h1, %h2;", "set.eq.f16x2.bf16x2 %r0, %r1, %r2;"}) {
        INFO(bad);
        CHECK(refused(bad) == 1);
    }
}
