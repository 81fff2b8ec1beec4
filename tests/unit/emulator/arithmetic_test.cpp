// Every plain row of the opcode table against arithmetic written here on 128-bit integers and doubles, by the
// row's name: a row without an oracle fails. Edge values and random ones, all lanes and every other lane, at
// each CPU level.
#include "program.hpp"

#include <bit>
#include <cmath>
#include <functional>
#include <map>

using namespace tmemc::emulator;

namespace {

__extension__ using Number = __int128;
__extension__ using Natural = unsigned __int128;

/// Operands as numbers of the row's type, and its bits.
struct Operands {
    std::vector<Number> value;      // by the sign of the type
    std::vector<std::uint64_t> raw; // the bits as they stand
    int bits = 0;
    bool is_signed = false;
};
using Oracle = std::function<Natural(const Operands&)>;

Natural natural(Number n) { return static_cast<Natural>(n); }

float f32(std::uint64_t raw) { return std::bit_cast<float>(static_cast<std::uint32_t>(raw)); }
Natural bits_of(float value) { return std::isnan(value) ? 0x7fffffff : std::bit_cast<std::uint32_t>(value); }
// The sum or product of two floats in double is exact enough to be rounded twice without harm.
Natural rounded(double value) { return bits_of(static_cast<float>(value)); }
Natural both_halves(const Operands& o, const std::function<Natural(const Operands&)>& f) {
    Operands low = o, high = o;
    for (auto& raw : high.raw) raw >>= 32;
    return f(high) << 32 | f(low);
}

// To 16 bits by searching the neighbours in double: the nearest, of two equally near the even one.
template <int exponent_bits, int fraction_bits>
Natural narrowed(float value) {
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    constexpr unsigned all_ones = (1u << exponent_bits) - 1;
    if (std::isnan(value)) return 0x7fff;
    const unsigned sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(static_cast<double>(value));
    const auto decode = [&](unsigned code) {
        const unsigned exponent = code >> fraction_bits, fraction = code & ((1u << fraction_bits) - 1);
        if (exponent == 0) return std::ldexp(fraction, 1 - bias - fraction_bits);
        return std::ldexp(fraction + (1u << fraction_bits),
                          static_cast<int>(exponent) - bias - fraction_bits);
    };
    unsigned low = 0,
             high = all_ones << fraction_bits; // the code of infinity decodes to the number it stands behind
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (decode(middle) <= magnitude ? low : high) = middle;
    }
    const double below = magnitude - decode(low), above = decode(high) - magnitude;
    const bool up = above < below || (above == below && (high & 1) == 0);
    return sign | (up ? high : low);
}

Number shifted_field(const Operands& o) {
    const int position = static_cast<int>(o.raw[1] & 0xff), length = static_cast<int>(o.raw[2] & 0xff);
    const auto bit = [&](int at) { return Number{static_cast<int>(o.raw[0] >> at & 1)}; };
    const Number sign = !o.is_signed || length == 0 ? 0 : bit(std::min(position + length - 1, o.bits - 1));
    Number result = 0;
    for (int k = 0; k < o.bits; ++k) {
        result |= (k < length && position + k < o.bits ? bit(position + k) : sign) << k;
    }
    return result;
}
Number inserted_field(const Operands& o) {
    const int position = static_cast<int>(o.raw[2] & 0xff), length = static_cast<int>(o.raw[3] & 0xff);
    std::uint64_t result = o.raw[1];
    for (int k = 0; k < length && position + k < o.bits; ++k) {
        result &= ~(std::uint64_t{1} << (position + k));
        result |= (o.raw[0] >> k & 1) << (position + k);
    }
    return result;
}
Number permuted(const Operands& o) {
    std::uint32_t result = 0;
    for (int k = 0; k < 4; ++k) {
        const auto selector = static_cast<int>(o.raw[2] >> (4 * k) & 15);
        const int from = selector & 7;
        const auto byte = static_cast<std::uint8_t>(o.raw[from < 4 ? 0 : 1] >> (8 * (from % 4)));
        const auto chosen = static_cast<std::uint8_t>(selector < 8 ? byte : (byte & 0x80 ? 0xff : 0));
        result |= static_cast<std::uint32_t>(chosen) << (8 * k);
    }
    return result;
}

