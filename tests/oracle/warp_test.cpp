// shfl, vote, match, redux, elect and activemask against plain formulas: random values, member masks,
// segments and distances, in lanes that come to the instruction together or on two ways. What a lane of no
// member would give is undefined and not looked at. Source of the formulas: PTX ISA, the pages of the
// instructions.
#include "../unit/emulator/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

using namespace tmemc::emulator;

namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::size_t lanes = 32, words_in = 6, words_out = 2;

// Per lane: value, value's upper half, two operands, the member mask (0: the lane takes no part), the way.
// %d2 is the value of 64 bits, %p2 its lowest bit. Two words go out: %r20, and %p3 in %r21. Lanes of way 1
// run code of their own before they come to the instruction.
std::string program(const std::string& instruction) {
    return kernel(
        "mov.u32 %r0, %laneid; mul.lo.u32 %r1, %r0, 24; cvt.u64.u32 %d1, %r1; add.u64 %in, %in, %d1;\n"
        "mul.lo.u32 %r1, %r0, 8; cvt.u64.u32 %d1, %r1; add.u64 %out, %out, %d1;\n"
        "ld.global.v2.u32 {%r2, %r3}, [%in]; ld.global.v2.u32 {%r4, %r5}, [%in+8];\n"
        "ld.global.v2.u32 {%r6, %r7}, [%in+16]; mov.b64 %d2, {%r2, %r3}; mov.b32 %f2, %r2;\n"
        "and.b32 %r8, %r2, 1; setp.eq.u32 %p2, %r8, 1; setp.eq.u32 %p4, %r6, 0; @%p4 exit;\n"
        "setp.eq.u32 %p5, %r7, 0; @%p5 bra MEET; add.u32 %r9, %r2, 1; MEET:\n"
        "setp.eq.u32 %p3, 0, 1;\n" +
        instruction + "\nselp.b32 %r21, 1, 0, %p3; st.global.v2.u32 [%out], {%r20, %r21}; ret;");
}

struct Round {
    Words in{Words(lanes * words_in)};
    std::uint32_t at(std::size_t lane, std::size_t word) const { return in[lane * words_in + word]; }
    std::uint64_t wide(std::size_t lane) const { return at(lane, 0) | std::uint64_t{at(lane, 1)} << 32; }
    std::uint32_t members(std::size_t lane) const { return at(lane, 4); }
    /// The lanes that execute with this one.
    std::vector<std::size_t> group(std::size_t lane) const {
        std::vector<std::size_t> list;
        for (std::size_t other = 0; other < lanes; ++other)
            if (members(other) == members(lane)) list.push_back(other);
        return list;
    }
};

// Values from a few, so that they agree now and then; masks that part the warp into one to three groups.
Round drawn(std::mt19937& engine) {
    const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
    Round round;
    const std::uint32_t parting = random() % 4;
    std::array<std::uint32_t, 3> mask{};
    std::array<std::uint32_t, lanes> of{};
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        of[lane] = parting == 0 ? 0 : parting == 3 ? random() % 2 * (lane / 8 % 3) : random() % (parting + 1);
        mask[of[lane]] |= 1u << lane;
    }
    const bool absent = random() % 3 == 0; // the last group takes no part
    const std::uint32_t kind = random() % 4;
    const std::uint32_t segment = std::array<std::uint32_t, 6>{0, 16, 24, 28, 30, random() % 32}[random() % 6]
                                  << 8;
    const std::uint32_t clamp = random() % 3 == 0 ? random() % 32 : random() % 2 * 31;
    const std::uint32_t distance = random() % 33;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        std::uint32_t* word = &round.in[lane * words_in];
        word[0] = kind == 0 ? random() : kind == 1 ? random() % 2 : kind == 2 ? 7 : random() % 5 * 0x20000001;
        word[1] = kind == 0 ? random() % 2 : kind == 1 ? 3 : 0;
        word[2] = random() % 4 == 0 ? random() : distance;
        word[3] = random() % 8 == 0 ? random() : segment | clamp;
        word[4] = absent && parting != 0 && of[lane] == (parting == 3 ? 2 : parting) ? 0 : mask[of[lane]];
        word[5] = random() % 2;
    }
    return round;
}

