// Comparisons that are joined with a predicate, have two results or give a value, and lop3 with each of its
// 256 tables, against plain C++:
//
//     setp.lt.and.s32 %p3|%p4, a, b, !%p1   =   (a < b && !p1), (!(a < b) && !p1)
//
// Not here: comparisons alone (integer_rows_test.cpp, float_rows_test.cpp).
#include "arithmetic_rows.hpp"

#include <bit>

using namespace tmemc;
using namespace tmemc::oracle;

namespace {

std::uint32_t draw(std::mt19937_64& random) {
    static constexpr std::uint32_t edges[] = {0,          1,          0x7fffffff, 0x80000000,
                                              0xffffffff, 0x7f800000, 0x7fc00000};
    const auto any = static_cast<std::uint32_t>(random());
    return random() % 2 == 0 ? any : edges[any % std::size(edges)];
}

/// A kernel of the instruction: %r1 to %r3 and the predicates %p1, %p2 from the thread's five words;
/// afterwards %r4 and the predicates %p3 and %p4 as bits 0 and 1 go to its two words.
std::string words_kernel(const std::string& instruction) {
    std::string body =
        "mov.u32 %r200, %tid.x; mul.wide.u32 %d50, %r200, 20; add.u64 %in, %in, %d50;\n"
        "mul.wide.u32 %d50, %r200, 8; add.u64 %out, %out, %d50; mov.u32 %r4, 7; mov.b16 %h4, 7;\n"
        "setp.ne.u32 %p3, %r200, %r200; setp.ne.u32 %p4, %r200, %r200;\n";
    for (int k = 0; k < 5; ++k)
        body += "ld.global.u32 %r" + std::to_string(k < 3 ? k + 1 : k + 7) + ", [%in+" +
                std::to_string(4 * k) + "];\n";
    body += "setp.ne.u32 %p1, %r10, 0; setp.ne.u32 %p2, %r11, 0;\n" + instruction + "\n";
    return emulator::kernel(body + "selp.b32 %r5, 1, 0, %p3; selp.b32 %r6, 2, 0, %p4; or.b32 %r5, %r5, %r6;\n"
                                   "st.global.v2.b32 [%out], {%r4, %r5}; ret;");
}

struct Words {
    std::uint32_t a, b, c, p, q;
};
using WordsOracle = std::function<std::array<std::uint32_t, 2>(const Words&)>;

void check_words(const std::string& instruction, const WordsOracle& want) {
    std::mt19937_64 random(std::hash<std::string>{}(instruction));
    std::vector<Words> in(512);
    for (Words& w : in) {
        const auto word = [&] { return draw(random); };
        w = {word(), word(), word(), word() & 1, word() & 1};
        if (random() % 4 == 0) w.b = w.a;
    }
    for (const CpuLevel level : {CpuLevel::baseline, emulator::cpu_level()}) {
        emulator::Program program(words_kernel(instruction), level);
        std::vector<std::uint32_t> out(2 * in.size());
        const emulator::Outcome outcome = program.run({{512, 1, 1}}, in, out);
        REQUIRE_MESSAGE(!outcome.fault, emulator::words(outcome));
        for (std::size_t t = 0; t < in.size(); ++t) {
            const auto expected = want(in[t]);
            if (out[2 * t] == expected[0] && out[2 * t + 1] == expected[1]) continue;
            FAIL_CHECK(instruction, ": ", out[2 * t], " ", out[2 * t + 1], " instead of ", expected[0], " ",
                       expected[1], " for ", in[t].a, " ", in[t].b, " ", in[t].c, " ", in[t].p);
            break;
        }
    }
}

bool join(const std::string& by, bool a, bool b) {
    return by == "and" ? a && b : by == "or" ? a || b : a != b;
}
std::uint32_t both(bool first, bool second) { return (first ? 1U : 0U) | (second ? 2U : 0U); }

} // namespace

TEST_CASE("a comparison is joined with a predicate, has two results, or gives a value") {
    struct Compare {
        std::string name;
        std::function<bool(std::uint32_t, std::uint32_t)> holds;
    };
    const auto number = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
    const std::vector<Compare> compares{
        {"lt.s32",
         [](auto a, auto b) { return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b); }},
        {"hi.u32", [](auto a, auto b) { return a > b; }},
        {"ne.b32", [](auto a, auto b) { return a != b; }},
        {"leu.f32", [&](auto a, auto b) { return !(number(a) > number(b)); }}};
    const std::map<std::string, std::uint32_t> yes{
        {"u32", 0xffffffff}, {"s32", 0xffffffff}, {"f32", 0x3f800000}};
    for (const Compare& compare : compares) {
        const std::size_t dot = compare.name.find('.');
        const std::string how = compare.name.substr(0, dot), type = compare.name.substr(dot);
        check_words("setp." + compare.name + " %p3|%p4, %r1, %r2;", [&](const Words& w) {
            const bool holds = compare.holds(w.a, w.b);
            return std::array{7U, both(holds, !holds)};
        });
        for (const std::string by : {"and", "or", "xor"}) {
            for (const bool negated : {false, true}) {
                const std::string with = std::string(negated ? "!" : "") + "%p1;";
                check_words("setp." + how + "." + by + type + " %p3|%p4, %r1, %r2, " + with,
                            [&](const Words& w) {
                                const bool holds = compare.holds(w.a, w.b), p = (w.p != 0) != negated;
                                return std::array{7U, both(join(by, holds, p), join(by, !holds, p))};
                            });
                for (const auto& [to, value] : yes) {
                    check_words("set." + how + "." + by + "." + to + type + " %r4, %r1, %r2, " + with,
                                [&, value = value](const Words& w) {
                                    const bool holds =
                                        join(by, compare.holds(w.a, w.b), (w.p != 0) != negated);
                                    return std::array{holds ? value : 0U, 0U};
                                });
                }
            }
        }
        check_words("set." + how + ".f16" + type + " %h4, %r1, %r2; cvt.u32.u16 %r4, %h4;",
                    [&](const Words& w) {
                        return std::array{compare.holds(w.a, w.b) ? 0x3c00U : 0U, 0U};
                    });
    }
}

TEST_CASE("any function of three bits, by each of its 256 tables, with a predicate of the result") {
    for (unsigned table = 0; table < 256; ++table) {
        const auto function = [table](const Words& w) {
            std::uint32_t result = 0;
            for (unsigned k = 0; k < 32; ++k) {
                const unsigned row = (w.a >> k & 1) << 2 | (w.b >> k & 1) << 1 | (w.c >> k & 1);
                result |= (table >> row & 1) << k;
            }
            return result;
        };
        const std::string text = "%r1, %r2, %r3, " + std::to_string(table),
                          end = table % 2 == 0 ? ", %p1;" : ";";
        const std::string name = table % 2 != 0   ? "lop3.b32 %r4, "
                                 : table % 4 != 0 ? "lop3.or.b32 %r4|%p3, "
                                                  : "lop3.and.b32 %r4|%p3, ";
        check_words(name + text + end, [&](const Words& w) {
            const std::uint32_t result = function(w);
            const bool set = table % 4 != 0 ? result != 0 || w.p != 0 : result != 0 && w.p != 0;
            return std::array{result, both(table % 2 == 0 && set, false)};
        });
    }
}