const std::map<std::string, Oracle> integer_oracles{
    {"add", [](auto& o) { return natural(o.value[0] + o.value[1]); }},
    {"sub", [](auto& o) { return natural(o.value[0] - o.value[1]); }},
    {"mul.lo", [](auto& o) { return natural(o.value[0]) * natural(o.value[1]); }},
    {"mul.wide", [](auto& o) { return natural(o.value[0] * o.value[1]); }},
    {"mul.hi",
     [](auto& o) {
         if (o.is_signed) return natural((o.value[0] * o.value[1]) >> o.bits);
         return natural(o.value[0]) * natural(o.value[1]) >> o.bits;
     }},
    {"mad.lo", [](auto& o) { return natural(o.value[0]) * natural(o.value[1]) + natural(o.value[2]); }},
    {"mad.wide", [](auto& o) { return natural(o.value[0] * o.value[1]) + o.raw[2]; }},
    {"min", [](auto& o) { return natural(std::min(o.value[0], o.value[1])); }},
    {"max", [](auto& o) { return natural(std::max(o.value[0], o.value[1])); }},
    {"div", [](auto& o) { return o.value[1] == 0 ? ~Natural{0} : natural(o.value[0] / o.value[1]); }},
    {"rem", [](auto& o) { return o.value[1] == 0 ? natural(o.value[0]) : natural(o.value[0] % o.value[1]); }},
    {"neg", [](auto& o) { return natural(-o.value[0]); }},
    {"abs", [](auto& o) { return natural(o.value[0] < 0 ? -o.value[0] : o.value[0]); }},
    {"and", [](auto& o) { return Natural{o.raw[0] & o.raw[1]}; }},
    {"or", [](auto& o) { return Natural{o.raw[0] | o.raw[1]}; }},
    {"xor", [](auto& o) { return Natural{o.raw[0] ^ o.raw[1]}; }},
    {"not", [](auto& o) { return ~Natural{o.raw[0]}; }},
    {"mov", [](auto& o) { return Natural{o.raw[0]}; }},
    {"shl", [](auto& o) { return o.raw[1] >= 64 ? 0 : Natural{o.raw[0]} << o.raw[1]; }},
    {"shr", [](auto& o) { return natural(o.value[0] >> std::min<std::uint64_t>(o.raw[1], 64)); }},
    {"bfe", [](auto& o) { return natural(shifted_field(o)); }},
    {"bfi", [](auto& o) { return natural(inserted_field(o)); }},
    {"prmt", [](auto& o) { return natural(permuted(o)); }},
    {"selp", [](auto& o) { return Natural{o.raw[2] != 0 ? o.raw[0] : o.raw[1]}; }},
    {"setp.eq", [](auto& o) { return Natural{o.value[0] == o.value[1]}; }},
    {"setp.ne", [](auto& o) { return Natural{o.value[0] != o.value[1]}; }},
    {"setp.lt", [](auto& o) { return Natural{o.value[0] < o.value[1]}; }},
    {"setp.le", [](auto& o) { return Natural{o.value[0] <= o.value[1]}; }},
    {"setp.gt", [](auto& o) { return Natural{o.value[0] > o.value[1]}; }},
    {"setp.ge", [](auto& o) { return Natural{o.value[0] >= o.value[1]}; }},
    {"setp.lo", [](auto& o) { return Natural{o.value[0] < o.value[1]}; }},
    {"setp.ls", [](auto& o) { return Natural{o.value[0] <= o.value[1]}; }},
    {"setp.hi", [](auto& o) { return Natural{o.value[0] > o.value[1]}; }},
    {"setp.hs", [](auto& o) { return Natural{o.value[0] >= o.value[1]}; }},
    {"cvta.global", [](auto& o) { return Natural{o.raw[0]}; }},
    {"cvta.to.global", [](auto& o) { return Natural{o.raw[0]}; }},
    {"cvta.shared", [](auto& o) { return Natural{o.raw[0] + 0x700000000000}; }},
    {"cvta.to.shared", [](auto& o) { return Natural{o.raw[0] - 0x700000000000}; }},
};