struct Wanted {
    std::optional<std::uint32_t> value, predicate; // nothing: not looked at
};
using Formula = std::function<Wanted(const Round&, std::size_t lane)>;

void check(const std::string& instruction, const Formula& formula, int rounds,
           std::map<std::string, int>& classes) {
    Program loaded(program(instruction));
    std::mt19937 random(7);
    for (int k = 0; k < rounds; ++k) {
        const Round round = drawn(random);
        Words out(lanes * words_out, 0x55555555);
        const Outcome outcome = loaded.run({}, round.in, out);
        INFO(instruction << " round " << k);
        REQUIRE_MESSAGE(!outcome.fault, words(outcome));
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            if (round.members(lane) == 0) {
                ++classes["lanes that take no part"];
                REQUIRE(out[lane * words_out] == 0x55555555);
                continue;
            }
            const Wanted want = formula(round, lane);
            ++classes[want.value ? "values" : "undefined values"];
            if (want.value) REQUIRE(out[lane * words_out] == *want.value);
            if (want.predicate) REQUIRE(out[lane * words_out + 1] == *want.predicate);
        }
    }
}

void report(const std::map<std::string, int>& classes, std::initializer_list<const char*> expected) {
    for (const auto& each : classes) MESSAGE(each.first << ": " << each.second);
    for (const char* name : expected) CHECK_MESSAGE(classes.count(name) != 0, name);
}

} // namespace

TEST_CASE("shfl.sync in every mode, segment and clamp") {
    std::map<std::string, int> classes;
    for (const std::string mode : {"up", "down", "bfly", "idx"}) {
        const Formula formula = [&](const Round& round, std::size_t self) -> Wanted {
            const int lane = static_cast<int>(self);
            const int b = static_cast<int>(round.at(self, 2) % 32),
                      c = static_cast<int>(round.at(self, 3) % 32);
            const int segment = static_cast<int>(round.at(self, 3) / 256 % 32);
            const int most = (lane & segment) | (c & ~segment & 31), least = lane & segment;
            int from = 0;
            if (mode == "up") from = lane - b;
            if (mode == "down") from = lane + b;
            if (mode == "bfly") from = lane ^ b;
            if (mode == "idx") from = least | (b & ~segment & 31);
            const bool inside = mode == "up" ? from >= most : from <= most;
            if (!inside) from = lane;
            ++classes[mode + (inside ? " inside" : " outside")];
            const auto group = round.group(self);
            const bool there =
                std::find(group.begin(), group.end(), static_cast<std::size_t>(from)) != group.end();
            Wanted want;
            if (there) want.value = round.at(static_cast<std::size_t>(from), 0);
            want.predicate = inside;
            return want;
        };
        check("shfl.sync." + mode + ".b32 %r20|%p3, %r2, %r4, %r5, %r6;", formula, 150, classes);
        check(
            "shfl.sync." + mode + ".b32 %r20, %r2, %r4, %r5, %r6;",
            [&](const Round& round, std::size_t lane) {
                return Wanted{formula(round, lane).value, 0};
            },
            10, classes);
    }
    report(classes,
           {"values", "undefined values", "lanes that take no part", "up inside", "up outside", "down inside",
            "down outside", "bfly inside", "bfly outside", "idx inside", "idx outside"});
}

