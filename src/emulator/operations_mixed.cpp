// Sums of an f16 or bf16 number and an f32 one, and of a product of two and an f32 one, in f32, rounded once:
//
//     fma.rn.f32.bf16 %f0, %h1, %h2, %f3;     f32(%h1) * f32(%h2) + %f3
//
// The products are exact in double, and so, made odd, is what a sum needs (rounding.hpp). Source: PTX ISA
// 9.7.5 (mixed precision).
#include "emulator/halves.hpp"
#include "emulator/rounding.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

using F = float;
using Half = std::uint16_t;
using Up = float (*)(Word);

template <Up up, Round round, bool sat>
constexpr auto rows_of(std::string_view type, std::string_view modifiers) {
    constexpr Needs blackwell{{8, 6}, 100};
    const auto add = [](Half a, F c) { return saturated<sat>(canonical(rounded_sum<round>(up(a), c))); };
    const auto sub = [](Half a, F c) { return saturated<sat>(canonical(rounded_sum<round>(up(a), -c))); };
    const auto fma = [](Half a, Half b, F c) {
        const double product = static_cast<double>(up(a)) * static_cast<double>(up(b));
        return saturated<sat>(canonical(rounded_sum<round>(product, c)));
    };
    std::array made{row<F, Half, F>("add", type, add), row<F, Half, F>("sub", type, sub),
                    row<F, Half, Half, F>("fma", type, fma)};
    for (Opcode& opcode : made) {
        opcode = modified(modifiers, needing(blackwell, opcode));
        for (std::size_t k = 1; k < opcode.bits.size(); ++k)
            if (opcode.bits[k] == 16) opcode.classes[k] = OperandClass::packed;
    }
    return made;
}
template <Up up>
constexpr auto typed_rows(std::string_view type) {
    const auto plain = rows_of<up, Round::nearest, false>(type, ""),
               plain_sat = rows_of<up, Round::nearest, true>(type, "sat");
    return joined(std::array{plain[0], plain[1], plain_sat[0], plain_sat[1]}, // fma names its rounding
                  rows_of<up, Round::nearest, false>(type, "rn"),
                  rows_of<up, Round::nearest, true>(type, "rn.sat"),
                  rows_of<up, Round::zero, false>(type, "rz"), rows_of<up, Round::zero, true>(type, "rz.sat"),
                  rows_of<up, Round::down, false>(type, "rm"), rows_of<up, Round::down, true>(type, "rm.sat"),
                  rows_of<up, Round::up, false>(type, "rp"), rows_of<up, Round::up, true>(type, "rp.sat"));
}

} // namespace

std::span<const Opcode> mixed_rows() {
    static constexpr auto rows = joined(typed_rows<from_f16>("f32.f16"), typed_rows<from_bf16>("f32.bf16"));
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