Natural sum(const Operands& o) {
    return rounded(static_cast<double>(f32(o.raw[0])) + static_cast<double>(f32(o.raw[1])));
}
Natural product(const Operands& o) {
    return rounded(static_cast<double>(f32(o.raw[0])) * static_cast<double>(f32(o.raw[1])));
}
Natural fused(const Operands& o) { return bits_of(std::fmaf(f32(o.raw[0]), f32(o.raw[1]), f32(o.raw[2]))); }
Natural difference(const Operands& o) {
    return rounded(static_cast<double>(f32(o.raw[0])) - static_cast<double>(f32(o.raw[1])));
}

const std::map<std::string, Oracle> float_oracles{
    {"add.f32", sum},
    {"add.rn.f32", sum},
    {"sub.f32", difference},
    {"sub.rn.f32", difference},
    {"mul.f32", product},
    {"mul.rn.f32", product},
    {"fma.rn.f32", fused},
    {"neg.f32", [](auto& o) { return Natural{o.raw[0] ^ 0x80000000}; }},
    {"abs.f32", [](auto& o) { return Natural{o.raw[0] & 0x7fffffff}; }},
    {"add.rn.f32x2", [](auto& o) { return both_halves(o, sum); }},
    {"mul.rn.f32x2", [](auto& o) { return both_halves(o, product); }},
    {"fma.rn.f32x2", [](auto& o) { return both_halves(o, fused); }},
    {"cvt.rn.bf16x2.f32",
     [](auto& o) { return narrowed<8, 7>(f32(o.raw[0])) << 16 | narrowed<8, 7>(f32(o.raw[1])); }},
    {"cvt.rn.f16x2.f32",
     [](auto& o) { return narrowed<5, 10>(f32(o.raw[0])) << 16 | narrowed<5, 10>(f32(o.raw[1])); }},
    {"setp.eq.f32", [](auto& o) { return Natural{f32(o.raw[0]) == f32(o.raw[1])}; }},
    {"setp.ne.f32", [](auto& o) { return Natural{std::islessgreater(f32(o.raw[0]), f32(o.raw[1])) != 0}; }},
    {"setp.lt.f32", [](auto& o) { return Natural{f32(o.raw[0]) < f32(o.raw[1])}; }},
    {"setp.le.f32", [](auto& o) { return Natural{f32(o.raw[0]) <= f32(o.raw[1])}; }},
    {"setp.gt.f32", [](auto& o) { return Natural{f32(o.raw[0]) > f32(o.raw[1])}; }},
    {"setp.ge.f32", [](auto& o) { return Natural{f32(o.raw[0]) >= f32(o.raw[1])}; }},
    // 64-bit moves of doubles are moves of bits; so are selections.
    {"mov.f32", [](auto& o) { return Natural{o.raw[0]}; }},
    {"mov.f64", [](auto& o) { return Natural{o.raw[0]}; }},
    {"selp.f32", [](auto& o) { return Natural{o.raw[2] != 0 ? o.raw[0] : o.raw[1]}; }},
    {"selp.f64", [](auto& o) { return Natural{o.raw[2] != 0 ? o.raw[0] : o.raw[1]}; }},
};

const Oracle* oracle(const std::string& name, const std::string& stem) {
    if (auto found = float_oracles.find(name); found != float_oracles.end()) return &found->second;
    auto found = integer_oracles.find(stem);
    return found == integer_oracles.end() ? nullptr : &found->second;
}