TEST_CASE("vote.sync, over each group of lanes with one mask") {
    std::map<std::string, int> classes;
    const auto ayes = [](const Round& round, std::size_t lane, bool negated) {
        std::uint32_t mask = 0;
        for (const std::size_t other : round.group(lane))
            if (((round.at(other, 0) & 1) != 0) != negated) mask |= 1u << other;
        return mask;
    };
    for (const bool negated : {false, true}) {
        const std::string p = negated ? "!%p2" : "%p2";
        const auto tally = [&](const std::string& name,
                               const std::function<bool(std::uint32_t, std::uint32_t)>& f) {
            check(
                "vote.sync." + name + ".pred %p3, " + p + ", %r6; mov.u32 %r20, 0;",
                [&](const Round& round, std::size_t lane) {
                    const bool is = f(ayes(round, lane, negated), round.members(lane));
                    ++classes[name + (is ? " true" : " false")];
                    return Wanted{std::nullopt, is};
                },
                60, classes);
        };
        tally("all", [](std::uint32_t aye, std::uint32_t all) { return aye == all; });
        tally("any", [](std::uint32_t aye, std::uint32_t) { return aye != 0; });
        tally("uni", [](std::uint32_t aye, std::uint32_t all) { return aye == 0 || aye == all; });
        check(
            "vote.sync.ballot.b32 %r20, " + p + ", %r6;",
            [&](const Round& round, std::size_t lane) {
                return Wanted{ayes(round, lane, negated), 0};
            },
            60, classes);
    }
    report(classes, {"all true", "all false", "any true", "any false", "uni true", "uni false"});
}

TEST_CASE("match.sync of 32 and 64 bits") {
    std::map<std::string, int> classes;
    for (const bool wide : {false, true}) {
        const std::string type = wide ? "b64" : "b32", operand = wide ? "%d2" : "%r2";
        const auto alike = [&](const Round& round, std::size_t lane) {
            std::uint32_t mask = 0;
            for (const std::size_t other : round.group(lane)) {
                const bool same =
                    wide ? round.wide(other) == round.wide(lane) : round.at(other, 0) == round.at(lane, 0);
                if (same) mask |= 1u << other;
            }
            return mask;
        };
        check(
            "match.any.sync." + type + " %r20, " + operand + ", %r6;",
            [&](const Round& round, std::size_t lane) {
                return Wanted{alike(round, lane), 0};
            },
            100, classes);
        check(
            "match.all.sync." + type + " %r20|%p3, " + operand + ", %r6;",
            [&](const Round& round, std::size_t lane) {
                const bool all = alike(round, lane) == round.members(lane);
                ++classes[all ? "all agree" : "some differ"];
                return Wanted{all ? round.members(lane) : 0, all};
            },
            100, classes);
    }
    report(classes, {"all agree", "some differ"});
}

