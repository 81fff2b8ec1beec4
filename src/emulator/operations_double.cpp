// Double precision. To nearest the processor rounds; in the other directions integers do (exact.hpp), once
// everything that is not a finite number has been left to the processor too. A sum of opposite terms that is
// exactly zero is +0, and -0 when rounding down:
//
//     add.rm.f64 1.0, -1.0  ->  -0.0
//
// Subnormal numbers are supported always; there is no .ftz and no .sat. Source: PTX ISA 9.7.3.3 to 9.7.3.8,
// 9.7.3.13 (rcp), 9.7.3.15 (sqrt).
#include "emulator/exact.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

using D = double;

bool finite(D a) { return magnitude(a) <= std::numeric_limits<D>::max(); }
bool negative(D a) { return std::bit_cast<std::uint64_t>(a) >> 63 != 0; }

template <Round round>
D rounded_sum(const Exact& a, const Exact& b) {
    Exact result = sum(a, b);
    if (result.mantissa == 0) {
        result.negative = round == Round::down ? a.negative || b.negative : a.negative && b.negative;
    }
    return rounded<round>(result);
}

struct Add {
    template <Round round>
    static D of(D a, D b) {
        if (round == Round::nearest || !finite(a) || !finite(b)) return a + b;
        return rounded_sum<round>(exact(a), exact(b));
    }
};
struct Subtract {
    template <Round round>
    static D of(D a, D b) {
        return round == Round::nearest ? a - b : Add::of<round>(a, -b);
    }
};
struct Multiply {
    template <Round round>
    static D of(D a, D b) {
        if (round == Round::nearest || !finite(a) || !finite(b)) return a * b;
        return rounded<round>(product(exact(a), exact(b)));
    }
};
struct Fuse {
    template <Round round>
    static D of(D a, D b, D c) {
        if (round == Round::nearest || !finite(a) || !finite(b) || !finite(c)) return __builtin_fma(a, b, c);
        return rounded_sum<round>(product(exact(a), exact(b)), exact(c));
    }
};
struct Divide {
    template <Round round>
    static D of(D a, D b) {
        if (round == Round::nearest || !finite(a) || !finite(b) || a == 0 || b == 0) return a / b;
        return rounded<round>(quotient(exact(a), exact(b)));
    }
};
struct Reciprocal {
    template <Round round>
    static D of(D a) {
        return Divide::of<round>(1.0, a);
    }
};
struct Root {
    template <Round round>
    static D of(D a) {
        if (round == Round::nearest || !finite(a) || a == 0 || negative(a)) return __builtin_sqrt(a);
        return rounded<round>(root(exact(a)));
    }
};

template <class Op, Round round, class... In>
constexpr Opcode mode(std::string_view stem, std::string_view name) {
    return modified(
        name, row<D, In...>(stem, "f64", [](In... in) { return canonical(Op::template of<round>(in...)); }));
}
template <class Op, class... In>
constexpr auto modes(std::string_view stem) {
    return std::array{mode<Op, Round::nearest, In...>(stem, "rn"), mode<Op, Round::zero, In...>(stem, "rz"),
                      mode<Op, Round::down, In...>(stem, "rm"), mode<Op, Round::up, In...>(stem, "rp")};
}

constexpr std::array unnamed_rows{
    mode<Add, Round::nearest, D, D>("add", ""),
    mode<Subtract, Round::nearest, D, D>("sub", ""),
    mode<Multiply, Round::nearest, D, D>("mul", ""),
};

} // namespace

std::span<const Opcode> double_rows() {
    static constexpr auto rows =
        joined(unnamed_rows, modes<Add, D, D>("add"), modes<Subtract, D, D>("sub"),
               modes<Multiply, D, D>("mul"), modes<Fuse, D, D, D>("fma"), modes<Fuse, D, D, D>("mad"),
               modes<Divide, D, D>("div"), modes<Reciprocal, D>("rcp"), modes<Root, D>("sqrt"));
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
