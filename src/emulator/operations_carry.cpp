// Sums, differences and products with a carry, of which numbers wider than a register are made:
//
//     add.cc.u32  %r0, %r2, %r4;     // the low words; the carry goes to CC.CF
//     addc.u32    %r1, %r3, %r5;     // the high words, and the carry
//
// CC.CF is a predicate of its own, a bit per lane. Instructions that write it find its slot in `detail`;
// those that read it have it as their last source. Of a difference a - b it is the carry of a + ~b + 1: clear
// when something was borrowed, as an H200 has it. Source: PTX ISA 9.7.2.
#include "emulator/lanes.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

template <class U>
constexpr U high_part(U a, U b, bool is_signed) {
    __extension__ using Wide = unsigned __int128;
    const U high = static_cast<U>(Wide{a} * b >> (8 * sizeof(U)));
    // Of signed numbers: a negative factor is 2^bits too large as an unsigned one.
    const U sign_a = U{0} - (a >> (8 * sizeof(U) - 1)), sign_b = U{0} - (b >> (8 * sizeof(U) - 1));
    return is_signed ? high - (sign_a & b) - (sign_b & a) : high;
}

// What is added to, or taken from, the first term.
struct Sum {
    template <class U>
    static U of(U term, U other, U carry, bool& out) {
        const U partial = term + other, sum = partial + carry;
        out = partial < term || sum < partial;
        return sum;
    }
};
struct Difference {
    template <class U>
    static U of(U term, U other, U carry, bool& out) {
        return Sum::of<U>(term, static_cast<U>(~other), carry, out);
    }
};

enum class Factor { none, low, high, signed_high };

/// out = a op b, or a * b + c by Factor, with a carry in and out as the row says.
template <class U, class Op, Factor factor, bool carry_in, bool carry_out>
void with_carry(Warp& warp, const Instruction& i, Mask mask) {
    constexpr std::size_t terms = factor == Factor::none ? 2 : 3;
    const Source<U> a(warp, i.in[0]), b(warp, i.in[1]), c(warp, i.in[2]);
    const Destination<U> out(warp, i.out);
    const Mask none = std::is_same_v<Op, Difference> ? all_lanes : 0; // what stands for no carry
    const Mask in = carry_in ? predicate(warp, i.in[terms]) : none;
    Mask carries = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const U product = factor == Factor::low ? a[lane] * b[lane]
                                                : high_part(a[lane], b[lane], factor == Factor::signed_high);
        bool carry = false;
        const U result = factor == Factor::none ? Op::template of<U>(a[lane], b[lane], in >> lane & 1, carry)
                                                : Op::template of<U>(product, c[lane], in >> lane & 1, carry);
        out.set(lane, result);
        carries |= Mask{carry} << lane;
    }
    if (!carry_out) return;
    set_predicate(warp, i.detail, mask, carries);
    warp.ready[i.detail] |= mask;
}

template <class U, class Op, Factor factor, bool carry_in, bool carry_out>
constexpr Opcode carry_row(std::string_view stem, std::string_view type) {
    constexpr int bits = 8 * sizeof(U), flag = carry_in ? carry_flag : 0;
    Opcode row{
        stem, type, {bits, bits, bits, flag}, decode_carry, with_carry<U, Op, factor, carry_in, carry_out>};
    if (factor != Factor::none) row.bits = {bits, bits, bits, bits, flag};
    row.classes.fill(OperandClass::integer);
    return row;
}

template <class U, Factor high>
constexpr auto carry_rows(std::string_view type) {
    return std::array{
        carry_row<U, Sum, Factor::none, false, true>("add.cc", type),
        carry_row<U, Sum, Factor::none, true, false>("addc", type),
        carry_row<U, Sum, Factor::none, true, true>("addc.cc", type),
        carry_row<U, Difference, Factor::none, false, true>("sub.cc", type),
        carry_row<U, Difference, Factor::none, true, false>("subc", type),
        carry_row<U, Difference, Factor::none, true, true>("subc.cc", type),
        carry_row<U, Sum, Factor::low, false, true>("mad.lo.cc", type),
        carry_row<U, Sum, Factor::low, true, false>("madc.lo", type),
        carry_row<U, Sum, Factor::low, true, true>("madc.lo.cc", type),
        carry_row<U, Sum, high, false, true>("mad.hi.cc", type),
        carry_row<U, Sum, high, true, false>("madc.hi", type),
        carry_row<U, Sum, high, true, true>("madc.hi.cc", type),
    };
}

} // namespace

std::span<const Opcode> carry_rows() {
    static constexpr auto rows = joined(carry_rows<std::uint32_t, Factor::high>("u32"),
                                        carry_rows<std::uint32_t, Factor::signed_high>("s32"),
                                        carry_rows<std::uint64_t, Factor::high>("u64"),
                                        carry_rows<std::uint64_t, Factor::signed_high>("s64"));
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