TEST_CASE("redux.sync of integers and floats") {
    std::map<std::string, int> classes;
    using Fold = std::function<std::uint32_t(std::uint32_t, std::uint32_t)>;
    const auto as_signed = [](std::uint32_t a) { return static_cast<std::int32_t>(a); };
    const std::vector<std::pair<std::string, Fold>> folds = {
        {"add.u32", [](auto a, auto b) { return a + b; }},
        {"add.s32", [](auto a, auto b) { return a + b; }},
        {"min.u32", [](auto a, auto b) { return a < b ? a : b; }},
        {"max.u32", [](auto a, auto b) { return a < b ? b : a; }},
        {"min.s32", [&](auto a, auto b) { return as_signed(a) < as_signed(b) ? a : b; }},
        {"max.s32", [&](auto a, auto b) { return as_signed(a) < as_signed(b) ? b : a; }},
        {"and.b32", [](auto a, auto b) { return a & b; }},
        {"or.b32", [](auto a, auto b) { return a | b; }},
        {"xor.b32", [](auto a, auto b) { return a ^ b; }}};
    for (const auto& [name, fold] : folds) {
        const Fold combine = fold;
        check(
            "redux.sync." + name + " %r20, %r2, %r6;",
            [&](const Round& round, std::size_t lane) {
                const auto group = round.group(lane);
                std::uint32_t sum = round.at(group[0], 0);
                for (std::size_t k = 1; k < group.size(); ++k) sum = combine(sum, round.at(group[k], 0));
                return Wanted{sum, 0};
            },
            60, classes);
    }
    for (const bool largest : {false, true}) {
        for (const bool absolute : {false, true}) {
            for (const bool nan : {false, true}) {
                // The values, modified, become some of these.
                const std::vector<std::uint32_t> numbers = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                                            1,          0x7f800000, 0xff800000, 0x7fc00000,
                                                            0x80000001, 0xffc12345};
                const std::string name = std::string("redux.sync.") + (largest ? "max" : "min") +
                                         (absolute ? ".abs" : "") + (nan ? ".NaN" : "") + ".f32";
                std::string choose;
                for (std::size_t k = 0; k < numbers.size(); ++k)
                    choose +=
                        fmt::format("setp.eq.u32 %p6, %r10, {}; @%p6 mov.b32 %r11, {:#x};\n", k, numbers[k]);
                const auto number = [&](const Round& round, std::size_t lane) {
                    float value = 0;
                    const std::uint32_t bits =
                        numbers[round.at(lane, 0) % numbers.size()] & (absolute ? 0x7fffffff : ~0u);
                    std::memcpy(&value, &bits, 4);
                    return value;
                };
                check(
                    "rem.u32 %r10, %r2, " + std::to_string(numbers.size()) + "; mov.u32 %r11, 0;\n" + choose +
                        name + " %r20, %r11, %r6;",
                    [&](const Round& round, std::size_t lane) {
                        // By an order of all values: -inf, ..., -0, +0, ..., inf.
                        std::optional<float> best;
                        bool any_nan = false;
                        for (const std::size_t other : round.group(lane)) {
                            const float value = number(round, other);
                            if (std::isnan(value)) {
                                any_nan = true;
                                continue;
                            }
                            const auto key = [](float f) { return std::make_pair(f, !std::signbit(f)); };
                            if (!best || (largest ? key(*best) < key(value) : key(value) < key(*best)))
                                best = value;
                        }
                        ++classes[any_nan ? (best ? "some NaN" : "all NaN") : "no NaN"];
                        std::uint32_t bits = 0x7fffffff;
                        if (best && !(nan && any_nan)) std::memcpy(&bits, &*best, 4);
                        return Wanted{bits, 0};
                    },
                    60, classes);
            }
        }
    }
    report(classes, {"some NaN", "no NaN", "all NaN"});
}

TEST_CASE("elect.sync elects one of each group, and activemask tells who runs") {
    std::map<std::string, int> classes;
    check(
        "elect.sync %r20|%p3, %r6;",
        [](const Round& round, std::size_t lane) {
            const auto leader = static_cast<std::uint32_t>(round.group(lane)[0]);
            return Wanted{leader, leader == lane};
        },
        100, classes);
    check(
        "bar.warp.sync %r6; activemask.b32 %r20; and.b32 %r20, %r20, %r6;",
        [](const Round& round, std::size_t lane) {
            return Wanted{round.members(lane), 0};
        },
        20, classes);
    report(classes, {"values"});
}

TEST_CASE("a warp of fewer threads, and lanes that have exited, are not waited for") {
    for (const std::uint32_t threads : {1u, 5u, 31u, 45u}) {
        Program program(kernel("mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %out, %out, %d1;\n"
                               "setp.eq.u32 %p1, %r0, 3; @%p1 exit; vote.sync.ballot.b32 %r1, 1, -1;\n"
                               "st.global.u32 [%out], %r1; ret;"));
        const Words in(1);
        Words out(threads, 9);
        const Outcome outcome = program.run({{threads, 1, 1}}, in, out);
        REQUIRE_MESSAGE(!outcome.fault, words(outcome));
        for (std::uint32_t t = 0; t < threads; ++t) {
            const std::uint32_t in_warp = std::min(threads - t / 32 * 32, 32u);
            std::uint32_t mask = in_warp == 32 ? ~0u : (1u << in_warp) - 1;
            if (t < 32) mask &= ~8u;
            CHECK(out[t] == (t == 3 ? 9u : mask));
        }
    }
}
