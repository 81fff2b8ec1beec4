// Lane computes the steps for one slot, or for both halves of a register; Arithmetic puts what they make into
// the target's registers.
#include "lower/arithmetic.hpp"

#include "base/invariant.hpp"
#include "lower/conversions.hpp"
#include "lower/operators.hpp"
#include "sema/math.hpp"

#include <algorithm>
#include <iterator>

namespace tmemc::lower {

using base::Dtype;
using sema::RegisterSlot;
using sema::SlotPairs;
using sema::Step;
using What = Step::What;

namespace {

bool is_16_bit_float(Dtype dtype) { return dtype == Dtype::f16 || dtype == Dtype::bf16; }
bool is_leaf(What what) { return what == What::fragment || what == What::scalar || what == What::number; }

/// Whether the step is one instruction for both halves of a register.
bool in_halves(const Step& step) {
    if (!is_16_bit_float(step.dtype)) return false;
    if (is_leaf(step.what)) return true;
    if (step.what == What::convert || step.what == What::select) return false;
    return !name_for(operator_row(step.what), step.dtype).empty();
}

} // namespace

/// One slot of the target: what it is made from, and in which threads.
class Lane {
  public:
    Lane(Arithmetic& owner, const sema::Compute& compute, const std::vector<SlotPairs>& pairs,
         const std::optional<ptx::Guard>& guard, RegisterSlot slot, bool both_halves)
        : owner_(owner), compute_(compute), pairs_(pairs), guard_(guard), slot_(slot), both_halves_(both_halves),
          conversions_(owner.text_, guard) {}

    /// What step `index` makes; into `wanted` when that is given.
    ptx::Operand value(std::size_t index, const std::optional<ptx::Register>& wanted = {}) {
        const Step& step = compute_.steps[index];
        if (is_leaf(step.what)) {
            const ptx::Operand leaf = this->leaf(index);
            return wanted ? emit("mov.b32", {leaf}, wanted) : leaf;
        }
        if (step.what == What::convert) return moved(convert(step), wanted);
        if (step.what == What::select) return select(step, wanted);
        std::vector<ptx::Operand> operands;
        for (std::uint32_t k = 0; k < step.count; ++k) operands.push_back(value(step.in[k]));
        const OperatorRow& row = operator_row(step.what);
        const std::string_view name = name_for(row, step.dtype);
        if (name.empty()) return moved(through_f32(row, step, operands), wanted);
        const bool wraps = sema::is_integer(step.dtype) && base::bits(step.dtype) < 32;
        if (!wraps) return emit(std::string(name), std::move(operands), wanted);
        return moved(conversions_.wrapped(emit(std::string(name), std::move(operands)), step.dtype), wanted);
    }
    ptx::Register in_register(std::size_t index) { return in_register(value(index)); }

  private:
    ptx::Register emit(std::string name, std::vector<ptx::Operand> operands,
                       const std::optional<ptx::Register>& wanted = {}, const std::string& type = "b32") {
        const ptx::Register into = wanted ? *wanted : owner_.text_.scratch(type);
        operands.insert(operands.begin(), into);
        owner_.text_.body.emplace_back(instruction(std::move(name), std::move(operands), guard_));
        return into;
    }
    ptx::Operand moved(const ptx::Register& value, const std::optional<ptx::Register>& wanted) {
        return wanted ? emit("mov.b32", {value}, wanted) : value;
    }
    ptx::Register in_register(const ptx::Operand& operand) {
        if (const auto* known = std::get_if<ptx::Register>(&operand)) return *known;
        const auto& number = std::get<ptx::Immediate>(operand);
        return owner_.text_.holding(static_cast<std::uint32_t>(number.bits));
    }

    ptx::Operand leaf(std::size_t index) {
        const Step& step = compute_.steps[index];
        if (step.what == What::scalar) return owner_.scalar(step.parameter);
        if (step.what == What::fragment) return fragment(index);
        if (is_16_bit_float(step.dtype)) return owner_.text_.holding(step.bits * 0x10001);
        if (step.dtype == Dtype::f32) return ptx::Immediate{step.bits, ptx::Immediate::Form::f32_bits};
        const int unused = 32 - base::bits(step.dtype);
        const bool extends = base::row(step.dtype).kind == base::DtypeClass::signed_integer;
        const auto high = static_cast<std::uint32_t>(step.bits << unused);
        return constant(extends ? static_cast<std::int32_t>(high) >> unused : static_cast<std::int64_t>(step.bits));
    }

