// By the kinds of the two dtypes.
#include "lower/conversions.hpp"

#include "sema/math.hpp"

namespace tmemc::lower {

using base::Dtype;
using base::DtypeClass;

namespace {

bool is_signed(Dtype dtype) { return base::row(dtype).kind == DtypeClass::signed_integer; }
bool is_f8(Dtype dtype) { return dtype == Dtype::f8e4m3 || dtype == Dtype::f8e5m2; }
std::string f8_pair(Dtype dtype) { return dtype == Dtype::f8e4m3 ? "e4m3x2" : "e5m2x2"; }
/// "s8", "u32"
std::string integer_name(Dtype dtype) {
    return (is_signed(dtype) ? "s" : "u") + std::to_string(base::bits(dtype));
}
/// What a register holds of an integer: narrow ones have been extended.
std::string word_name(Dtype dtype) { return dtype == Dtype::u32 ? "u32" : "s32"; }

/// "cvt.rn.bf16x2.f32": two f32 to 16 bits each, the first operand to the upper half; of f8, 8 each.
std::string narrow_two(Dtype to) {
    return is_f8(to) ? "cvt.rn.satfinite." + f8_pair(to) + ".f32"
                     : "cvt.rn." + std::string(base::name(to)) + "x2.f32";
}

const ptx::Immediate zero{0, ptx::Immediate::Form::f32_bits};

} // namespace

ptx::Register Conversions::emit(std::string name, std::vector<ptx::Operand> operands,
                                const std::string& type) {
    ptx::Register into = text_.scratch(type);
    operands.insert(operands.begin(), into);
    text_.body.emplace_back(instruction(std::move(name), std::move(operands), guard_));
    return into;
}

ptx::Register Conversions::low_half(const ptx::Register& value) {
    ptx::Register half = text_.scratch("b16");
    text_.body.emplace_back(instruction("mov.b32", {ptx::Vector{{half, ptx::Sink{}}}, value}, guard_));
    return half;
}
ptx::Register Conversions::widened(const ptx::Register& half) { return emit("cvt.u32.u16", {half}); }

void Conversions::put(std::string name, std::vector<ptx::Operand> operands) {
    text_.body.emplace_back(instruction(std::move(name), std::move(operands), guard_));
}

void Conversions::narrow(const std::vector<ptx::Register>& elements, Dtype to, const ptx::Register& into) {
    constexpr std::int64_t high_halves = 0x7632;
    const std::string name = narrow_two(to);
    if (text_.has(name)) {
        if (elements.size() == 2) return put(name, {into, elements[1], elements[0]});
        const ptx::Register low = emit(name, {elements[1], elements[0]}, "b16");
        const ptx::Register high = emit(name, {elements[3], elements[2]}, "b16");
        return put("mov.b32", {into, ptx::Vector{{low, high}}});
    }
    if (to == Dtype::f16) {
        const ptx::Register low = emit("cvt.rn.f16.f32", {elements[0]}, "b16");
        const ptx::Register high = emit("cvt.rn.f16.f32", {elements[1]}, "b16");
        return put("mov.b32", {into, ptx::Vector{{low, high}}});
    }
    std::vector<ptx::Register> narrowed;
    narrowed.reserve(elements.size());
    for (const ptx::Register& each : elements)
        narrowed.push_back(to == Dtype::bf16 ? roundings_.bf16(each) : roundings_.f8(each, to));
    if (to == Dtype::bf16) return put("prmt.b32", {into, narrowed[0], narrowed[1], constant(high_halves)});
    pack(narrowed, into);
}

void Conversions::pack(const std::vector<ptx::Register>& elements, const ptx::Register& into) {
    constexpr std::int64_t low_bytes = 0x40, low_halves = 0x5410;
    if (elements.size() == 2) return put("prmt.b32", {into, elements[0], elements[1], constant(low_halves)});
    const ptx::Register low = emit("prmt.b32", {elements[0], elements[1], constant(low_bytes)});
    const ptx::Register high = emit("prmt.b32", {elements[2], elements[3], constant(low_bytes)});
    put("prmt.b32", {into, low, high, constant(low_halves)});
}

ptx::Register Conversions::to_f32(const ptx::Register& value, Dtype from) {
    if (sema::is_integer(from)) return emit("cvt.rn.f32." + word_name(from), {value});
    if (from == Dtype::bf16) return emit("shl.b32", {value, constant(16)});
    if (from == Dtype::tf32) return emit("and.b32", {value, constant(0xffffe000)});
    if (from == Dtype::f16) return emit("cvt.f32.f16", {low_half(value)});
    if (is_f8(from) && !text_.has("cvt.rn.f16x2." + f8_pair(from))) return roundings_.f32(value, from);
    if (is_f8(from)) return to_f32(emit("cvt.rn.f16x2." + f8_pair(from), {low_half(value)}), Dtype::f16);
    return value;
}

ptx::Register Conversions::from_f32(const ptx::Register& value, Dtype to) {
    if (sema::is_integer(to)) return emit("cvt.rni." + integer_name(to) + ".f32", {value});
    if (to == Dtype::f32) return value;
    if (to == Dtype::tf32)
        return text_.has("cvt.rn.tf32.f32") ? emit("cvt.rn.tf32.f32", {value}) : roundings_.tf32(value);
    if (!text_.has(narrow_two(to))) {
        if (to == Dtype::f16) return widened(emit("cvt.rn.f16.f32", {value}, "b16"));
        if (to == Dtype::bf16) return emit("shr.u32", {roundings_.bf16(value), constant(16)});
        return roundings_.f8(value, to);
    }
    if (is_f8(to)) return widened(emit(narrow_two(to), {zero, value}, "b16"));
    return emit(narrow_two(to), {zero, value});
}

ptx::Register Conversions::convert(const ptx::Register& value, Dtype from, Dtype to) {
    if (sema::is_integer(from) && sema::is_integer(to)) {
        const int bits = base::bits(to);
        if (bits == 32) return value;
        return emit(is_signed(to) ? "bfe.s32" : "bfe.u32", {value, constant(0), constant(bits)});
    }
    if (sema::is_integer(from) && (to == Dtype::f16 || to == Dtype::bf16)) {
        const std::string name = "cvt.rn." + std::string(base::name(to)) + "." + word_name(from);
        if (text_.has(name)) return widened(emit(name, {value}, "b16"));
        return from_f32(roundings_.odd(value, word_name(from)), to);
    }
    return from == to ? value : from_f32(to_f32(value, from), to);
}

} // namespace tmemc::lower