// Values that meet the edges of every type, and random ones.
std::uint64_t sample(std::mt19937_64& random) {
    static constexpr std::uint64_t edges[] = {0,
                                              1,
                                              2,
                                              3,
                                              31,
                                              32,
                                              33,
                                              63,
                                              64,
                                              0x7f,
                                              0x80,
                                              0xff,
                                              0x7fff,
                                              0x8000,
                                              0xffff,
                                              0x7fffffff,
                                              0x80000000,
                                              0xffffffff,
                                              0x7f800000,
                                              0xff800000,
                                              0x7fc00000,
                                              0x00800000,
                                              0x007fffff,
                                              0x7f7fffff,
                                              0x3f800000,
                                              0x3f7fffff,
                                              0x33800000,
                                              0x477fefff,
                                              0x477ff000,
                                              0x38800000,
                                              0x387fffff,
                                              0x7fffffffffffffff,
                                              0x8000000000000000,
                                              0xffffffffffffffff};
    switch (random() % 4) {
    case 0: return random();
    case 1: return edges[random() % std::size(edges)] << 32 | edges[random() % std::size(edges)];
    case 2: return random() >> random() % 64;
    default: return edges[random() % std::size(edges)];
    }
}

std::string move_in(int bits, int operand) {
    const std::string at = "[%in+" + std::to_string(8 * operand) + "];\n", n = std::to_string(operand + 1);
    if (bits == 1) return "ld.global.u32 %r100, " + at + "setp.ne.u32 %p" + n + ", %r100, 0;\n";
    if (bits == 16) return "ld.global.u16 %h" + n + ", " + at;
    if (bits == 32) return "ld.global.u32 %r" + n + ", " + at;
    return "ld.global.u64 %d" + n + ", " + at;
}
std::string operand_name(int bits, int number) {
    const char* prefix = bits == 1 ? "%p" : bits == 16 ? "%h" : bits == 32 ? "%r" : "%d";
    return prefix + std::to_string(number);
}

// Each thread reads four 8-byte operands, sets the destination to a pattern, executes the instruction where
// its guard holds and stores the destination.
std::string row_kernel(const Opcode& row, const std::string& name, bool guarded) {
    std::string body = "mov.u32 %r200, %tid.x; mul.wide.u32 %d50, %r200, 32; add.u64 %in, %in, %d50;\n"
                       "mul.wide.u32 %d50, %r200, 8; add.u64 %out, %out, %d50;\n"
                       "and.b32 %r201, %r200, 1; setp.eq.u32 %p50, %r201, 1;\n"
                       "setp.ne.u32 %p0, %r200, %r200; mov.u16 %h0, 0x5a5a; mov.u32 %r0, 0x5a5a5a5a;\n"
                       "mov.u64 %d0, 0x5a5a5a5a5a5a5a5a;\n";
    std::string operands = operand_name(row.bits[0], 0);
    for (int k = 1; k < 5 && row.bits[static_cast<std::size_t>(k)] != 0; ++k) {
        const int bits = row.bits[static_cast<std::size_t>(k)];
        body += move_in(bits, k - 1);
        operands += ", " + operand_name(bits, k);
    }
    body += (guarded ? "@%p50 " : "") + name + " " + operands + ";\n";
    if (row.bits[0] == 1) body += "selp.b32 %r0, 1, 0, %p0;\n";
    const int out = row.bits[0] == 1 ? 32 : row.bits[0];
    return kernel(body + "st.global.u" + std::to_string(out) + " [%out], " + operand_name(out, 0) +
                  ";\nret;");
}

std::uint64_t low_bits(Natural value, int bits) {
    return static_cast<std::uint64_t>(bits == 64 ? value : value & ((Natural{1} << bits) - 1));
}

