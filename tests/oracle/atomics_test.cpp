// atom and red against plain C++: every operation and type, scalars and vectors, in global and shared memory,
// by their own addresses and by generic ones. 32 lanes share four cells, so each finds what the lanes before
// it have left; operands are drawn from the edges of the type and at random. Numbers of 16 bits are rounded
// here by looking for the nearest of all of them.
#include "../unit/emulator/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace tmemc::emulator;

namespace {

using Bits = std::uint64_t;

struct Case {
    std::string operation, type;
    int bits;
    int most_elements;
};
const std::vector<Case> cases = {
    {"exch", "b32", 32, 1}, {"exch", "b64", 64, 1},   {"cas", "b16", 16, 1}, {"cas", "b32", 32, 1},
    {"cas", "b64", 64, 1},  {"and", "b32", 32, 1},    {"and", "b64", 64, 1}, {"or", "b32", 32, 1},
    {"or", "b64", 64, 1},   {"xor", "b32", 32, 1},    {"xor", "b64", 64, 1}, {"inc", "u32", 32, 1},
    {"dec", "u32", 32, 1},  {"min", "u32", 32, 1},    {"min", "s32", 32, 1}, {"min", "u64", 64, 1},
    {"min", "s64", 64, 1},  {"max", "u32", 32, 1},    {"max", "s32", 32, 1}, {"max", "u64", 64, 1},
    {"max", "s64", 64, 1},  {"add", "u32", 32, 1},    {"add", "s32", 32, 1}, {"add", "u64", 64, 1},
    {"add", "f64", 64, 1},  {"add", "f32", 32, 4},    {"add", "f16", 16, 8}, {"add", "f16x2", 32, 4},
    {"add", "bf16", 16, 8}, {"add", "bf16x2", 32, 4}, {"min", "f16", 16, 8}, {"min", "f16x2", 32, 4},
    {"min", "bf16", 16, 8}, {"min", "bf16x2", 32, 4}, {"max", "f16", 16, 8}, {"max", "f16x2", 32, 4},
    {"max", "bf16", 16, 8}, {"max", "bf16x2", 32, 4}};

bool is_half(const std::string& type) { return type.find("f16") != std::string::npos; }

// ---- numbers of 16 bits

double value_of(bool brain, Bits code) {
    if (brain) {
        const auto word = static_cast<std::uint32_t>(code << 16);
        float value = 0;
        std::memcpy(&value, &word, 4);
        return value;
    }
    const int exponent = static_cast<int>(code >> 10 & 31);
    const double fraction = static_cast<double>(code & 1023);
    const double sign = (code >> 15 & 1) != 0 ? -1 : 1;
    if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}
Bits nearest(bool brain, double value) {
    if (std::isnan(value)) return 0x7fff;
    const Bits infinity = brain ? 0x7f80 : 0x7c00;
    const double size = std::fabs(value);
    // As if there were one more number behind the largest, where infinity begins.
    Bits low = 0, high = infinity;
    while (high - low > 1) {
        const Bits middle = (low + high) / 2;
        (value_of(brain, middle) <= size ? low : high) = middle;
    }
    const double below = value_of(brain, low);
    const double above =
        high == infinity ? below + (below - value_of(brain, low - 1)) : value_of(brain, high);
    const bool up = size - below > above - size || (size - below == above - size && (low & 1) != 0);
    return (std::signbit(value) ? 0x8000u : 0u) | (up ? high : low);
}

// ---- what each operation does

float flushed(std::uint32_t bits, bool flush) {
    if (flush && (bits & 0x7f800000) == 0) bits &= 0x80000000;
    float value = 0;
    std::memcpy(&value, &bits, 4);
    return value;
}
template <class T>
Bits signed_choice(const std::string& operation, Bits a, Bits b) {
    const bool less = static_cast<T>(a) < static_cast<T>(b);
    return less == (operation == "min") ? a : b;
}

Bits half_result(const std::string& operation, bool brain, Bits there, Bits b) {
    const double x = value_of(brain, there), y = value_of(brain, b);
    if (operation == "add") return nearest(brain, x + y);
    if (std::isnan(x)) return std::isnan(y) ? 0x7fff : b;
    if (std::isnan(y)) return there;
    if (x == y) return std::signbit(x) == (operation == "min") ? there : b;
    return (x < y) == (operation == "min") ? there : b;
}

Bits wanted(const Case& c, bool shared, Bits there, Bits b, Bits swap) {
    const std::string& o = c.operation;
    if (is_half(c.type)) {
        const bool brain = c.type[0] == 'b';
        Bits result = half_result(o, brain, there & 0xffff, b & 0xffff);
        if (c.bits == 32) result |= half_result(o, brain, there >> 16, b >> 16) << 16;
        return result;
    }
    if (o == "exch") return b;
    if (o == "cas") return there == b ? swap : there;
    if (o == "and") return there & b;
    if (o == "or") return there | b;
    if (o == "xor") return there ^ b;
    if (o == "inc") return there >= b ? 0 : there + 1;
    if (o == "dec") return there == 0 || there > b ? b : there - 1;
    if (c.type == "f32") {
        const float sum = flushed(static_cast<std::uint32_t>(there), !shared) +
                          flushed(static_cast<std::uint32_t>(b), !shared);
        std::uint32_t word = 0;
        std::memcpy(&word, &sum, 4);
        if (sum != sum) word = 0x7fffffff;
        if (!shared && (word & 0x7f800000) == 0) word &= 0x80000000;
        return word;
    }
    if (c.type == "f64") {
        double x = 0, y = 0;
        std::memcpy(&x, &there, 8);
        std::memcpy(&y, &b, 8);
        const double sum = x + y;
        Bits bits = 0;
        std::memcpy(&bits, &sum, 8);
        const Bits first = shared ? there : b, second = shared ? b : there; // as an H200 does it
        const bool first_is = shared ? x != x : y != y, second_is = shared ? y != y : x != x;
        const Bits nan = first_is ? first : second_is ? second : 0xfff0000000000000;
        const bool kept = !shared && (first_is || second_is);
        return sum != sum ? nan | (kept ? 0 : 0x0008000000000000) : bits;
    }
    if (o == "add") return there + b;
    if (c.type == "s32") return signed_choice<std::int32_t>(o, there, b);
    if (c.type == "s64") return signed_choice<std::int64_t>(o, there, b);
    return (there < b) == (o == "min") ? there : b;
}

// ---- programs

constexpr std::size_t lanes = 32, cells = 4, cell = 16; // bytes

std::string list(const std::string& prefix, int count) {
    std::string text = count == 1 ? "" : "{";
    for (int k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + prefix + std::to_string(10 + k);
    return text + (count == 1 ? "" : "}");
}

std::string program(const Case& c, int elements, const std::string& space, bool red) {
    const std::string width = "b" + std::to_string(c.bits);
    const std::string vector = elements == 1 ? "" : ".v" + std::to_string(elements);
    const std::string r = c.bits == 16 ? "%h" : c.bits == 32 ? "%r" : "%d";
    const std::string there = list(r + "1", elements), b = list(r + "2", elements),
                      swap = list(r + "3", elements);
    const bool shared = space.find("shared") != std::string::npos;
    std::string text =
        ".shared .align 16 .b8 cells[64];\nmov.u32 %r0, %laneid; and.b32 %r1, %r0, 3;\n"
        "mul.wide.u32 %d1, %r0, 32; add.u64 %d2, %in, %d1; mul.wide.u32 %d3, %r1, 16;\n"
        "mul.wide.u32 %d4, %r0, 16; add.u64 %d5, %out, %d4; add.u64 %d6, %out, %d3;\n" +
        fmt::format("ld.global{0}.{1} {2}, [%d2]; ld.global{0}.{1} {3}, [%d2+16];\n", vector, width, b, swap);
    if (shared) {
        text += "mov.u64 %d7, cells; add.u64 %d7, %d7, %d3; ld.global.v2.b64 {%d8, %d9}, [%d6];\n"
                "st.shared.v2.b64 [%d7], {%d8, %d9}; bar.warp.sync -1;\n";
        if (space == "generic shared") text += "cvta.shared.u64 %d7, %d7;\n";
    } else {
        text += "mov.u64 %d7, %d6;\n";
    }
    const std::string dot = space.find("generic") == 0 ? "" : "." + space;
    const std::string noftz = is_half(c.type) ? ".noftz" : "";
    const std::string name = (red ? "red" : "atom") + dot + "." + c.operation + noftz + vector + "." + c.type;
    text += name + (red ? " " : " " + there + ",") + " [%d7], " + b +
            (c.operation == "cas" ? ", " + swap : "") + ";\n";
    if (!red) text += fmt::format("st.global{}.{} [%d5+64], {};\n", vector, width, there);
    if (space == "generic shared") text += "cvta.to.shared.u64 %d7, %d7;\n";
    if (shared)
        text += "bar.warp.sync -1; ld.shared.v2.b64 {%d8, %d9}, [%d7]; st.global.v2.b64 [%d6], {%d8, %d9};\n";
    std::string whole = kernel(text + "ret;");
    whole.replace(whole.find(".reg .b16 %h<64>; .reg .b32 %r<300>; .reg .b64 %d<64>"), 53,
                  ".reg .b16 %h<400>; .reg .b32 %r<400>; .reg .b64 %d<400>");
    return whole;
}

const std::map<std::string, std::vector<Bits>> edges = {
    {"half", {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00, 0xbc00, 0x3f80, 0x7bff, 0xfbff,
              0x7c00, 0xfc00, 0x7e00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7fff, 0x4248, 0x1400}},
    {"f32",
     {0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x800000, 0x80800000, 0x3f800000, 0xbf800000, 0x7f7fffff,
      0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x33800000, 0x4b800000}},
    {"f64",
     {0, Bits{1} << 63, 1, 0x3ff0000000000000, 0xbff0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000,
      0xfff0000000000000, 0x7ff8000000000001, 0x000fffffffffffff, 0x3ca0000000000000}},
    {"whole",
     {0, 1, 2, 5, 31, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
      0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff}}};

Bits drawn(std::mt19937_64& random, const Case& c) {
    const std::string kind = is_half(c.type) ? "half" : edges.count(c.type) != 0 ? c.type : "whole";
    const auto one = [&] {
        const auto& list = edges.at(kind);
        if (random() % 3 != 0) return list[random() % list.size()];
        return kind == "whole" && random() % 2 == 0 ? random() % 8 : random();
    };
    Bits bits = one();
    if (c.type == "f16x2" || c.type == "bf16x2") bits = (bits & 0xffff) | (one() & 0xffff) << 16;
    return c.bits == 64 ? bits : bits & ((Bits{1} << c.bits) - 1);
}

Bits get(const std::vector<std::uint8_t>& bytes, std::size_t at, int bits) {
    Bits value = 0;
    std::memcpy(&value, &bytes[at], static_cast<std::size_t>(bits / 8));
    return value;
}
void put(std::vector<std::uint8_t>& bytes, std::size_t at, int bits, Bits value) {
    std::memcpy(&bytes[at], &value, static_cast<std::size_t>(bits / 8));
}

} // namespace

TEST_CASE("every atomic operation leaves and returns what plain C++ does, lane after lane") {
    std::mt19937_64 random(6);
    std::map<std::string, int> tried;
    for (const Case& c : cases) {
        for (const std::string space : {"global", "generic", "shared", "generic shared"}) {
            for (int elements = 1; elements <= c.most_elements; elements *= 2) {
                const bool shared = space.find("shared") != std::string::npos;
                if (elements > 1 && space == "shared") continue; // PTX has none
                if (elements == 1 && is_half(c.type) && c.operation != "add") continue;
                for (const bool red : {false, true}) {
                    if (red && (c.operation == "exch" || c.operation == "cas")) continue;
                    const std::string text = program(c, elements, space, red);
                    Program loaded(text);
                    for (int round = 0; round < 4; ++round) {
                        std::vector<std::uint8_t> in(lanes * 2 * cell), out(cells * cell + lanes * cell);
                        for (std::size_t k = 0; k < in.size(); k += static_cast<std::size_t>(c.bits / 8))
                            put(in, k, c.bits, drawn(random, c));
                        for (std::size_t k = 0; k < cells * cell; k += static_cast<std::size_t>(c.bits / 8))
                            put(out, k, c.bits, drawn(random, c));
                        std::vector<std::uint8_t> want = out;
                        for (std::size_t lane = 0; lane < lanes; ++lane) {
                            for (std::size_t e = 0; e < static_cast<std::size_t>(elements); ++e) {
                                const std::size_t part = e * static_cast<std::size_t>(c.bits / 8);
                                const std::size_t at = lane % cells * cell + part;
                                const Bits there = get(want, at, c.bits);
                                const Bits b = get(in, lane * 2 * cell + part, c.bits);
                                const Bits swap = get(in, lane * 2 * cell + cell + part, c.bits);
                                if (!red) put(want, cells * cell + lane * cell + part, c.bits, there);
                                put(want, at, c.bits, wanted(c, shared, there, b, swap));
                            }
                        }
                        INFO(c.operation << " " << c.type << " x" << elements << " " << space
                                         << (red ? " red" : " atom"));
                        const Outcome outcome = loaded.run({}, in, out);
                        REQUIRE_MESSAGE(!outcome.fault, words(outcome));
                        REQUIRE(out == want);
                    }
                    ++tried[space + (red ? " red" : " atom")];
                }
            }
        }
    }
    for (const auto& each : tried) MESSAGE(each.first << ": " << each.second << " forms");
    CHECK(tried.size() == 8);
}

TEST_CASE("128 bits are exchanged and compared as one") {
    for (const std::string space : {"global", "shared"}) {
        const std::string place = space == "global" ? "[%out]" : "[cell]";
        Program program(kernel(
            ".shared .align 16 .b8 cell[16];\nmov.u32 %r0, %laneid; mul.wide.u32 %d1, %r0, 16;\n"
            "add.u64 %d2, %in, %d1; add.u64 %d3, %out, %d1; ld.global.b128 %q1, [%d2];\n"
            "setp.ge.u32 %p1, %r0, 20; @%p1 ld.global.b128 %q1, [%d2+16]; ld.global.b128 %q2, [%d2+16];\n"
            "ld.global.b128 %q3, [%out];\n"
            "st.shared.b128 [cell], %q3; bar.warp.sync -1;\natom." +
            space + ".cas.b128 %q4, " + place + ", %q1, %q2; atom." + space + ".exch.b128 %q5, " + place +
            ", %q4; st.global.b128 [%d3+16], %q5; ld." + space + ".b128 %q6, " + place +
            "; st.global.b128 [%out], %q6; ret;"));
        // Lane k puts number k + 1 where it finds number k; lanes 20 and on look for something else.
        std::vector<std::uint64_t> in(66), out(66, 77);
        for (std::size_t k = 0; k < 33; ++k) {
            in[2 * k] = k;
            in[2 * k + 1] = 5 - k;
        }
        out[0] = in[0];
        out[1] = in[1];
        const Outcome outcome = program.run({}, in, out);
        REQUIRE_MESSAGE(!outcome.fault, words(outcome));
        // cas of all lanes comes first, then exch of all: lane k finds what lane k - 1 put there.
        for (std::size_t k = 0; k < 32; ++k) {
            const std::size_t found = k == 0 ? 20 : std::min<std::size_t>(k - 1, 20);
            CHECK(out[2 * k + 2] == in[2 * found]);
            CHECK(out[2 * k + 3] == in[2 * found + 1]);
        }
        CHECK(out[0] == in[2 * 20]);
    }
}

TEST_CASE("CTAs on all cores count together, and a lock keeps what it guards") {
    const std::vector<std::uint32_t> in(1);
    std::vector<std::uint32_t> out{0, 0, 0};
    // Each thread adds 1; thread 0 of each CTA also adds 1 under a lock, with plain accesses.
    Program program(kernel(
        "atom.global.add.u32 %r1, [%out], 1; mov.u32 %r0, %tid.x; setp.ne.u32 %p1, %r0, 0; @%p1 exit;\n"
        "AGAIN: atom.acquire.gpu.global.cas.b32 %r2, [%out+4], 0, 1; setp.ne.u32 %p2, %r2, 0;\n"
        "@%p2 bra AGAIN; ld.relaxed.gpu.global.u32 %r3, [%out+8]; add.u32 %r3, %r3, 1;\n"
        "st.relaxed.gpu.global.u32 [%out+8], %r3; atom.release.gpu.global.exch.b32 %r4, [%out+4], 0; ret;"));
    const Outcome outcome = program.run({{64, 1, 1}, {200, 1, 1}}, in, out);
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    CHECK(out == std::vector<std::uint32_t>{64 * 200, 0, 200});
}
