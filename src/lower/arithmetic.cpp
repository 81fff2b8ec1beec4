// Lane computes the steps for one slot, or for both halves of a register; Writer puts what they make into the
// target's registers.
#include "lower/arithmetic.hpp"

#include "base/invariant.hpp"
#include "lower/conversions.hpp"
#include "lower/operators.hpp"
#include "lower/reductions.hpp"
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

/// The step's instruction; empty when the target has none of its own for the dtype.
std::string_view name_of(KernelText& text, const Step& step) {
    const std::string_view name = name_for(operator_row(step.what), step.dtype);
    return name.empty() || text.has(std::string(name)) ? name : std::string_view{};
}

/// Whether the step is one instruction for both halves of a register.
bool in_halves(KernelText& text, const Step& step) {
    if (!is_16_bit_float(step.dtype)) return false;
    if (is_leaf(step.what)) return true;
    if (step.what == What::convert || step.what == What::select) return false;
    return !name_of(text, step).empty();
}

} // namespace

/// One slot of the target: what it is made from, and in which threads.
class Lane final : public Slot {
  public:
    Lane(Arithmetic& owner, const sema::Compute& compute, const std::vector<SlotPairs>& pairs,
         const std::optional<ptx::Guard>& guard, RegisterSlot slot, bool both_halves)
        : owner_(owner), compute_(compute), pairs_(pairs), guard_(guard), slot_(slot),
          both_halves_(both_halves), conversions_(owner.text_, guard) {}

    /// What step `index` makes; into `wanted` when that is given.
    ptx::Operand value(std::size_t index, const std::optional<ptx::Register>& wanted = {}) {
        if (const auto known = known_.find(index); known != known_.end()) return moved(known->second, wanted);
        const Step& step = compute_.steps[index];
        if (is_leaf(step.what)) {
            const ptx::Operand leaf = this->leaf(index);
            return wanted ? emit("mov.b32", {leaf}, wanted) : leaf;
        }
        if (step.what == What::convert) return moved(convert(step), wanted);
        if (step.what == What::select) return select(step, wanted);
        std::vector<ptx::Operand> operands;
        for (std::uint32_t k = 0; k < step.count; ++k) operands.push_back(value(step.in[k]));
        const std::string_view name = name_of(owner_.text_, step);
        if (name.empty()) return moved(through_f32(step, operands), wanted);
        return emit(std::string(name), std::move(operands), wanted);
    }
    ptx::Register in_register(std::size_t index) override { return in_register(value(index)); }
    [[nodiscard]] RegisterSlot place() const override { return slot_; }
    void know(std::size_t step, const ptx::Register& value) override { known_.emplace(step, value); }

  private:
    ptx::Register emit(std::string name, std::vector<ptx::Operand> operands,
                       const std::optional<ptx::Register>& wanted = {}, const std::string& type = "b32") {
        ptx::Register into = wanted ? *wanted : owner_.text_.scratch(type);
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
        return constant(extends ? static_cast<std::int32_t>(high) >> unused
                                : static_cast<std::int64_t>(step.bits));
    }

    /// The element of a fragment, taken out of its register.
    ptx::Register fragment(std::size_t index) {
        const Step& step = compute_.steps[index];
        const RegisterSlot from = pairs_[index].at(slot_.reg, slot_.bit);
        ptx::Register whole{
            owner_.registers_.at(step.fragment.object).at(static_cast<std::size_t>(from.reg))};
        const int bits = base::bits(step.dtype);
        if (both_halves_ && pairs_[index].at(slot_.reg, 16) == from) {
            constexpr std::int64_t low_twice = 0x1010, high_twice = 0x3232;
            return emit("prmt.b32", {whole, whole, constant(from.bit == 0 ? low_twice : high_twice)});
        }
        if (bits == 32 || both_halves_) return whole;
        if (is_16_bit_float(step.dtype))
            return from.bit == 0 ? whole : emit("shr.u32", {whole, constant(16)});
        const bool extends = base::row(step.dtype).kind == base::DtypeClass::signed_integer;
        return emit(extends ? "bfe.s32" : "bfe.u32", {whole, constant(from.bit), constant(bits)});
    }

    ptx::Register convert(const Step& step) {
        return conversions_.convert(in_register(step.in[0]), compute_.steps[step.in[0]].dtype, step.dtype);
    }

