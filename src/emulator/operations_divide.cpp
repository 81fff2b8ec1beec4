// Quotients, reciprocals and square roots of single precision, rounded as their names say. Formed in double,
// they lie on the right side of every float (rounding.hpp):
//
//     div.rp.f32 1, 3  ->  0x3eaaaaab;     div.rm.f32 1, 3  ->  0x3eaaaaaa
//
// Source: PTX ISA 9.7.3.8 (div), 9.7.3.13 (rcp), 9.7.3.15 (sqrt). Not here: the approximations
// (operations_approximate.cpp).
#include "emulator/rounding.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

using F = float;

struct Divide {
    static double of(double a, double b) { return a / b; }
};
struct Reciprocal {
    static double of(double a) { return 1 / a; }
};
struct Root {
    static double of(double a) { return __builtin_sqrt(a); }
};

template <class Op, Round round, bool ftz, class... In>
constexpr Opcode single(std::string_view stem, std::string_view modifiers) {
    return modified(modifiers, row<F, In...>(stem, "f32", [](In... in) {
                        const double exact = Op::of(flushed<ftz>(in)...);
                        return flushed<ftz>(canonical(narrowed<round>(exact)));
                    }));
}
template <class Op, class... In>
constexpr auto modes(std::string_view stem) {
    return std::array{
        single<Op, Round::nearest, false, In...>(stem, "rn"),
        single<Op, Round::nearest, true, In...>(stem, "rn.ftz"),
        single<Op, Round::zero, false, In...>(stem, "rz"),
        single<Op, Round::zero, true, In...>(stem, "rz.ftz"),
        single<Op, Round::down, false, In...>(stem, "rm"),
        single<Op, Round::down, true, In...>(stem, "rm.ftz"),
        single<Op, Round::up, false, In...>(stem, "rp"),
        single<Op, Round::up, true, In...>(stem, "rp.ftz"),
    };
}

} // namespace

std::span<const Opcode> divide_rows() {
    static constexpr auto rows =
        joined(modes<Divide, F, F>("div"), modes<Reciprocal, F>("rcp"), modes<Root, F>("sqrt"));
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
