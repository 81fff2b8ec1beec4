// Arithmetic of f16 and bf16, single and in pairs. A single number is a pair whose upper half nobody reads,
// so one operation serves both. Modifiers are bits (half_formats.hpp); each combination that exists is a row.
//
//     fma.rn.relu.bf16x2 %r0, %r1, %r2, %r3;  ->  both halves: round(a * b + c), negative results 0
//
// ex2 and tanh are what the exact value rounds to, not the processor's approximation of it. Not here:
// comparisons (operations_half_compare.cpp), sums with f32 (operations_mixed.cpp). Source: PTX ISA 9.7.4.
#include "emulator/half_formats.hpp"
#include "emulator/lanes.hpp"

#include <cmath>

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

/// The two rows of an operation on pairs.
template <class... In, class F>
constexpr std::array<Opcode, 2> both_rows(const Needs& needs, std::string_view stem, std::string_view type,
                                          std::string_view pair_type, F f) {
    Opcode pair = needing(needs, row<Word, In...>(stem, pair_type, f));
    pair.classes = {OperandClass::packed, OperandClass::packed, OperandClass::packed, OperandClass::packed};
    Opcode single = pair;
    single.type = type;
    for (int& bits : single.bits) bits /= 2;
    return {single, pair};
}

/// A format with the names and needs of its rows.
struct F16Rows : F16 {
    static constexpr std::string_view type = "f16", pair_type = "f16x2";
};
struct Bf16Rows : Bf16 {
    static constexpr std::string_view type = "bf16", pair_type = "bf16x2";
};

inline Word low(Word a, int shift) { return a >> shift & 0xffff; }

template <class T, unsigned flags, class Op>
constexpr auto unary(const Needs& needs, std::string_view stem, Op) {
    return both_rows<Word>(needs, stem, T::type, T::pair_type, [](Word a) {
        return both([=](int s) { return finished<T, flags>(Op{}(flushed<T, flags>(low(a, s)))); });
    });
}
template <class T, unsigned flags, class Op>
constexpr auto binary(const Needs& needs, std::string_view stem, Op) {
    return both_rows<Word, Word>(needs, stem, T::type, T::pair_type, [](Word a, Word b) {
        return both([=](int s) {
            return finished<T, flags>(Op{}(flushed<T, flags>(low(a, s)), flushed<T, flags>(low(b, s))));
        });
    });
}
template <class T, unsigned flags>
struct FusedPair {
    Word operator()(Word a, Word b, Word c) const {
        return both([=](int s) {
            const Word x = low(a, s), y = low(b, s), z = low(c, s);
            const Word number =
                T::template fused<flags>(flushed<T, flags>(x), flushed<T, flags>(y), flushed<T, flags>(z));
            const bool outside =
                (flags & bounded) != 0 && (x == out_of_bounds || y == out_of_bounds || z == out_of_bounds);
            return outside ? 0 : finished<T, flags>(number);
        });
    }
};
template <class T, unsigned flags>
constexpr auto fused(const Needs& needs, std::string_view stem) {
    return both_rows<Word, Word, Word>(needs, stem, T::type, T::pair_type, FusedPair<T, flags>{});
}

// Of bf16 in float, where the product is exact and far from both ends of float's range; when some lane's is
// not, all go through double.
template <unsigned flags>
void fused_bf16(Warp& warp, const Instruction& i, Mask mask) {
    const Source<Word> a(warp, i.in[0]), b(warp, i.in[1]), c(warp, i.in[2]);
    constexpr Word tiny = 0x10000000, huge = 0x7f000000;
    Row result;
    Word hard = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        result.word[static_cast<std::size_t>(lane)] = both([&](int s) {
            const Word x = low(a[lane], s), y = low(b[lane], s);
            const float exact = from_bf16(x) * from_bf16(y);
            const float odd = sum_to_odd(exact, from_bf16(low(c[lane], s)));
            const Word size = std::bit_cast<Word>(exact) & 0x7fffffff,
                       sum = std::bit_cast<Word>(odd) & 0x7fffffff;
            const bool zero = (x & 0x7fff) == 0 || (y & 0x7fff) == 0;
            hard |= ((size < tiny && !zero) || size >= huge || sum >= huge) ? 1 : 0;
            return finished<Bf16, flags>(to_bf16(odd));
        });
    }
    if (hard != 0) return apply<Word, FusedPair<Bf16, flags>, Word, Word, Word>(warp, i, mask);
    const Destination<Word> out(warp, i.out);
    each_lane(mask, [&](int lane) { out.set(lane, result.word[static_cast<std::size_t>(lane)]); });
}