    /// f32 has more than twice the bits that 16-bit steps need, but not for a product and a sum at once.
    ptx::Register through_f32(const Step& step, const std::vector<ptx::Operand>& operands) {
        std::vector<ptx::Register> wide;
        wide.reserve(operands.size());
        for (const ptx::Operand& each : operands)
            wide.push_back(conversions_.convert(in_register(each), step.dtype, Dtype::f32));
        const ptx::Register made =
            step.what == What::multiply_add
                ? conversions_.roundings().odd_sum(wide[0], wide[1], wide[2])
                : emit(std::string(operator_row(step.what).f32), {wide.begin(), wide.end()});
        return conversions_.convert(made, Dtype::f32, step.dtype);
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
    std::map<std::size_t, ptx::Register> known_; // by step: what has been made already
};

namespace {

/// The slots of one register of the target that are computed, with their threads.
using Slots = std::vector<SlotForm>;

/// Whether both halves are made alike, from halves of one register each or from one of them.
bool as_halves(KernelText& text, const sema::Compute& compute, const std::vector<SlotPairs>& pairs, int reg) {
    for (std::size_t i = 0; i < compute.steps.size(); ++i) {
        if (!in_halves(text, compute.steps[i])) return false;
        if (compute.steps[i].what != What::fragment) continue;
        const RegisterSlot low = pairs[i].at(reg, 0), high = pairs[i].at(reg, 16);
        if (low != high && (low.reg != high.reg || low.bit != 0 || high.bit != 16)) return false;
    }
    return true;
}

/// Whether an operand lies in the target's registers, but not each element in its own place.
bool shifted(const sema::Compute& compute) {
    return std::any_of(compute.steps.begin(), compute.steps.end(), [&](const Step& step) {
        return step.what == What::fragment && step.fragment.object == compute.target.object &&
               (step.spread != sema::Spread::each || step.fragment.row != compute.target.row ||
                step.fragment.col != compute.target.col);
    });
}

} // namespace

/// Fills the target's registers, one at a time.
class Writer {
  public:
    Writer(Arithmetic& owner, const sema::Compute& compute)
        : owner_(owner), compute_(compute), target_(owner.kernel_.fragments.at(compute.target.object)),
          bits_(base::bits(target_.dtype)), last_(compute.steps.size() - 1), late_(shifted(compute)),
          pairs_(owner.pairs(compute)) {}

    void write(const ThreadForm& form) {
        const sema::Region& region = compute_.target;
        const ThreadForm part = restricted(form, {region.row, region.col}, region.rows, region.cols);
        std::vector<Slots> registers;
        for (auto first = part.slots.begin(); first != part.slots.end();) {
            const auto last = std::find_if(first, part.slots.end(),
                                           [&](const SlotForm& each) { return each.reg != first->reg; });
            registers.emplace_back(first, last);
            first = last;
        }
        for (std::size_t i = 0; i < registers.size(); ++i)
            if (i + 1 < registers.size() && write_two(registers[i], registers[i + 1]))
                ++i;
            else
                write_register(registers[i]);
    }
    /// What a shifted target has waited with.
    void finish() { std::move(writes_.begin(), writes_.end(), std::back_inserter(owner_.text_.body)); }

  private:
    [[nodiscard]] ptx::Register named(int reg) const {
        return {owner_.registers_.at(compute_.target.object).at(static_cast<std::size_t>(reg))};
    }

    /// An even register of 32-bit elements and the next, when they can be made together.
    bool write_two(const Slots& low, const Slots& high) {
        if (bits_ != 32 || low.size() != 1 || high.size() != 1 || low[0].threads != high[0].threads ||
            low[0].reg % 2 != 0 || high[0].reg != low[0].reg + 1)
            return false;
        guard_ = owner_.text_.predicate(low[0].threads);
        const std::vector<ptx::Register> names{named(low[0].reg), named(high[0].reg)};
        std::vector<ptx::Register> into = names;
        if (late_)
            for (ptx::Register& each : into) each = owner_.text_.scratch();
        Lane first = lane(low[0]), second = lane(high[0]);
        if (!owner_.pairs_.make({compute_.steps, pairs_, last_}, first, second, guard_, into)) {
            first.value(last_, into[0]);
            second.value(last_, into[1]);
        }
        for (std::size_t i = 0; late_ && i < 2; ++i)
            writes_.emplace_back(instruction("mov.b32", {names[i], into[i]}, guard_));
        return true;
    }

    void write_register(const Slots& slots) {
        const ptx::Register named = this->named(slots[0].reg);
        const bool alike = std::all_of(slots.begin(), slots.end(), [&](const SlotForm& each) {
            return each.threads == slots[0].threads;
        });
        if (!alike || slots.size() != static_cast<std::size_t>(32 / bits_)) return insert(slots, named);
        const ptx::Register into = late_ ? owner_.text_.scratch() : named;
        guard_ = owner_.text_.predicate(slots[0].threads);
        fill(slots, into);
        if (late_) writes_.emplace_back(instruction("mov.b32", {named, into}, guard_));
    }

    /// Elements of a register that is not all the target's, one by one.
    void insert(const Slots& slots, const ptx::Register& into) {
        owner_.text_.zero_first(into.name);
        for (const SlotForm& slot : slots) {
            guard_ = owner_.text_.predicate(slot.threads);
            const ptx::Register element = lane(slot).in_register(last_);
            auto put =
                instruction("bfi.b32", {into, element, into, constant(slot.bit), constant(bits_)}, guard_);
            (late_ ? writes_ : owner_.text_.body).emplace_back(std::move(put));
        }
    }

