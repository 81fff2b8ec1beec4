// Every conversion that exists against the oracle (conversion_oracle.hpp), at each CPU level. All numbers of
// formats of 16 bits or fewer are converted; of wider ones those at and beside every number, and every
// midpoint, of the target, and random ones. A kernel of one cvt loads up to four numbers and random bits per
// thread. Not here: which conversions exist (conversion_test.cpp).
#include "../unit/emulator/program.hpp"
#include "conversion_cases.hpp"

#include <bit>
#include <map>

using namespace tmemc::emulator;
using namespace oracle;

namespace {

using Codes = std::vector<Code>;
constexpr std::size_t words_each = 5; // four numbers, random bits

// ---- what is converted
// -----------------------------------------------------------------------------------------

Code bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
Code bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

/// The value as a number of `from`, with its neighbours on both sides.
template <class Float>
void add_around(Codes& codes, Real value) {
    const auto nearest = static_cast<Float>(value);
    constexpr Float infinity = std::numeric_limits<Float>::infinity();
    for (const Float at : {std::nextafter(nearest, -infinity), nearest, std::nextafter(nearest, infinity)})
        codes.push_back(bits_of(at));
}
void add_around(Codes& codes, const Type& from, Real value) {
    if (from.integer) {
        if (std::fabs(value) >= 0x1p64L) return;
        const auto whole = static_cast<Code>(std::fabs(value));
        for (const Code at : {whole - 1, whole, whole + 1})
            codes.push_back((value < 0 ? ~at + 1 : at) & ones(from.bits));
    } else if (from.bits == 32) {
        add_around<float>(codes, value);
    } else {
        add_around<double>(codes, value);
    }
}

/// At, beside and between the numbers of a target; every `stride`th of them.
void add_boundaries(Codes& codes, const Type& from, const Type& to, std::size_t stride) {
    if (to.integer) {
        for (int k = -300; k <= 300; ++k) add_around(codes, from, Real(k) / 2);
        for (int bit = 7; bit <= 64; ++bit)
            for (const Real sign : {-1.0L, 1.0L})
                for (const Real more : {-1.0L, -0.5L, 0.0L, 0.5L})
                    add_around(codes, from, sign * (std::ldexp(1.0L, bit) + more));
        return;
    }
    if (to.scale) {
        for (int e = -149; e < 128; ++e)
            for (const Real times : {1.0L, 1.5L, -1.0L}) add_around(codes, from, std::ldexp(times, e));
        return;
    }
    const bool small = to.real.bits() <= 16;
    const Code last = to.real.largest();
    const Code step = small ? stride : last / 3001;
    for (Code code = 0; code <= last + 1; code += step) {
        const Real here = from_code(to.real, code), next = from_code(to.real, code + 1);
        const Real sign = (code / step) % 2 == 0 ? 1 : -1;
        const Real above = std::isfinite(next)   ? next
                           : std::isfinite(here) ? here + last_place(to.real, here)
                                                 : here;
        add_around(codes, from, sign * here);
        add_around(codes, from, sign * (here + above) / 2);
        if (code % 8 == 0) add_around(codes, from, -sign * (here + above) / 2);
    }
}

std::uint64_t draw(std::uint64_t& state) { // splitmix
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

Codes codes_of(const Type& from, const Type& to, std::size_t stride) {
    Codes codes;
    if (from.bits <= 16) {
        for (Code code = 0; code <= ones(from.bits); ++code) codes.push_back(code);
        return codes;
    }
    for (const Code special : {0x0ULL, 0x1ULL, 0x7fffffffULL, 0x7f800000ULL, 0x7f800001ULL, 0x7fc00000ULL,
                               0x7f7fffffULL, 0x00800000ULL, 0x007fffffULL, 0x00400000ULL, 0x00400001ULL,
                               0x7ff0000000000000ULL, 0x7ff0000000000001ULL, 0x7ff8000000000000ULL,
                               0x7fefffffffffffffULL, 0x000fffffffffffffULL, 0x7fffffffffffffffULL})
        for (const Code sign : {Code{0}, Code{1} << (from.bits - 1)})
            codes.push_back((special | sign) & ones(from.bits));
    add_boundaries(codes, from, to, stride);
    std::uint64_t state = 7;
    for (int k = 0; k < 3000; ++k) {
        const Code bits = draw(state) & ones(from.bits);
        codes.push_back(from.integer ? bits >> (draw(state) % static_cast<unsigned>(from.bits)) : bits);
        // And of the size of the target's numbers.
        if (!from.integer)
            add_around(
                codes, from,
                static_cast<Real>(std::ldexp(static_cast<double>(static_cast<std::int64_t>(draw(state))),
                                             -static_cast<int>(draw(state) % 90))));
    }
    return codes;
}

/// A kernel's input: words_each for each thread, packed numbers in the first.
std::vector<std::uint64_t> inputs(const Case& c, const Codes& codes) {
    std::vector<std::uint64_t> all;
    std::uint64_t state = 11;
    const std::size_t n = codes.size();
    const int packed = count_of(c.from), space = spacing(c.from);
    for (std::size_t i = 0; i < n; ++i) {
        const Code second = codes[(i * 7 + 3) % n];
        all.push_back(packed == 1 ? codes[i] : codes[i] | second << space);
        for (std::size_t k = 1; k < words_each - 1; ++k) all.push_back(codes[(i * (2 * k + 5) + 3 * k) % n]);
        all.push_back(draw(state) & 0xffffffff);
    }
    return all;
}

// ---- what comes out
// ------------------------------------------------------------------------------------------------

std::string program(const Case& c) {
    const char from = register_of(c.from), to = register_of(c.to);
    const auto bits = [](char name) { return name == 'b' ? 8 : name == 'h' ? 16 : name == 'r' ? 32 : 64; };
    std::string text = ".reg .b8 %b<9>;\nmov.u32 %r10, %ctaid.x; mov.u32 %r11, %tid.x;\n"
                       "mul.lo.u32 %r10, %r10, 256; add.u32 %r10, %r10, %r11;\n"
                       "mul.wide.u32 %d10, %r10, 40; add.u64 %d10, %in, %d10;\n"
                       "mul.wide.u32 %d11, %r10, 8; add.u64 %d11, %out, %d11;\n";
    for (int k = 0; k < 4; ++k)
        text += fmt::format("ld.global.b{} %{}{}, [%d10+{}];\n", bits(from), from, k + 1, 8 * k);
    text += "ld.global.b32 %r5, [%d10+32];\n" + instruction(c);
    return kernel(text + fmt::format("\nst.global.b{} [%d11], %{}0;", bits(to), to));
}

std::vector<std::uint64_t> run(const Case& c, CpuLevel level, const std::vector<std::uint64_t>& in) {
    std::vector<std::uint64_t> padded = in;
    const auto blocks = static_cast<std::uint32_t>((in.size() / words_each + 255) / 256);
    padded.resize(blocks * 256 * words_each);
    std::vector<std::uint64_t> out(blocks * 256);
    const Outcome outcome = Program(program(c), level).run({{256, 1, 1}, {blocks, 1, 1}}, padded, out);
    CHECK(words(outcome) == "");
    return out;
}

Flags modifiers_of(const Case& c) {
    const auto has = [&](const char* word) {
        return ("." + c.modifiers + ".").find(fmt::format(".{}.", word)) != std::string::npos;
    };
    const std::string_view all = c.modifiers;
    return {all.substr(0, all.find('.')), has("ftz"), has("sat"), has("relu"), has("satfinite")};
}

/// The random bits of number k of a result, 0 being the lowest (PTX ISA 9.7.9, cvt, "rbits").
Random random_of(const Case& c, std::uint32_t bits, int k) {
    const auto upper = static_cast<unsigned>(bits >> 16), lower = static_cast<unsigned>(bits & 0xffff);
    if (c.to == "f16x2") return {(k == 1 ? upper : lower) & 0x1fff, 13};
    if (c.to == "bf16x2") return {k == 1 ? upper : lower, 16};
    if (c.to == "e2m1x4") {
        const unsigned half = k % 2 == 1 ? upper : lower;
        return {k >= 2 ? half >> 8 : half & 0xff, 8};
    }
    return {k >= 2 ? upper : lower, 16};
}

Code wanted(const Case& c, const std::uint64_t* in) {
    const Type to = type_named(element_of(c.to)), from = type_named(element_of(c.from));
    const Flags modifiers = modifiers_of(c);
    const int count = count_of(c.to);
    Code result = 0;
    for (int k = 0; k < count; ++k) {
        const Code code = count_of(c.from) > 1 ? in[0] >> (k * spacing(c.from)) : in[count - 1 - k];
        const auto random = random_of(c, static_cast<std::uint32_t>(in[4]), k);
        result |= convert(to, from, code & ones(from.bits), modifiers, random) << (k * spacing(c.to));
    }
    // A register of 16 bits repeats the sign of 8.
    return c.to == "s8" && (result & 0x80) != 0 ? result | 0xff00 : result;
}

} // namespace

TEST_CASE("every conversion gives what the oracle says") {
    std::map<std::string, std::pair<int, std::size_t>> classes;
    std::map<std::string, int> seen;
    for (const Case& c : cases()) {
        const Type to = type_named(element_of(c.to)), from = type_named(element_of(c.from));
        // Of f16 and bf16 all boundaries where they are rounded plainly, some with each other set of
        // modifiers.
        const bool plain = c.modifiers == "rn";
        const auto in = inputs(c, codes_of(from, to, plain || to.bits < 16 ? 1 : 23));
        const std::size_t n = in.size() / words_each;
        const auto baseline = run(c, CpuLevel::baseline, in);
        CHECK(run(c, cpu_level(), in) == baseline);
        int shown = 0;
        for (std::size_t i = 0; i < n && shown < 3; ++i) {
            const Code want = wanted(c, &in[i * words_each]);
            if (baseline[i] == want) continue;
            ++shown;
            FAIL_CHECK(fmt::format("{} of {:#x} {:#x} {:#x} {:#x} {:#x} is {:#x}, wanted {:#x}",
                                   instruction(c), in[i * 5], in[i * 5 + 1], in[i * 5 + 2], in[i * 5 + 3],
                                   in[i * 5 + 4], baseline[i], want));
        }
        auto& [conversions, numbers] =
            classes[fmt::format("{} from {}", c.to, from.integer ? "integers" : c.from)];
        ++conversions;
        numbers += n;
    }
    for (const auto& [name, counts] : classes)
        MESSAGE(name << ": " << counts.first << " conversions, " << counts.second << " numbers");
    CHECK(classes.size() > 60);
}

TEST_CASE("cvt.pack clamps two numbers and puts them below a third") {
    for (const char* type : {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"}) {
        const int bits = std::stoi(type + 1);
        const bool with_sign = type[0] == 's', third = bits < 16;
        std::vector<std::uint32_t> in;
        std::uint64_t state = 5;
        for (int i = 0; i < 256; ++i)
            for (int k = 0; k < 3; ++k)
                in.push_back(
                    static_cast<std::uint32_t>(static_cast<std::int32_t>(draw(state)) >> (draw(state) % 32)));
        const std::string text = kernel(fmt::format(
            "mov.u32 %r10, %tid.x; mul.wide.u32 %d10, %r10, 12; add.u64 %d10, %in, %d10;\n"
            "mul.wide.u32 %d11, %r10, 4; add.u64 %d11, %out, %d11;\n"
            "ld.global.b32 %r1, [%d10]; ld.global.b32 %r2, [%d10+4]; ld.global.b32 %r3, [%d10+8];\n"
            "cvt.pack.sat.{}.s32{} %r0, %r1, %r2{}; st.global.b32 [%d11], %r0;",
            type, third ? ".b32" : "", third ? ", %r3" : ""));
        const long lowest = with_sign ? -(1L << (bits - 1)) : 0,
                   highest = (1L << (with_sign ? bits - 1 : bits)) - 1;
        const auto clamped = [&](std::uint32_t a) {
            return std::clamp<long>(static_cast<std::int32_t>(a), lowest, highest) & ((1L << bits) - 1);
        };
        for (const CpuLevel level : {CpuLevel::baseline, cpu_level()}) {
            std::vector<std::uint32_t> out(256);
            CHECK(words(Program(text, level).run({{256, 1, 1}, {1, 1, 1}}, in, out)) == "");
            for (std::size_t i = 0; i < out.size(); ++i) {
                const long upper = third ? static_cast<long>(in[3 * i + 2]) << (2 * bits) : 0;
                const long want = (upper | clamped(in[3 * i]) << bits | clamped(in[3 * i + 1])) & 0xffffffffL;
                INFO(type << " of " << in[3 * i] << ", " << in[3 * i + 1]);
                CHECK(out[i] == want);
            }
        }
    }
}