Operands operands_of(const Opcode& row, const std::string& name, const std::uint64_t* words) {
    Operands operands;
    const std::string type = name.substr(name.rfind('.') + 1);
    operands.is_signed = type.front() == 's';
    for (std::size_t k = 1; k < row.bits.size() && row.bits[k] != 0; ++k) {
        const int bits = row.bits[k];
        if (k == 1) operands.bits = bits;
        std::uint64_t raw = bits == 1 ? (words[k - 1] & 0xffffffff) != 0 : low_bits(words[k - 1], bits);
        operands.raw.push_back(raw);
        const bool negative = operands.is_signed && bits > 1 && (raw >> (bits - 1) & 1) != 0;
        operands.value.push_back(negative ? Number{raw} - (Number{1} << bits) : Number{raw});
    }
    return operands;
}

void check_row(const Opcode& row, CpuLevel level, bool guarded) {
    const std::string stem(row.stem), name = stem + "." + std::string(row.type);
    const Oracle* expected = oracle(name, stem);
    INFO(name, guarded ? " guarded" : "", " level ", static_cast<int>(level));
    REQUIRE(expected != nullptr);
    std::mt19937_64 random(std::hash<std::string>{}(name));
    std::vector<std::uint64_t> in(1024 * 4), out(1024);
    for (auto& word : in) word = sample(random);
    Program program(row_kernel(row, name, guarded), level);
    const Outcome outcome = program.run({{1024, 1, 1}}, in, out);
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    for (std::size_t thread = 0; thread < out.size(); ++thread) {
        const Operands operands = operands_of(row, name, &in[4 * thread]);
        const bool executed = !guarded || thread % 2 == 1;
        const std::uint64_t kept = row.bits[0] == 1 ? 0 : low_bits(0x5a5a5a5a5a5a5a5a, row.bits[0]);
        const std::uint64_t want = executed ? low_bits((*expected)(operands), row.bits[0]) : kept;
        if (out[thread] == want) continue;
        FAIL_CHECK("thread ", thread, ": ", out[thread], " instead of ", want, " for ", operands.raw[0], ", ",
                   operands.raw.size() > 1 ? operands.raw[1] : 0, ", ",
                   operands.raw.size() > 2 ? operands.raw[2] : 0);
        break;
    }
}

std::vector<const Opcode*> plain_rows(std::vector<std::span<const Opcode>> families) {
    std::vector<const Opcode*> rows;
    for (auto family : families) {
        for (const Opcode& row : family) {
            if (row.operation != nullptr && row.bits[0] != 0) rows.push_back(&row);
        }
    }
    return rows;
}

void check_level(CpuLevel level, const std::vector<const Opcode*>& rows) {
    for (const Opcode* row : rows) {
        check_row(*row, level, false);
        check_row(*row, level, true);
    }
    MESSAGE(rows.size(), " rows at level ", static_cast<int>(level));
    CHECK(rows.size() > 150);
}

} // namespace

TEST_CASE("every plain instruction computes what its page says, on any processor") {
    check_level(CpuLevel::baseline,
                plain_rows({baseline::integer_rows(), baseline::bit_rows(), baseline::compare_rows(),
                            baseline::float_rows(), baseline::move_rows(), memory_rows()}));
}

TEST_CASE("the arithmetic of this processor's own level agrees") {
    if (cpu_level() == CpuLevel::baseline) return;
    check_level(cpu_level(),
                plain_rows({baseline::integer_rows(), baseline::bit_rows(), baseline::compare_rows(),
                            baseline::float_rows(), baseline::move_rows()}));
}

