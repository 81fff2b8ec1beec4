// Every row of integers, bits, comparisons, selections and moves against 128-bit integers and loops over
// bits, by the row's name; a row without an oracle fails. Operands are edges and random ones: how often each
// edge was drawn is printed, and one that never was is a failure.
//
//     mad.hi.s32 a, b, c   =   ((a * b) >> 32) + c, in 128 bits, cut to 32
//
// Not here: floating point (float_rows_test.cpp), two results and Boolean operators (predicates_test.cpp).
#include "arithmetic_rows.hpp"

#include <algorithm>

using namespace tmemc;
using namespace tmemc::oracle;

namespace {

__extension__ using Number = __int128;

/// Operands as numbers of the instruction's type.
struct Operands {
    std::vector<Number> value;
    std::vector<std::uint64_t> raw;
    Number carry = 0;
    int bits = 0; // of the first source
    bool is_signed = false;
    [[nodiscard]] bool bit(std::size_t k, int at) const { return at < 64 && (raw[k] >> at & 1) != 0; }
};
struct Expected {
    Natural value = 0;
    std::optional<bool> carry{};
};
using Oracle = std::function<Expected(const Name&, const Operands&)>;

Number sign_extended(std::uint64_t raw, int bits) {
    const bool negative = (raw >> (bits - 1) & 1) != 0;
    return negative ? Number{raw} - (Number{1} << bits) : Number{raw};
}
Number clamped(Number value, int bits) {
    const Number top = Number{1} << (bits - 1);
    return std::clamp(value, -top, top - 1);
}
Expected plain(Number value) { return {static_cast<Natural>(value)}; }

// ---- arithmetic

/// What is left of a sum after `bits` bits is a carry.
Expected carried(const Name& name, const Operands& o, Number result) {
    const bool writes = name.has("cc");
    const Number range = Number{1} << o.bits;
    return {static_cast<Natural>(result), writes ? result < 0 || result >= range : o.carry != 0};
}
Number unsigned_of(const Operands& o, std::size_t k) { return Number{o.raw[k]}; }

Expected sum(const Name& name, const Operands& o) {
    if (name.type() == "u16x2" || name.type() == "s16x2") {
        const std::uint64_t low = (o.raw[0] + o.raw[1]) & 0xffff,
                            high = ((o.raw[0] >> 16) + (o.raw[1] >> 16)) & 0xffff;
        return {high << 16 | low};
    }
    if (name.has("sat")) return plain(clamped(o.value[0] + o.value[1], o.bits));
    return carried(name, o,
                   unsigned_of(o, 0) + unsigned_of(o, 1) + (name.operation() == "addc" ? o.carry : 0));
}
Expected difference(const Name& name, const Operands& o) {
    if (name.has("sat")) return plain(clamped(o.value[0] - o.value[1], o.bits));
    // a + ~b + carry: the carry is clear when something was borrowed.
    const Number result =
        unsigned_of(o, 0) - unsigned_of(o, 1) - (name.operation() == "subc" && o.carry == 0 ? 1 : 0);
    Expected expected = carried(name, o, result);
    if (name.has("cc")) expected.carry = result >= 0;
    return expected;
}

Natural product(const Operands& o, Number& high) {
    // The upper half of 128 bits by schoolbook on 64-bit parts, as the product of two u64 fills them.
    const Natural wide = static_cast<Natural>(o.value[0]) * static_cast<Natural>(o.value[1]);
    high = o.is_signed ? static_cast<Number>(wide) >> o.bits : static_cast<Number>(wide >> o.bits);
    return wide;
}
Expected multiplied(const Name& name, const Operands& o) {
    Number high = 0;
    const Natural wide = product(o, high);
    return name.has("hi") ? plain(high) : Expected{wide};
}
Expected multiplied_and_added(const Name& name, const Operands& o) {
    Number high = 0;
    const Natural wide = product(o, high);
    if (name.has("wide")) return {wide + o.raw[2]};
    if (name.has("sat")) return plain(clamped(high + o.value[2], o.bits));
    const Natural part = name.has("hi") ? static_cast<Natural>(high) : wide;
    const Number cut_part = static_cast<Number>(Natural{cut(static_cast<std::uint64_t>(part), o.bits)});
    return carried(name, o, cut_part + unsigned_of(o, 2) + (name.operation() == "madc" ? o.carry : 0));
}

Number product24(const Name& name, const Operands& o) {
    const auto low = [&](std::size_t k) {
        return o.is_signed ? sign_extended(o.raw[k] & 0xffffff, 24) : Number{o.raw[k] & 0xffffff};
    };
    const Number wide = low(0) * low(1);
    return name.has("hi") ? wide >> 16 : wide;
}
Expected added24(const Name& name, const Operands& o) {
    const Number part = sign_extended(static_cast<std::uint32_t>(product24(name, o)), 32);
    return name.has("sat") ? plain(clamped(part + o.value[2], 32)) : plain(part + o.value[2]);
}

Expected extreme(const Name& name, const Operands& o) {
    const bool largest = name.operation() == "max";
    const auto choose = [&](Number a, Number b) {
        const Number chosen = largest ? std::max(a, b) : std::min(a, b);
        return name.has("relu") ? std::max(chosen, Number{0}) : chosen;
    };
    if (name.type() != "u16x2" && name.type() != "s16x2") return plain(choose(o.value[0], o.value[1]));
    Natural result = 0;
    for (const int shift : {0, 16}) {
        const auto half = [&](std::size_t k) {
            const std::uint64_t raw = o.raw[k] >> shift & 0xffff;
            return name.type() == "s16x2" ? sign_extended(raw, 16) : Number{raw};
        };
        result |= static_cast<Natural>(cut(static_cast<std::uint64_t>(choose(half(0), half(1))), 16))
                  << shift;
    }
    return {result};
}

Expected dot(const Name& name, const Operands& o) {
    const bool signed_a = name.words[name.words.size() - 2] == "s32", signed_b = name.type() == "s32";
    const auto part = [&](std::size_t k, int at, int bits, bool with_sign) {
        const std::uint64_t raw = cut(o.raw[k] >> at, bits);
        return with_sign ? sign_extended(raw, bits) : Number{raw};
    };
    Number total = o.value[2];
    if (name.operation() == "dp4a") {
        for (int k = 0; k < 4; ++k) total += part(0, 8 * k, 8, signed_a) * part(1, 8 * k, 8, signed_b);
    } else {
        const int first = name.has("hi") ? 16 : 0;
        for (int k = 0; k < 2; ++k)
            total += part(0, 16 * k, 16, signed_a) * part(1, first + 8 * k, 8, signed_b);
    }
    return plain(total);
}

// ---- bits

Expected shifted(const Name& name, const Operands& o) {
    const auto by = static_cast<int>(std::min<std::uint64_t>(o.raw[1], 64));
    if (name.operation() == "shl") return {Natural{o.raw[0]} << by};
    return plain(o.value[0] >> by);
}
Expected funnel(const Name& name, const Operands& o) {
    const auto by =
        static_cast<int>(name.has("wrap") ? o.raw[2] % 32 : std::min<std::uint64_t>(o.raw[2], 32));
    const Natural both = Natural{o.raw[1]} << 32 | o.raw[0];
    return {name.has("l") ? both << by >> 32 : both >> by};
}
/// Eight bits of it, or 32 in the forms of 64 bits: so an H200 has it.
std::int64_t place_or_length(const Operands& o, std::size_t k) {
    return static_cast<std::int64_t>(o.raw[k] & (o.bits == 64 ? 0xffffffff : 0xff));
}
Expected extracted(const Name&, const Operands& o) {
    const auto position = place_or_length(o, 1), length = place_or_length(o, 2);
    const bool sign = o.is_signed && length != 0 &&
                      o.bit(0, static_cast<int>(std::min<std::int64_t>(position + length - 1, o.bits - 1)));
    Natural result = 0;
    for (int k = 0; k < o.bits; ++k) {
        const bool set =
            k < length && position + k < o.bits ? o.bit(0, static_cast<int>(position) + k) : sign;
        result |= Natural{set} << k;
    }
    return {result};
}
Expected inserted(const Name&, const Operands& o) {
    const auto position = place_or_length(o, 2), length = place_or_length(o, 3);
    std::uint64_t result = o.raw[1];
    for (int k = 0; k < length && position + k < o.bits; ++k) {
        result &= ~(std::uint64_t{1} << (position + k));
        result |= std::uint64_t{o.bit(0, k)} << (position + k);
    }
    return {result};
}
Expected counted(const Name&, const Operands& o) {
    Natural count = 0;
    for (int k = 0; k < o.bits; ++k) count += o.bit(0, k) ? 1 : 0;
    return {count};
}
Expected leading(const Name&, const Operands& o) {
    int at = o.bits;
    while (at > 0 && !o.bit(0, at - 1)) --at;
    return plain(o.bits - at);
}
Expected found(const Name& name, const Operands& o) {
    int at = o.bits - 1;
    const bool sign = o.is_signed && o.bit(0, o.bits - 1);
    while (at >= 0 && o.bit(0, at) == sign) --at;
    if (at < 0) return {0xffffffff};
    return plain(name.has("shiftamt") ? o.bits - 1 - at : at);
}
Expected nth(const Name&, const Operands& o) {
    const Number n = sign_extended(o.raw[2], 32);
    std::vector<int> set;
    const int base = o.raw[1] < 32 ? static_cast<int>(o.raw[1]) : 32;
    if (base == 32) return {0xffffffff}; // undefined by the page
    if (n == 0) return {o.bit(0, base) ? Natural(static_cast<unsigned>(base)) : Natural{0xffffffff}};
    for (int k = base; n > 0 ? k < 32 : k >= 0; k += n > 0 ? 1 : -1) {
        if (o.bit(0, k)) set.push_back(k);
    }
    const Number index = (n > 0 ? n : -n) - 1;
    return index < Number(set.size()) ? plain(set[static_cast<std::size_t>(index)]) : Expected{0xffffffff};
}
Expected reversed(const Name&, const Operands& o) {
    Natural result = 0;
    for (int k = 0; k < o.bits; ++k) result |= Natural{o.bit(0, k)} << (o.bits - 1 - k);
    return {result};
}
Expected mask_of(const Name& name, const Operands& o) {
    const bool wrap = name.has("wrap");
    const std::uint64_t at = wrap ? o.raw[0] % 32 : o.raw[0], many = wrap ? o.raw[1] % 32 : o.raw[1];
    Natural result = 0;
    for (std::uint64_t k = 0; k < 32; ++k) result |= Natural{k >= at && k - at < many} << k;
    return {result};
}
Expected extended(const Name& name, const Operands& o) {
    const auto width =
        static_cast<int>(name.has("wrap") ? o.raw[1] % 32 : std::min<std::uint64_t>(o.raw[1], 32));
    if (width == 0) return {0};
    const std::uint64_t low = cut(o.raw[0], width);
    return o.is_signed ? plain(sign_extended(low, width)) : Expected{low};
}
Expected any_function(const Name&, const Operands& o) { // with the table 0x1b
    Natural result = 0;
    for (int k = 0; k < 32; ++k) {
        const int row = (o.bit(0, k) ? 4 : 0) + (o.bit(1, k) ? 2 : 0) + (o.bit(2, k) ? 1 : 0);
        result |= Natural{(0x1b >> row & 1) != 0} << k;
    }
    return {result};
}

// The bytes of {b, a}, numbered 0 to 7, that make up the result, from its lowest.
Expected permuted(const Name& name, const Operands& o) {
    const int c = static_cast<int>(o.raw[2] & 3);
    std::array<int, 4> from{};
    for (int k = 0; k < 4; ++k) {
        int& byte = from[static_cast<std::size_t>(k)];
        if (name.has("f4e"))
            byte = c + k;
        else if (name.has("b4e"))
            byte = (c + 8 - k) % 8;
        else if (name.has("rc8"))
            byte = c;
        else if (name.has("ecl"))
            byte = std::max(c, k);
        else if (name.has("ecr"))
            byte = std::min(c, k);
        else if (name.has("rc16"))
            byte = 2 * (c % 2) + k % 2;
        else
            byte = static_cast<int>(o.raw[2] >> (4 * k) & 15);
    }
    Natural result = 0;
    for (int k = 0; k < 4; ++k) {
        const int number = from[static_cast<std::size_t>(k)];
        const std::uint64_t byte = o.raw[number % 8 < 4 ? 0 : 1] >> (8 * (number % 4)) & 0xff;
        result |= Natural{number < 8 ? byte : byte >= 0x80 ? 0xffu : 0u} << (8 * k);
    }
    return {result};
}

// ---- comparisons

Expected compared(const Name& name, const Operands& o) {
    const std::string& how = name.words[1];
    const Number a = o.value[0], b = o.value[1];
    const std::map<std::string, bool> results{{"eq", a == b}, {"ne", a != b}, {"lt", a < b}, {"le", a <= b},
                                              {"gt", a > b},  {"ge", a >= b}, {"lo", a < b}, {"ls", a <= b},
                                              {"hi", a > b},  {"hs", a >= b}};
    return {Natural{results.at(how)}};
}
Expected selected_by_sign(const Name& name, const Operands& o) {
    const auto c = static_cast<std::uint32_t>(o.raw[2]);
    bool first = c < 0x80000000;
    if (name.type() == "f32") { // -0, and with .ftz what becomes -0, is not below zero; NaN is not above
        const std::uint32_t size = c & 0x7fffffff;
        first = size > 0x7f800000 ? false : first || size == 0 || (name.has("ftz") && size < 0x00800000);
    }
    return {Natural{o.raw[first ? 0 : 1]}};
}

Expected bitwise(std::uint64_t value) { return {Natural{value}}; }

const std::map<std::string, Oracle> oracles{
    {"add", sum},
    {"addc", sum},
    {"sub", difference},
    {"subc", difference},
    {"mul", multiplied},
    {"mad", multiplied_and_added},
    {"madc", multiplied_and_added},
    {"mul24", [](auto& n, auto& o) { return plain(product24(n, o)); }},
    {"mad24", added24},
    {"sad",
     [](auto&, auto& o) {
         return plain(o.value[2] +
                      (o.value[0] < o.value[1] ? o.value[1] - o.value[0] : o.value[0] - o.value[1]));
     }},
    {"min", extreme},
    {"max", extreme},
    {"div",
     [](auto&, auto& o) { return o.value[1] == 0 ? Expected{~Natural{0}} : plain(o.value[0] / o.value[1]); }},
    {"rem",
     [](auto&, auto& o) { return o.value[1] == 0 ? Expected{~Natural{0}} : plain(o.value[0] % o.value[1]); }},
    {"neg", [](auto&, auto& o) { return plain(-o.value[0]); }},
    {"abs", [](auto&, auto& o) { return plain(o.value[0] < 0 ? -o.value[0] : o.value[0]); }},
    {"dp4a", dot},
    {"dp2a", dot},
    {"popc", counted},
    {"clz", leading},
    {"bfind", found},
    {"fns", nth},
    {"brev", reversed},
    {"bmsk", mask_of},
    {"szext", extended},
    {"prmt", permuted},
    {"and", [](auto&, auto& o) { return bitwise(o.raw[0] & o.raw[1]); }},
    {"or", [](auto&, auto& o) { return bitwise(o.raw[0] | o.raw[1]); }},
    {"xor", [](auto&, auto& o) { return bitwise(o.raw[0] ^ o.raw[1]); }},
    {"not", [](auto&, auto& o) { return bitwise(~o.raw[0]); }},
    {"cnot", [](auto&, auto& o) { return bitwise(o.raw[0] == 0 ? 1 : 0); }},
    {"mov", [](auto&, auto& o) { return bitwise(o.raw[0]); }},
    {"lop3", any_function},
    {"shf", funnel},
    {"shl", shifted},
    {"shr", shifted},
    {"bfe", extracted},
    {"bfi", inserted},
    {"setp", compared},
    {"selp", [](auto&, auto& o) { return bitwise(o.raw[2] != 0 ? o.raw[0] : o.raw[1]); }},
    {"slct", selected_by_sign},
};

// ---- operands

constexpr std::uint64_t edges[] = {0,
                                   1,
                                   2,
                                   3,
                                   31,
                                   32,
                                   33,
                                   63,
                                   64,
                                   65,
                                   127,
                                   128,
                                   255,
                                   256,
                                   0x7fff,
                                   0x8000,
                                   0xffff,
                                   0x7fffff,
                                   0x800000,
                                   0xffffff,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x7f800001,
                                   0x007fffff,
                                   0x807fffff,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0xffffffffffffffff};
std::map<std::uint64_t, std::size_t> drawn;

std::uint64_t draw(std::mt19937_64& random, int bits) {
    std::uint64_t value = 0;
    switch (random() % 4) {
    case 0: value = random(); break;
    case 1: value = edges[random() % std::size(edges)] << 32 | edges[random() % std::size(edges)]; break;
    case 2: value = random() >> random() % 64; break;
    default: value = edges[random() % std::size(edges)];
    }
    if (bits == 1) return value & 1;
    value = cut(value, bits);
    const auto* edge = std::find(std::begin(edges), std::end(edges), value);
    if (edge != std::end(edges)) ++drawn[value];
    return value;
}

Operands operands_of(const Name& name, const std::vector<int>& bits, const Sample& sample) {
    Operands o{
        {}, sample.in, sample.carry ? 1 : 0, bits.size() > 1 ? bits[1] : 0, name.type().front() == 's'};
    for (std::size_t k = 0; k < sample.in.size(); ++k) {
        const bool negative = o.is_signed && bits[k + 1] > 1;
        o.value.push_back(negative ? sign_extended(sample.in[k], bits[k + 1]) : Number{sample.in[k]});
    }
    return o;
}

void check_row(const Opcode& row, CpuLevel level, bool guarded) {
    const Name name = name_of(row);
    const auto oracle = oracles.find(name.operation());
    REQUIRE_MESSAGE(oracle != oracles.end(), name.full, " has no oracle");
    std::mt19937_64 random(std::hash<std::string>{}(name.full));
    const std::vector<int> bits = widths(row);
    std::vector<Sample> samples(1024);
    for (Sample& sample : samples) {
        for (std::size_t k = 1; k < bits.size(); ++k) sample.in.push_back(draw(random, bits[k]));
        sample.carry = random() % 2 == 0;
    }
    run_row(row, bits, level, guarded, samples, name.operation() == "lop3" ? ", 0x1b" : "");
    for (const Sample& sample : samples) {
        const Expected want = oracle->second(name, operands_of(name, bits, sample));
        const std::uint64_t value = cut(static_cast<std::uint64_t>(want.value), bits[0]);
        if (sample.out == value && sample.carry_out == want.carry.value_or(sample.carry)) continue;
        FAIL_CHECK(name.full, " level ", static_cast<int>(level), ": ", sample.out, " instead of ", value,
                   ", carry ", sample.carry_out, " for ", spelled(sample));
        break;
    }
}

bool floating(const Opcode& row) {
    const Name name = name_of(row);
    return (name.operation() == "setp" || name.operation() == "testp") && name.type().front() == 'f';
}

} // namespace

TEST_CASE(
    "every row of integers, bits, comparisons and moves computes what its page says, on any processor") {
    std::size_t rows = 0;
    for (const auto family :
         {emulator::baseline::integer_rows, emulator::baseline::carry_rows, emulator::baseline::count_rows,
          emulator::baseline::bit_rows, emulator::baseline::compare_rows, emulator::baseline::move_rows}) {
        for (const Opcode& row : family()) {
            const bool two_results = row.stem == "lop3" && !row.modifiers.empty(); // predicates_test.cpp
            if (row.operation == nullptr || row.bits[0] == 0 || floating(row) || two_results ||
                row.bits[0] > 64)
                continue; // mov.b128: unit/emulator/move_test.cpp
            at_each_level([&](CpuLevel level, bool guarded) { check_row(row, level, guarded); });
            ++rows;
        }
    }
    std::string counts;
    for (const std::uint64_t edge : edges) {
        counts += fmt::format(" {:#x}: {}", edge, drawn[edge]);
        CHECK_MESSAGE(drawn[edge] > 0, edge, " was never drawn");
    }
    MESSAGE(rows << " rows; edges drawn:" << counts);
    CHECK(rows > 300);
}