    /// The element of a fragment, taken out of its register.
    ptx::Register fragment(std::size_t index) {
        const Step& step = compute_.steps[index];
        const RegisterSlot from = pairs_[index].at(slot_.reg, slot_.bit);
        const ptx::Register whole{owner_.registers_.at(step.fragment.object).at(static_cast<std::size_t>(from.reg))};
        const int bits = base::bits(step.dtype);
        if (bits == 32 || both_halves_) return whole;
        if (is_16_bit_float(step.dtype)) return from.bit == 0 ? whole : emit("shr.u32", {whole, constant(16)});
        const bool extends = base::row(step.dtype).kind == base::DtypeClass::signed_integer;
        return emit(extends ? "bfe.s32" : "bfe.u32", {whole, constant(from.bit), constant(bits)});
    }

    ptx::Register convert(const Step& step) {
        return conversions_.convert(in_register(step.in[0]), compute_.steps[step.in[0]].dtype, step.dtype);
    }

    ptx::Register through_f32(const OperatorRow& row, const Step& step, std::vector<ptx::Operand> operands) {
        for (ptx::Operand& each : operands)
            each = conversions_.convert(in_register(each), step.dtype, Dtype::f32);
        return conversions_.convert(emit(std::string(row.f32), std::move(operands)), Dtype::f32, step.dtype);
    }

    ptx::Operand select(const Step& step, const std::optional<ptx::Register>& wanted) {
        const Dtype compared = compute_.steps[step.in[0]].dtype;
        const auto side = [&](std::uint32_t index) -> ptx::Operand {
            if (!is_16_bit_float(compared)) return value(index);
            return conversions_.convert(in_register(index), compared, Dtype::f32);
        };
        const ptx::Operand a = in_register(side(step.in[0])), b = side(step.in[1]);
        const ptx::Register holds = emit(comparison_name(step.comparison, compared), {a, b}, {}, "pred");
        const ptx::Register yes = in_register(step.in[2]), no = in_register(step.in[3]);
        return emit("selp.b32", {yes, no, holds}, wanted);
    }