// Codes in the order of their numbers, -0 below +0.
inline std::int32_t ordered(Word a) {
    const auto size = static_cast<std::int32_t>(a & 0x7fff);
    return (a & half_sign) != 0 ? ~size : size;
}
template <class T, unsigned flags, bool larger>
Word extreme(Word a, Word b) {
    const Word sign = (a ^ b) & half_sign;
    if constexpr ((flags & signs_apart) != 0) a &= 0x7fff, b &= 0x7fff;
    const bool no_a = is_nan<T>(a), no_b = is_nan<T>(b);
    const bool first = larger ? ordered(a) > ordered(b) : ordered(a) < ordered(b);
    const Word chosen = no_a ? b : no_b ? a : first ? a : b;
    const bool none = (flags & keeping_nan) != 0 ? no_a || no_b : no_a && no_b;
    return none ? half_nan : (flags & signs_apart) != 0 ? chosen | sign : chosen;
}

constexpr Needs turing{}, turing_abs{{6, 5}, 75}, turing_approx{{7, 0}, 75}, ampere{{7, 0}, 80},
    xorsign{{7, 2}, 86}, hopper{{7, 8}, 90}, oob{{8, 1}, 90};

template <class T>
constexpr auto sum = [](Word a, Word b) { return T::sum(a, b); };
template <class T>
constexpr auto difference = [](Word a, Word b) { return T::sum(a, b ^ half_sign); };
template <class T>
constexpr auto product = [](Word a, Word b) { return T::product(a, b); };
template <class T, unsigned flags>
constexpr auto smallest = [](Word a, Word b) { return extreme<T, flags, false>(a, b); };
template <class T, unsigned flags>
constexpr auto largest = [](Word a, Word b) { return extreme<T, flags, true>(a, b); };
// A NaN becomes the canonical one, as an H200 does it.
template <class T>
constexpr auto negated = [](Word a) { return is_nan<T>(a) ? half_nan : a ^ half_sign; };
template <class T>
constexpr auto size_of = [](Word a) { return is_nan<T>(a) ? half_nan : a & 0x7fff; };

using H = F16Rows;
using B = Bf16Rows;

template <class Op>
constexpr auto f16_rows(const std::array<std::string_view, 8>& names, Op op) {
    return joined(binary<H, 0>(turing, names[0], op), binary<H, 0>(turing, names[1], op),
                  binary<H, flushing>(turing, names[2], op), binary<H, flushing>(turing, names[3], op),
                  binary<H, saturating>(turing, names[4], op), binary<H, saturating>(turing, names[5], op),
                  binary<H, flushing | saturating>(turing, names[6], op),
                  binary<H, flushing | saturating>(turing, names[7], op));
}
constexpr std::array<std::string_view, 8> adds{"add",     "add.rn",     "add.ftz",     "add.rn.ftz",
                                               "add.sat", "add.rn.sat", "add.ftz.sat", "add.rn.ftz.sat"};
constexpr std::array<std::string_view, 8> subs{"sub",     "sub.rn",     "sub.ftz",     "sub.rn.ftz",
                                               "sub.sat", "sub.rn.sat", "sub.ftz.sat", "sub.rn.ftz.sat"};
constexpr std::array<std::string_view, 8> muls{"mul",     "mul.rn",     "mul.ftz",     "mul.rn.ftz",
                                               "mul.sat", "mul.rn.sat", "mul.ftz.sat", "mul.rn.ftz.sat"};