    void fill(const Slots& slots, const ptx::Register& into) {
        const Step& root = compute_.steps.back();
        if (bits_ == 32) {
            lane(slots[0]).value(last_, into);
        } else if (bits_ == 16 && as_halves(owner_.text_, compute_, pairs_, slots[0].reg)) {
            lane(slots[0], true).value(last_, into);
        } else if (root.what == What::convert && !sema::is_integer(root.dtype) &&
                   compute_.steps[root.in[0]].dtype == Dtype::f32) {
            const std::vector<ptx::Register> wide = elements(slots, root.in[0]);
            Conversions(owner_.text_, guard_).narrow(wide, root.dtype, into);
        } else {
            const std::vector<ptx::Register> narrow = elements(slots, last_);
            Conversions(owner_.text_, guard_).pack(narrow, into);
        }
    }

    std::vector<ptx::Register> elements(const Slots& slots, std::size_t step) {
        std::vector<ptx::Register> list;
        for (std::size_t i = 0; i < slots.size(); i += 2) { // two or four
            Lane low = lane(slots[i]), high = lane(slots[i + 1]);
            owner_.pairs_.make({compute_.steps, pairs_, step}, low, high, guard_);
            list.push_back(low.in_register(step));
            list.push_back(high.in_register(step));
        }
        return list;
    }
    Lane lane(const SlotForm& slot, bool both_halves = false) {
        return {owner_, compute_, pairs_, guard_, {slot.reg, slot.bit}, both_halves};
    }

    Arithmetic& owner_;
    const sema::Compute& compute_;
    const sema::Fragment& target_;
    int bits_;
    std::size_t last_;             // step
    bool late_;                    // registers are written when all operands have been read
    std::vector<SlotPairs> pairs_; // by step; of fragments
    std::optional<ptx::Guard> guard_;
    std::vector<ptx::Statement> writes_;
};

const ptx::Register& Arithmetic::scalar(std::size_t parameter) {
    const auto known = scalars_.find(parameter);
    if (known != scalars_.end()) return known->second;
    const auto& scalar = std::get<sema::Scalar>(kernel_.parameters.at(parameter));
    const int bits = base::bits(scalar.dtype);
    const bool extends = base::row(scalar.dtype).kind == base::DtypeClass::signed_integer;
    const std::string type = bits == 32 ? "b32" : (extends ? "s" : "u") + std::to_string(bits);
    const ptx::Register into =
        text_.parameter(parameter, "ld.param." + type, "b32", scalar.name, scalar.name);
    if (is_16_bit_float(scalar.dtype))
        text_.front.emplace_back(instruction("bfi.b32", {into, into, into, constant(16), constant(16)}));
    return scalars_.emplace(parameter, into).first->second;
}

std::vector<SlotPairs> Arithmetic::pairs(const sema::Compute& compute) const {
    const sema::Region& region = compute.elements();
    const layout::SlotMap& slots = kernel_.slots(kernel_.fragments.at(region.object));
    std::vector<SlotPairs> pairs;
    for (const Step& step : compute.steps) {
        if (step.what != What::fragment) {
            pairs.emplace_back(0);
            continue;
        }
        const layout::SlotMap& operand = kernel_.slots(kernel_.fragments.at(step.fragment.object));
        pairs.push_back(std::get<SlotPairs>(sema::slot_pairs(slots, region, operand, step)));
    }
    return pairs;
}

ptx::Register Arithmetic::element(const sema::Compute& compute, const std::vector<SlotPairs>& pairs,
                                  RegisterSlot slot, const std::optional<ptx::Guard>& guard) {
    return Lane(*this, compute, pairs, guard, slot, false).in_register(compute.steps.size() - 1);
}

std::array<ptx::Register, 2> Arithmetic::two(const sema::Compute& compute,
                                             const std::vector<SlotPairs>& pairs, RegisterSlot first,
                                             RegisterSlot second, const std::optional<ptx::Guard>& guard) {
    const std::size_t last = compute.steps.size() - 1;
    Lane low(*this, compute, pairs, guard, first, false), high(*this, compute, pairs, guard, second, false);
    pairs_.make({compute.steps, pairs, last}, low, high, guard);
    ptx::Register one = low.in_register(last);
    return {std::move(one), high.in_register(last)};
}

void Arithmetic::compute(const sema::Compute& compute) {
    const sema::Fragment& target = kernel_.fragments.at(compute.target.object);
    auto forms = forms_.find(target.image);
    if (forms == forms_.end())
        forms = forms_.emplace(target.image, thread_forms(kernel_.slots(target), true)).first;
    const auto run = [&](auto writer) {
        for (const ThreadForm& form : forms->second) writer.write(form);
        writer.finish();
    };
    if (compute.reduction)
        run(Reductions(text_, *this, kernel_, compute, registers_.at(compute.target.object)));
    else
        run(Writer(*this, compute));
}

} // namespace tmemc::lower
