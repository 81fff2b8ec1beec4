// The rows. Floats are added in double, which is exact or close enough that the one rounding to 32, 16 or 8
// bits of mantissa is as if it were; global memory flushes subnormal f32 sums and shared memory does not.
#include "emulator/atomics.hpp"

#include "emulator/formats.hpp"
#include "emulator/rounding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace tmemc::emulator {

namespace {

using Bits = std::uint64_t;

template <class T>
Bits smaller(Bits there, Bits b, Bits) {
    return static_cast<Bits>(std::min(static_cast<T>(there), static_cast<T>(b)));
}
template <class T>
Bits larger(Bits there, Bits b, Bits) {
    return static_cast<Bits>(std::max(static_cast<T>(there), static_cast<T>(b)));
}
Bits sum(Bits there, Bits b, Bits) { return there + b; }
Bits exchange(Bits, Bits b, Bits) { return b; }
Bits both(Bits there, Bits b, Bits) { return there & b; }
Bits either(Bits there, Bits b, Bits) { return there | b; }
Bits differing(Bits there, Bits b, Bits) { return there ^ b; }
template <class T>
Bits exchange_if(Bits there, Bits b, Bits c) {
    return static_cast<T>(there) == static_cast<T>(b) ? c : there;
}
Bits increment(Bits there, Bits b, Bits) {
    return static_cast<std::uint32_t>(there) >= static_cast<std::uint32_t>(b) ? 0 : there + 1;
}
Bits decrement(Bits there, Bits b, Bits) {
    const bool outside = static_cast<std::uint32_t>(there) > static_cast<std::uint32_t>(b);
    return there == 0 || outside ? b : there - 1;
}

template <bool flush>
float operand(Bits bits) {
    const auto word = static_cast<std::uint32_t>(bits);
    return std::bit_cast<float>(flush && (word & 0x7f800000) == 0 ? word & 0x80000000 : word);
}
template <bool flush>
Bits sum_f32(Bits there, Bits b, Bits) {
    const float result = operand<flush>(there) + operand<flush>(b);
    if (std::isnan(result)) return 0x7fffffff;
    return std::bit_cast<std::uint32_t>(operand<flush>(std::bit_cast<std::uint32_t>(result)));
}
/// Of two NaNs the one in shared memory wins, and is made quiet; over one in global memory the operand wins,
/// and stays as it is.
template <bool shared>
Bits sum_f64(Bits there, Bits b, Bits) {
    const auto x = std::bit_cast<double>(there), y = std::bit_cast<double>(b);
    if (shared) return std::bit_cast<Bits>(TMEMC_LEVEL::settled(x + y, y, x));
    return std::isnan(y) ? b : std::isnan(x) ? there : std::bit_cast<Bits>(TMEMC_LEVEL::settled(x + y, y, x));
}

// ---- numbers of 16 bits, by way of double

struct F16 {
    static constexpr std::string_view name = "f16";
};
struct Bf16 {
    static constexpr std::string_view name = "bf16";
};
double widened(const Format& from, Bits bits) {
    return std::bit_cast<double>(
        encoded(*format("f64"), decoded(from, bits & 0xffff), Rounding::nearest_even, false));
}
Bits narrowed(const Format& to, double value) {
    return encoded(to, decoded(*format("f64"), std::bit_cast<Bits>(value)), Rounding::nearest_even, false);
}
template <class Type>
Bits sum_16(Bits there, Bits b, Bits) {
    static const Format& type = *format(Type::name);
    return narrowed(type, widened(type, there) + widened(type, b));
}
// The number of a min or max; that of two zeros has the sign that an order of them would give.
template <class Type, bool largest>
Bits extreme_16(Bits there, Bits b, Bits) {
    static const Format& type = *format(Type::name);
    const double x = widened(type, there), y = widened(type, b);
    if (std::isnan(x) || std::isnan(y))
        return std::isnan(x) && std::isnan(y) ? 0x7fff : std::isnan(x) ? b : there;
    const bool first_is_less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
    return first_is_less == largest ? b : there;
}
template <AtomicRow::Update update>
Bits twice(Bits there, Bits b, Bits) {
    return (update(there & 0xffff, b & 0xffff, 0) & 0xffff) |
           (update(there >> 16 & 0xffff, b >> 16 & 0xffff, 0) & 0xffff) << 16;
}

constexpr Needs none{}, v78_sm90{{7, 8}, 90, {}}, v81_sm90{{8, 1}, 90, {}}, v83_sm90{{8, 3}, 90, {}};

constexpr AtomicRow plain(std::string_view operation, std::string_view type, int bits, OperandClass operands,
                          AtomicRow::Update update, AtomicRow::Update shared = nullptr) {
    AtomicRow row;
    row.operation = operation;
    row.type = type;
    row.bits = bits;
    row.operands = operands;
    row.update = update;
    row.update_shared = shared;
    return row;
}
constexpr AtomicRow only_atom(AtomicRow row, bool compares, const Needs& needs = none) {
    row.reduces = false;
    row.compares = compares;
    row.needs = needs;
    return row;
}
constexpr AtomicRow in_vectors(AtomicRow row, int most, const Needs& needs = none, bool noftz = true) {
    row.most_elements = most;
    row.needs = needs;
    row.vector_needs = v81_sm90;
    row.noftz = noftz;
    return row;
}

constexpr OperandClass any = OperandClass::bits, whole = OperandClass::integer, real = OperandClass::floating;
constexpr OperandClass packed = OperandClass::packed;
constexpr AtomicRow rows[] = {
    only_atom(plain("exch", "b32", 32, any, exchange), false),
    only_atom(plain("exch", "b64", 64, any, exchange), false),
    only_atom(plain("exch", "b128", 128, any, nullptr), false, v83_sm90),
    only_atom(plain("cas", "b16", 16, any, exchange_if<std::uint16_t>), true),
    only_atom(plain("cas", "b32", 32, any, exchange_if<std::uint32_t>), true),
    only_atom(plain("cas", "b64", 64, any, exchange_if<std::uint64_t>), true),
    only_atom(plain("cas", "b128", 128, any, nullptr), true, v83_sm90),
    plain("and", "b32", 32, any, both),
    plain("and", "b64", 64, any, both),
    plain("or", "b32", 32, any, either),
    plain("or", "b64", 64, any, either),
    plain("xor", "b32", 32, any, differing),
    plain("xor", "b64", 64, any, differing),
    plain("inc", "u32", 32, whole, increment),
    plain("dec", "u32", 32, whole, decrement),
    plain("min", "u32", 32, whole, smaller<std::uint32_t>),
    plain("min", "s32", 32, whole, smaller<std::int32_t>),
    plain("min", "u64", 64, whole, smaller<std::uint64_t>),
    plain("min", "s64", 64, whole, smaller<std::int64_t>),
    plain("max", "u32", 32, whole, larger<std::uint32_t>),
    plain("max", "s32", 32, whole, larger<std::int32_t>),
    plain("max", "u64", 64, whole, larger<std::uint64_t>),
    plain("max", "s64", 64, whole, larger<std::int64_t>),
    plain("add", "u32", 32, whole, sum),
    plain("add", "s32", 32, whole, sum),
    plain("add", "u64", 64, whole, sum),
    plain("add", "f64", 64, real, sum_f64<false>, sum_f64<true>),
    in_vectors(plain("add", "f32", 32, real, sum_f32<true>, sum_f32<false>), 4, none, false),
    in_vectors(plain("add", "f16", 16, packed, sum_16<F16>), 8),
    in_vectors(plain("add", "f16x2", 32, packed, twice<sum_16<F16>>), 4),
    in_vectors(plain("add", "bf16", 16, packed, sum_16<Bf16>), 8, v78_sm90),
    in_vectors(plain("add", "bf16x2", 32, packed, twice<sum_16<Bf16>>), 4, v78_sm90),
    in_vectors(plain("min", "f16", 16, packed, extreme_16<F16, false>), 8, v81_sm90),
    in_vectors(plain("min", "f16x2", 32, packed, twice<extreme_16<F16, false>>), 4, v81_sm90),
    in_vectors(plain("min", "bf16", 16, packed, extreme_16<Bf16, false>), 8, v81_sm90),
    in_vectors(plain("min", "bf16x2", 32, packed, twice<extreme_16<Bf16, false>>), 4, v81_sm90),
    in_vectors(plain("max", "f16", 16, packed, extreme_16<F16, true>), 8, v81_sm90),
    in_vectors(plain("max", "f16x2", 32, packed, twice<extreme_16<F16, true>>), 4, v81_sm90),
    in_vectors(plain("max", "bf16", 16, packed, extreme_16<Bf16, true>), 8, v81_sm90),
    in_vectors(plain("max", "bf16x2", 32, packed, twice<extreme_16<Bf16, true>>), 4, v81_sm90),
};

} // namespace

std::size_t atomic_row_count() { return std::size(rows); }
const AtomicRow& atomic_row(std::size_t number) { return rows[number]; }

} // namespace tmemc::emulator
