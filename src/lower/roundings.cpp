// Each as a few integer instructions.
#include "lower/roundings.hpp"

namespace tmemc::lower {

using base::Dtype;

namespace {

constexpr std::int64_t nan = 0x7fffffff, f8_nan = 0x7f, sign_of_f8 = 0x80;

ptx::Immediate number(std::uint32_t bits) { return {bits, ptx::Immediate::Form::f32_bits}; }

/// An f8 in terms of f32: what is cut off, what its exponent is less by, and some of its numbers.
struct F8 {
    int dropped = 0;
    std::int64_t bias = 0; // in units of its last bit
    std::uint32_t largest = 0, smallest_normal = 0;
    std::uint32_t magic = 0; // 2^23 of its smallest steps
};
F8 f8_row(Dtype dtype) {
    if (dtype == Dtype::f8e4m3) return {20, (127 - 7) << 3, 0x43E00000, 0x3C800000, 0x46800000};
    return {21, (127 - 15) << 2, 0x47600000, 0x38800000, 0x43000000};
}

} // namespace

ptx::Register Roundings::emit(std::string name, std::vector<ptx::Operand> operands, const std::string& type) {
    ptx::Register into = text_.scratch(type);
    operands.insert(operands.begin(), into);
    text_.body.emplace_back(instruction(std::move(name), std::move(operands), guard_));
    return into;
}

ptx::Register Roundings::chosen(const ptx::Register& when, ptx::Operand yes, ptx::Operand no) {
    return emit("selp.b32", {std::move(yes), std::move(no), when});
}

ptx::Register Roundings::is_nan(const ptx::Register& value) {
    return emit("setp.neu.f32", {value, value}, "pred");
}

/// The lowest `bits` bits count no more; what they are is open.
ptx::Register Roundings::dropped(const ptx::Register& value, int bits) {
    const ptx::Register last = emit("bfe.u32", {value, constant(bits), constant(1)});
    const ptx::Register half = emit("add.u32", {value, constant((std::int64_t{1} << (bits - 1)) - 1)});
    return emit("add.u32", {half, last});
}

ptx::Register Roundings::bf16(const ptx::Register& value) {
    const ptx::Register sum = dropped(value, 16);
    return chosen(is_nan(value), constant(nan), sum);
}

ptx::Register Roundings::tf32(const ptx::Register& value) {
    const ptx::Register sum = emit("and.b32", {dropped(value, 13), constant(0xffffe000)});
    return chosen(is_nan(value), constant(nan), sum);
}

ptx::Register Roundings::f8(const ptx::Register& value, Dtype to) {
    const F8 row = f8_row(to);
    const ptx::Register size = emit("min.f32", {emit("abs.f32", {value}), number(row.largest)});
    const ptx::Register last = emit("bfe.u32", {size, constant(row.dropped), constant(1)});
    const std::int64_t half = (std::int64_t{1} << (row.dropped - 1)) - 1, bias = row.bias << row.dropped;
    const ptx::Register sum = emit("add.u32", {emit("add.u32", {size, constant(half - bias)}), last});
    const ptx::Register normal = emit("shr.u32", {sum, constant(row.dropped)});
    const ptx::Register steps = emit("add.rn.f32", {size, number(row.magic)});
    const ptx::Register small = emit("sub.u32", {steps, constant(row.magic)});
    const ptx::Register below = emit("setp.lt.f32", {size, number(row.smallest_normal)}, "pred");
    const ptx::Register sign =
        emit("and.b32", {emit("shr.u32", {value, constant(24)}), constant(sign_of_f8)});
    const ptx::Register all = emit("or.b32", {chosen(below, small, normal), sign});
    return chosen(is_nan(value), constant(f8_nan), all);
}

/// e5m2 is the upper half of an f16. The bits of an e4m3, moved to their place in f32, are 2^-120 of it.
ptx::Register Roundings::f32(const ptx::Register& value, Dtype from) {
    if (from == Dtype::f8e5m2) {
        const ptx::Register wide = emit("shl.b32", {value, constant(8)});
        const ptx::Register half = text_.scratch("b16");
        text_.body.emplace_back(instruction("mov.b32", {ptx::Vector{{half, ptx::Sink{}}}, wide}, guard_));
        return emit("cvt.f32.f16", {half});
    }
    const ptx::Register size = emit("and.b32", {value, constant(f8_nan)});
    const ptx::Register scaled =
        emit("mul.rn.f32", {emit("shl.b32", {size, constant(20)}), number(0x7B800000)});
    const ptx::Register sign =
        emit("shl.b32", {emit("and.b32", {value, constant(sign_of_f8)}), constant(24)});
    const ptx::Register is = emit("setp.eq.u32", {size, constant(f8_nan)}, "pred");
    return chosen(is, constant(nan), emit("or.b32", {scaled, sign}));
}

ptx::Register Roundings::odd_if(const ptx::Register& inexact, const ptx::Register& value) {
    return chosen(inexact, emit("or.b32", {value, constant(1)}), value);
}

/// It is exact when rounding it down and up gives the same; a zero is, whatever its sign.
ptx::Register Roundings::odd_sum(const ptx::Register& a, const ptx::Register& b, const ptx::Register& c) {
    const ptx::Register sum = emit("fma.rz.f32", {a, b, c});
    const ptx::Register down = emit("fma.rm.f32", {a, b, c}), up = emit("fma.rp.f32", {a, b, c});
    return odd_if(emit("setp.neu.f32", {down, up}, "pred"), sum);
}

ptx::Register Roundings::odd(const ptx::Register& value, const std::string& type) {
    const ptx::Register made = emit("cvt.rz.f32." + type, {value});
    const ptx::Register back = emit("cvt.rzi." + type + ".f32", {made});
    return odd_if(emit("setp.ne.u32", {back, value}, "pred"), made);
}

} // namespace tmemc::lower