    Arithmetic& owner_;
    const sema::Compute& compute_;
    const std::vector<SlotPairs>& pairs_;
    const std::optional<ptx::Guard>& guard_;
    RegisterSlot slot_;
    bool both_halves_;
    Conversions conversions_;
};

namespace {

/// The slots of one register of the target that are computed, with their threads.
using Slots = std::vector<SlotForm>;

/// Whether both halves are made alike, from halves of one register each.
bool as_halves(const sema::Compute& compute, const std::vector<SlotPairs>& pairs, int reg) {
    for (std::size_t i = 0; i < compute.steps.size(); ++i) {
        if (!in_halves(compute.steps[i])) return false;
        if (compute.steps[i].what != What::fragment) continue;
        const RegisterSlot low = pairs[i].at(reg, 0), high = pairs[i].at(reg, 16);
        if (low.reg != high.reg || low.bit != 0 || high.bit != 16) return false;
    }
    return true;
}

/// Whether an operand lies in the target's registers, but not each element in its own place.
bool shifted(const sema::Compute& compute) {
    return std::any_of(compute.steps.begin(), compute.steps.end(), [&](const Step& step) {
        return step.what == What::fragment && step.fragment.object == compute.target.object &&
               (step.fragment.row != compute.target.row || step.fragment.col != compute.target.col);
    });
}

} // namespace

const ptx::Register& Arithmetic::scalar(std::size_t parameter) {
    const auto known = scalars_.find(parameter);
    if (known != scalars_.end()) return known->second;
    const auto& scalar = std::get<sema::Scalar>(kernel_.parameters.at(parameter));
    const int bits = base::bits(scalar.dtype);
    const bool extends = base::row(scalar.dtype).kind == base::DtypeClass::signed_integer;
    const std::string type = bits == 32 ? "b32" : (extends ? "s" : "u") + std::to_string(bits);
    const ptx::Register into = text_.declare("b32", scalar.name);
    text_.front.emplace_back(instruction("ld.param." + type, {into, ptx::Address{ptx::Symbol{scalar.name}, 0}}));
    if (is_16_bit_float(scalar.dtype))
        text_.front.emplace_back(instruction("bfi.b32", {into, into, into, constant(16), constant(16)}));
    return scalars_.emplace(parameter, into).first->second;
}

void Arithmetic::compute(const sema::Compute& compute) {
    const sema::Fragment& target = kernel_.fragments.at(compute.target.object);
    const layout::SlotMap& slots = kernel_.slots(target);
    std::vector<SlotPairs> pairs;
    for (const Step& step : compute.steps) {
        pairs.emplace_back(0);
        if (step.what == What::fragment)
            pairs.back() = std::get<SlotPairs>(sema::slot_pairs(
                slots, compute.target, kernel_.slots(kernel_.fragments.at(step.fragment.object)), step.fragment));
    }
    auto forms = forms_.find(target.image);
    if (forms == forms_.end()) forms = forms_.emplace(target.image, thread_forms(slots, true)).first;
    const bool late = shifted(compute);
    std::vector<ptx::Statement> writes; // of a shifted target
    const int bits = base::bits(target.dtype);
    const Step& root = compute.steps.back();

    for (const ThreadForm& form : forms->second) {
        const ThreadForm part = restricted(form, {compute.target.row, compute.target.col}, compute.target.rows,
                                           compute.target.cols);
        for (std::size_t first = 0, last = 0; first < part.slots.size(); first = last) {
            const int reg = part.slots[first].reg;
            bool alike = true; // the threads of every slot of the register
            for (; last < part.slots.size() && part.slots[last].reg == reg; ++last)
                alike = alike && part.slots[last].threads == part.slots[first].threads;
            const ptx::Register named{registers_.at(compute.target.object).at(static_cast<std::size_t>(reg))};
            const bool whole = alike && last - first == static_cast<std::size_t>(32 / bits);
            const ptx::Register into = whole && late ? text_.scratch() : named;
            const std::optional<ptx::Guard> guard = text_.predicate(part.slots[first].threads);
            const auto lane = [&](std::size_t i, bool halves = false) {
                return Lane(*this, compute, pairs, guard, {reg, part.slots[i].bit}, halves);
            };
            const auto emit = [&](std::string name, std::vector<ptx::Operand> operands) {
                text_.body.emplace_back(instruction(std::move(name), std::move(operands), guard));
            };
            const std::size_t value = compute.steps.size() - 1;
            if (whole) {
                // Two elements are narrowed at once when narrowing is the last step.
                const bool narrows = bits < 32 && root.what == What::convert && !sema::is_integer(root.dtype) &&
                                     compute.steps[root.in[0]].dtype == Dtype::f32;
                const std::size_t made = narrows ? root.in[0] : value;
                if (bits == 32) {
                    lane(first).value(value, into);
                } else if (bits == 16 && as_halves(compute, pairs, reg)) {
                    lane(first, true).value(value, into);
                } else {
                    std::vector<ptx::Register> elements;
                    for (std::size_t i = first; i < last; ++i) elements.push_back(lane(i).in_register(made));
                    if (bits == 16 && narrows) {
                        emit(Conversions::narrow_two(root.dtype), {into, elements[1], elements[0]});
                    } else if (bits == 16) {
                        emit("prmt.b32", {into, elements[0], elements[1], constant(0x5410)});
                    } else if (narrows) {
                        const ptx::Register low = text_.scratch("b16"), high = text_.scratch("b16");
                        emit(Conversions::narrow_two(root.dtype), {low, elements[1], elements[0]});
                        emit(Conversions::narrow_two(root.dtype), {high, elements[3], elements[2]});
                        emit("mov.b32", {into, ptx::Vector{{low, high}}});
                    } else {
                        const ptx::Register low = text_.scratch(), high = text_.scratch();
                        emit("prmt.b32", {low, elements[0], elements[1], constant(0x40)});
                        emit("prmt.b32", {high, elements[2], elements[3], constant(0x40)});
                        emit("prmt.b32", {into, low, high, constant(0x5410)});
                    }
                }
                if (late) writes.emplace_back(instruction("mov.b32", {named, into}, guard));
                continue;
            }
            text_.zero_first(named.name);
            for (std::size_t i = first; i < last; ++i) {
                const std::optional<ptx::Guard> own = text_.predicate(part.slots[i].threads);
                const ptx::Register element =
                    Lane(*this, compute, pairs, own, {reg, part.slots[i].bit}, false).in_register(value);
                auto insert = instruction("bfi.b32",
                                          {named, element, named, constant(part.slots[i].bit), constant(bits)}, own);
                (late ? writes : text_.body).emplace_back(std::move(insert));
            }
        }
    }
    std::move(writes.begin(), writes.end(), std::back_inserter(text_.body));
}

} // namespace tmemc::lower