template <class T>
constexpr auto extreme_rows() {
    return joined(binary<T, 0>(ampere, "min", smallest<T, 0>), binary<T, 0>(ampere, "max", largest<T, 0>),
                  binary<T, 0>(ampere, "min.NaN", smallest<T, keeping_nan>),
                  binary<T, 0>(ampere, "max.NaN", largest<T, keeping_nan>),
                  binary<T, 0>(xorsign, "min.xorsign.abs", smallest<T, signs_apart>),
                  binary<T, 0>(xorsign, "max.xorsign.abs", largest<T, signs_apart>),
                  binary<T, 0>(xorsign, "min.NaN.xorsign.abs", smallest<T, keeping_nan | signs_apart>),
                  binary<T, 0>(xorsign, "max.NaN.xorsign.abs", largest<T, keeping_nan | signs_apart>));
}
constexpr auto flushing_extreme_rows() {
    return joined(
        binary<H, flushing>(ampere, "min.ftz", smallest<H, 0>),
        binary<H, flushing>(ampere, "max.ftz", largest<H, 0>),
        binary<H, flushing>(ampere, "min.ftz.NaN", smallest<H, keeping_nan>),
        binary<H, flushing>(ampere, "max.ftz.NaN", largest<H, keeping_nan>),
        binary<H, flushing>(xorsign, "min.ftz.xorsign.abs", smallest<H, signs_apart>),
        binary<H, flushing>(xorsign, "max.ftz.xorsign.abs", largest<H, signs_apart>),
        binary<H, flushing>(xorsign, "min.ftz.NaN.xorsign.abs", smallest<H, keeping_nan | signs_apart>),
        binary<H, flushing>(xorsign, "max.ftz.NaN.xorsign.abs", largest<H, keeping_nan | signs_apart>));
}

constexpr auto f16_fused_rows() {
    return joined(
        fused<H, 0>(turing, "fma.rn"), fused<H, flushing>(turing, "fma.rn.ftz"),
        fused<H, saturating>(turing, "fma.rn.sat"), fused<H, flushing | saturating>(turing, "fma.rn.ftz.sat"),
        fused<H, clamping>(ampere, "fma.rn.relu"), fused<H, flushing | clamping>(ampere, "fma.rn.ftz.relu"),
        fused<H, bounded>(oob, "fma.rn.oob"), fused<H, bounded | saturating>(oob, "fma.rn.sat.oob"),
        fused<H, bounded | clamping>(oob, "fma.rn.oob.relu"),
        fused<H, bounded | clamping>(oob, "fma.rn.relu.oob"));
}
template <unsigned flags>
constexpr auto fast(std::string_view stem) {
    auto rows = fused<B, flags>(ampere, stem);
    for (Opcode& opcode : rows) opcode.operation = fused_bf16<flags>;
    return rows;
}
constexpr auto bf16_fused_rows() {
    return joined(fast<0>("fma.rn"), fast<clamping>("fma.rn.relu"), fused<B, bounded>(oob, "fma.rn.oob"),
                  fused<B, bounded | clamping>(oob, "fma.rn.oob.relu"),
                  fused<B, bounded | clamping>(oob, "fma.rn.relu.oob"));
}

// To f16 or bf16 by way of double, of what the C library gives in double.
template <class T, double (*function)(double)>
constexpr auto approximate = [](Word a) {
    const float odd = to_odd_float(function(static_cast<double>(T::up(a))));
    if constexpr (T::infinity == F16::infinity)
        return to_f16(odd);
    else
        return to_bf16(odd);
};
double power_of_two(double a) { return std::exp2(a); }
double hyperbolic_tangent(double a) { return std::tanh(a); }

constexpr auto other_rows() {
    return joined(unary<H, 0>(turing, "neg", negated<H>), unary<H, flushing>(turing, "neg.ftz", negated<H>),
                  unary<H, 0>(turing_abs, "abs", size_of<H>),
                  unary<H, flushing>(turing_abs, "abs.ftz", size_of<H>),
                  unary<B, 0>(ampere, "neg", negated<B>), unary<B, 0>(ampere, "abs", size_of<B>),
                  unary<H, 0>(turing_approx, "ex2.approx", approximate<H, power_of_two>),
                  unary<H, 0>(turing_approx, "tanh.approx", approximate<H, hyperbolic_tangent>),
                  unary<B, flushing>(hopper, "ex2.approx.ftz", approximate<B, power_of_two>),
                  unary<B, 0>(hopper, "tanh.approx", approximate<B, hyperbolic_tangent>),
                  binary<B, 0>(hopper, "add", sum<B>), binary<B, 0>(hopper, "add.rn", sum<B>),
                  binary<B, 0>(hopper, "sub", difference<B>), binary<B, 0>(hopper, "sub.rn", difference<B>),
                  binary<B, 0>(hopper, "mul", product<B>), binary<B, 0>(hopper, "mul.rn", product<B>));
}

} // namespace

std::span<const Opcode> half_rows() {
    static constexpr auto rows = joined(
        f16_rows(adds, sum<H>), f16_rows(subs, difference<H>), f16_rows(muls, product<H>), f16_fused_rows(),
        bf16_fused_rows(), extreme_rows<H>(), extreme_rows<B>(), flushing_extreme_rows(), other_rows());
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
