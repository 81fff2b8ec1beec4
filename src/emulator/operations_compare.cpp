// Comparison and selection. A comparison gives 32 bits at once, one per lane; three instructions are made of
// it:
//
//     setp.lt.s32 %p0, %r1, %r2;                  %p0 = the comparison
//     setp.lt.and.s32 %p0|%p1, %r1, %r2, %p2;     %p0 = it and %p2, %p1 = its opposite and %p2
//     set.lt.u32.s32 %r0, %r1, %r2;               %r0 = all ones where it holds, else 0
//
// The unsigned names lo, ls, hi, hs are lt, le, gt, ge. A comparison of floating-point numbers is false when
// one is not a number; with a `u` behind its name it is true then. Source: PTX ISA 9.7.6 (comparison and
// selection), 9.7.3.1 (testp).
#include "emulator/boolean.hpp"
#include "emulator/lanes.hpp"
#include "emulator/rounding.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

template <class In, bool ftz, class F>
Mask compared(const Warp& warp, const Instruction& i) {
    const Source<In> a(warp, i.in[0]), b(warp, i.in[1]);
    return lanes_where([&](int lane) { return F{}(flushed<ftz>(a[lane]), flushed<ftz>(b[lane])); });
}

// setp with a Boolean operator (in[2]), or two results.
template <class In, bool ftz, class F>
void combine(Warp& warp, const Instruction& i, Mask mask) {
    const Mask holds = compared<In, ftz, F>(warp, i), with = predicate(warp, i.in[2]) ^ boolean_flip(i);
    set_second(warp, i, mask, apply_boolean(i, ~holds, with));
    set_predicate(warp, i.out, mask, apply_boolean(i, holds, with));
}

// set: in[3] holds the value for true.
template <class In, bool ftz, class F>
void set_value(Warp& warp, const Instruction& i, Mask mask) {
    const Mask with = predicate(warp, i.in[2]) ^ boolean_flip(i);
    const Mask holds = apply_boolean(i, compared<In, ftz, F>(warp, i), with);
    const Source<std::uint32_t> yes(warp, i.in[3]);
    const Destination<std::uint32_t> out(warp, i.out);
    each_lane(mask, [&](int lane) {
        out.set(lane, (holds & lane_bits.bit[static_cast<std::size_t>(lane)]) != 0 ? yes[lane] : 0);
    });
}

template <class In, bool ftz = false, class F>
constexpr Opcode comparison(std::string_view stem, std::string_view type, F) {
    Opcode made{stem,
                type,
                {1, 8 * sizeof(In), 8 * sizeof(In)},
                decode_compare,
                [](Warp& w, const Instruction& i, Mask m) {
                    set_predicate(w, i.out, m, compared<In, ftz, F>(w, i));
                }};
    made.classes = {OperandClass::bits, operand_class<In>(type), operand_class<In>(type)};
    made.modifiers = ftz ? "ftz" : "";
    made.other = combine<In, ftz, F>;
    made.as_value = set_value<In, ftz, F>;
    return made;
}

template <class T, bool ftz = false>
constexpr auto equality_rows(std::string_view type) {
    return std::array{
        comparison<T, ftz>("setp.eq", type, [](T a, T b) { return a == b; }),
        comparison<T, ftz>("setp.ne", type, [](T a, T b) { return a < b || b < a; }),
    };
}
template <class T, bool ftz = false>
constexpr auto order_rows(std::string_view type) {
    return std::array{
        comparison<T, ftz>("setp.lt", type, [](T a, T b) { return a < b; }),
        comparison<T, ftz>("setp.le", type, [](T a, T b) { return a <= b; }),
        comparison<T, ftz>("setp.gt", type, [](T a, T b) { return a > b; }),
        comparison<T, ftz>("setp.ge", type, [](T a, T b) { return a >= b; }),
    };
}
template <class U>
constexpr auto unsigned_rows(std::string_view type) {
    return std::array{
        comparison<U>("setp.lo", type, [](U a, U b) { return a < b; }),
        comparison<U>("setp.ls", type, [](U a, U b) { return a <= b; }),
        comparison<U>("setp.hi", type, [](U a, U b) { return a > b; }),
        comparison<U>("setp.hs", type, [](U a, U b) { return a >= b; }),
    };
}
template <class T, bool ftz = false>
constexpr auto unordered_rows(std::string_view type) {
    return std::array{
        comparison<T, ftz>("setp.equ", type, [](T a, T b) { return !(a < b || b < a); }),
        comparison<T, ftz>("setp.neu", type, [](T a, T b) { return !(a == b); }),
        comparison<T, ftz>("setp.ltu", type, [](T a, T b) { return !(a >= b); }),
        comparison<T, ftz>("setp.leu", type, [](T a, T b) { return !(a > b); }),
        comparison<T, ftz>("setp.gtu", type, [](T a, T b) { return !(a <= b); }),
        comparison<T, ftz>("setp.geu", type, [](T a, T b) { return !(a < b); }),
        comparison<T, ftz>("setp.num", type, [](T a, T b) { return a == a && b == b; }),
        comparison<T, ftz>("setp.nan", type, [](T a, T b) { return a != a || b != b; }),
    };
}