TEST_CASE("a narrowing conversion is right around every 16-bit number and halfway between neighbours") {
    // Upper and lower halves of a word take bf16 and f16 in turn; all 65,536 codes, their midpoints, and a
    // step beside.
    std::vector<float> in;
    for (std::uint32_t code = 0; code < 0x7c00; ++code) {
        for (const bool bf16 : {false, true}) {
            const auto value = [&](std::uint32_t c) {
                if (bf16) return static_cast<double>(std::bit_cast<float>(c << 16));
                return c < 0x400 ? std::ldexp(c, -24)
                                 : std::ldexp((c & 0x3ff) + 0x400, static_cast<int>(c >> 10) - 25);
            };
            const auto middle = static_cast<float>((value(code) + value(code + 1)) / 2);
            for (float v : {static_cast<float>(value(code)), middle, std::nextafterf(middle, 0),
                            std::nextafterf(middle, INFINITY)}) {
                in.push_back(v);
                in.push_back(-v);
            }
        }
    }
    while (in.size() % 256 != 0) in.push_back(0);
    std::vector<std::uint32_t> out(in.size()); // two words per two floats
    Program program(
        kernel("mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 128, %tid.x; mul.wide.u32 %d1, %r1, 8;\n"
               "add.u64 %in, %in, %d1; add.u64 %out, %out, %d1; ld.global.v2.f32 {%f1, %f2}, [%in];\n"
               "cvt.rn.bf16x2.f32 %r2, %f1, %f2; cvt.rn.f16x2.f32 %r3, %f1, %f2;\n"
               "st.global.v2.b32 [%out], {%r2, %r3}; ret;"));
    const Outcome outcome =
        program.run({{128, 1, 1}, {static_cast<std::uint32_t>(in.size() / 256), 1, 1}}, in, out);
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    std::size_t wrong = 0;
    for (std::size_t pair = 0; pair < in.size(); pair += 2) {
        wrong += out[pair] !=
                 static_cast<std::uint32_t>(narrowed<8, 7>(in[pair]) << 16 | narrowed<8, 7>(in[pair + 1]));
        wrong += out[pair + 1] !=
                 static_cast<std::uint32_t>(narrowed<5, 10>(in[pair]) << 16 | narrowed<5, 10>(in[pair + 1]));
    }
    CHECK(wrong == 0);
    CHECK(in.size() > 500000);
}

TEST_CASE("a fused product and sum is rounded once, even where a double would round to halfway first") {
    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 lies halfway between two floats; an addend too small for a double
    // decides.
    const float three = 1 + 0x3p-12f, odd = 1 + 0x1p-10f + 0x1p-23f;
    const float factor = 1 + 0x1p-12f, below = 1 + 0x1p-11f, above = below + 0x1p-23f;
    struct Case {
        float a, b, c, want;
    };
    const std::vector<Case> in{{factor, factor, 0x1p-80f, above},
                               {factor, factor, -0x1p-80f, below},
                               {-factor, factor, 0x1p-80f, -below},
                               {-factor, factor, -0x1p-80f, -above},
                               {factor, three, 0x1p-80f, odd + 0x1p-23f},
                               {factor, three, -0x1p-80f, odd},
                               {factor, -three, 0x1p-80f, -odd},
                               {factor, -three, -0x1p-80f, -odd - 0x1p-23f},
                               {0x1p-75f * factor, 0x1p-65f * factor, 0x1p-149f, 0x1p-140f * (1 + 0x1p-9f)}};
    for (const CpuLevel level : {CpuLevel::baseline, cpu_level()}) {
        Program program(kernel("mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 16; add.u64 %in, %in, %d1;\n"
                               "mul.wide.u32 %d1, %r1, 4; add.u64 %out, %out, %d1; ld.global.v4.f32 {%f1, "
                               "%f2, %f3, %f4}, [%in];\n"
                               "fma.rn.f32 %f5, %f1, %f2, %f3; st.global.f32 [%out], %f5; ret;"),
                        level);
        std::vector<float> out(in.size());
        const Outcome outcome = program.run({{static_cast<std::uint32_t>(out.size()), 1, 1}}, in, out);
        REQUIRE_MESSAGE(!outcome.fault, words(outcome));
        for (std::size_t t = 0; t < out.size(); ++t) CHECK(out[t] == in[t].want);
    }
}
