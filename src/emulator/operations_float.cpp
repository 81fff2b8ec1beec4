// Single-precision sums, products and fused ones, also in pairs (f32x2). Every operation rounds once, in the
// direction of its name, to nearest even without one; a result that is not a number is the canonical one,
// whatever went in. Compiled with -ffp-contract=off: no product and sum become a fused one unless the program
// says fma. The rows of an operation are its modifiers, all made from one function:
//
//     add.rz.ftz.sat.f32  =  saturated(flushed(Add::of<Round::zero>(flushed(a), flushed(b))))
//
// Source: PTX ISA 9.7.3.3 to 9.7.3.7. Not here: how to round (rounding.hpp); quotients and roots
// (operations_divide.cpp); double precision (operations_double.cpp).
#include "emulator/rounding.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

using F = float;

struct Add {
    template <Round round>
    static F of(F a, F b) {
        return round == Round::nearest ? a + b : rounded_sum<round>(a, b);
    }
};
struct Subtract {
    template <Round round>
    static F of(F a, F b) {
        return round == Round::nearest ? a - b : rounded_sum<round>(a, -static_cast<double>(b));
    }
};
struct Multiply {
    template <Round round>
    static F of(F a, F b) {
        return round == Round::nearest ? a * b
                                       : narrowed<round>(static_cast<double>(a) * static_cast<double>(b));
    }
};
struct Fuse {
    template <Round round>
    static F of(F a, F b, F c) {
        if constexpr (round == Round::nearest) return fused(a, b, c);
        return rounded_sum<round>(static_cast<double>(a) * static_cast<double>(b), c);
    }
};

template <class Op, Round round, bool ftz, bool sat, class... In>
F computed(In... in) {
    return saturated<sat>(flushed<ftz>(canonical(Op::template of<round>(flushed<ftz>(in)...))));
}

using Names = std::array<std::string_view, 4>; // without, with ftz, with sat, with both
constexpr Names unnamed{"", "ftz", "sat", "ftz.sat"}, nearest{"rn", "rn.ftz", "rn.sat", "rn.ftz.sat"},
    zero{"rz", "rz.ftz", "rz.sat", "rz.ftz.sat"}, down{"rm", "rm.ftz", "rm.sat", "rm.ftz.sat"},
    up{"rp", "rp.ftz", "rp.sat", "rp.ftz.sat"};

template <class Op, Round round, bool ftz, bool sat, class... In>
constexpr Opcode single(std::string_view stem, std::string_view modifiers) {
    return modified(
        modifiers, row<F, In...>(stem, "f32", [](In... in) { return computed<Op, round, ftz, sat>(in...); }));
}
template <class Op, Round round, class... In>
constexpr auto modes(std::string_view stem, const Names& names) {
    return std::array{
        single<Op, round, false, false, In...>(stem, names[0]),
        single<Op, round, true, false, In...>(stem, names[1]),
        single<Op, round, false, true, In...>(stem, names[2]),
        single<Op, round, true, true, In...>(stem, names[3]),
    };
}
template <class Op, class... In>
constexpr auto rounded(std::string_view stem) {
    return joined(modes<Op, Round::nearest, In...>(stem, nearest), modes<Op, Round::zero, In...>(stem, zero),
                  modes<Op, Round::down, In...>(stem, down), modes<Op, Round::up, In...>(stem, up));
}

// ---- pairs

struct Pair {
    F low, high;
};

template <class Op, Round round, bool ftz, class... In>
constexpr Opcode pair(std::string_view stem, std::string_view modifiers) {
    return needing({{8, 6}, 100}, modified(modifiers, row<Pair, In...>(stem, "f32x2", [](In... in) {
                                               return Pair{computed<Op, round, ftz, false>(in.low...),
                                                           computed<Op, round, ftz, false>(in.high...)};
                                           })));
}
template <class Op, Round round, class... In>
constexpr auto pair_modes(std::string_view stem, const Names& names) {
    return std::array{pair<Op, round, false, In...>(stem, names[0]),
                      pair<Op, round, true, In...>(stem, names[1])};
}
template <class Op, class... In>
constexpr auto rounded_pairs(std::string_view stem) {
    return joined(pair_modes<Op, Round::nearest, In...>(stem, nearest),
                  pair_modes<Op, Round::zero, In...>(stem, zero),
                  pair_modes<Op, Round::down, In...>(stem, down), pair_modes<Op, Round::up, In...>(stem, up));
}

template <class Op>
constexpr auto of_two(std::string_view stem) {
    return joined(modes<Op, Round::nearest, F, F>(stem, unnamed), rounded<Op, F, F>(stem),
                  pair_modes<Op, Round::nearest, Pair, Pair>(stem, unnamed),
                  rounded_pairs<Op, Pair, Pair>(stem));
}

} // namespace

std::span<const Opcode> float_rows() {
    static constexpr auto rows = joined(of_two<Add>("add"), of_two<Subtract>("sub"), of_two<Multiply>("mul"),
                                        rounded<Fuse, F, F, F>("fma"), rounded<Fuse, F, F, F>("mad"),
                                        rounded_pairs<Fuse, Pair, Pair, Pair>("fma"));
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