/// out = in[2], a predicate, ? in[0] : in[1]
template <class U>
void select(Warp& warp, const Instruction& i, Mask mask) {
    const Source<U> a(warp, i.in[0]), b(warp, i.in[1]);
    const Destination<U> out(warp, i.out);
    const Mask chosen = predicate(warp, i.in[2]);
    each_lane(mask, [&](int lane) {
        out.set(lane, (chosen & lane_bits.bit[static_cast<std::size_t>(lane)]) != 0 ? a[lane] : b[lane]);
    });
}
/// selp, and slct: out = c >= 0 ? a : b.
template <class U>
constexpr auto select_rows(std::string_view type) {
    constexpr int bits = 8 * sizeof(U);
    const OperandClass kind = operand_class<U>(type);
    Opcode selp{"selp", type, {bits, bits, bits, 1}, decode_plain, select<U>};
    selp.classes = {kind, kind, kind};
    // The type of the third source stands behind that of the others.
    const auto with = [&](Opcode made, std::string_view condition, OperandClass its_kind,
                          std::string_view stem) {
        made.stem = stem;
        made.modifiers = type;
        made.type = condition;
        made.classes = {kind, kind, kind, its_kind};
        return made;
    };
    const auto by_sign =
        row<U, U, U, std::int32_t>("slct", "b32", [](U a, U b, std::int32_t c) { return c >= 0 ? a : b; });
    const auto by_float =
        row<U, U, U, float>("slct", "b32", [](U a, U b, float c) { return c >= 0 ? a : b; });
    const auto by_flushed =
        row<U, U, U, float>("slct", "b32", [](U a, U b, float c) { return flushed<true>(c) >= 0 ? a : b; });
    return std::array{
        selp,
        with(by_sign, "s32", OperandClass::integer, "slct"),
        with(by_float, "f32", OperandClass::floating, "slct"),
        with(by_flushed, "f32", OperandClass::floating, "slct.ftz"),
    };
}

template <class T, class F>
constexpr Opcode test_row(std::string_view stem, std::string_view type, F) {
    Opcode made{stem, type, {1, 8 * sizeof(T)}, decode_plain, [](Warp& w, const Instruction& i, Mask m) {
                    const Source<T> a(w, i.in[0]);
                    set_predicate(w, i.out, m,
                                  lanes_where([&](int lane) { return F{}(magnitude(a[lane])); }));
                }};
    made.classes = {OperandClass::bits, OperandClass::floating};
    return made;
}
// Zero counts as a normal number.
template <class T>
constexpr auto test_rows(std::string_view type) {
    using L = std::numeric_limits<T>;
    return std::array{
        test_row<T>("testp.finite", type, [](T a) { return a <= L::max(); }),
        test_row<T>("testp.infinite", type, [](T a) { return a > L::max(); }),
        test_row<T>("testp.number", type, [](T a) { return a == a; }),
        test_row<T>("testp.notanumber", type, [](T a) { return a != a; }),
        test_row<T>("testp.normal", type, [](T a) { return a == 0 || (a >= L::min() && a <= L::max()); }),
        test_row<T>("testp.subnormal", type, [](T a) { return a > 0 && a < L::min(); }),
    };
}

constexpr std::array any_rows{
    Opcode{"setp", "", {}, decode_compare_with, nullptr},
    Opcode{"set", "", {}, decode_set, nullptr},
};

template <class U, class S>
constexpr auto integer_comparisons(std::string_view bits, std::string_view with_sign,
                                   std::string_view without) {
    return joined(equality_rows<U>(bits), equality_rows<U>(without), equality_rows<S>(with_sign),
                  order_rows<U>(without), order_rows<S>(with_sign), unsigned_rows<U>(without));
}
template <class T, bool ftz>
constexpr auto float_comparisons(std::string_view type) {
    return joined(equality_rows<T, ftz>(type), order_rows<T, ftz>(type), unordered_rows<T, ftz>(type));
}

} // namespace

std::span<const Opcode> compare_rows() {
    using U16 = std::uint16_t;
    using U32 = std::uint32_t;
    using U64 = std::uint64_t;
    static constexpr auto rows = joined(
        integer_comparisons<U16, std::int16_t>("b16", "s16", "u16"),
        integer_comparisons<U32, std::int32_t>("b32", "s32", "u32"),
        integer_comparisons<U64, std::int64_t>("b64", "s64", "u64"), float_comparisons<float, false>("f32"),
        float_comparisons<float, true>("f32"), float_comparisons<double, false>("f64"),
        select_rows<U16>("b16"), select_rows<U16>("u16"), select_rows<U16>("s16"), select_rows<U32>("b32"),
        select_rows<U32>("u32"), select_rows<U32>("s32"), select_rows<U32>("f32"), select_rows<U64>("b64"),
        select_rows<U64>("u64"), select_rows<U64>("s64"), select_rows<U64>("f64"), test_rows<float>("f32"),
        test_rows<double>("f64"), any_rows);
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
