// A tree of registers for each row, and an exchange for each distance.
#include "lower/reductions.hpp"

#include "lower/conversions.hpp"
#include "lower/operators.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace tmemc::lower {

using sema::RegisterSlot;

Reductions::Reductions(KernelText& text, Arithmetic& arithmetic, const sema::Kernel& kernel,
                       const sema::Compute& compute, const std::vector<std::string>& target)
    : text_(text), arithmetic_(arithmetic), compute_(compute), target_(target),
      pairs_(arithmetic.pairs(compute)) {
    const sema::Fragment& into = kernel.fragments.at(compute.target.object);
    const sema::Reduction& reduction = *compute.reduction;
    dtype_ = into.dtype;
    bits_ = base::bits(dtype_);
    instruction_ = name_for(operator_row(reduction.what), into.dtype);
    way_ = std::get<sema::RowFold>(sema::row_fold(kernel.slots(kernel.fragments.at(reduction.over.object)),
                                                  reduction.over, kernel.slots(into), compute.target));
}

void Reductions::write(const ThreadForm& form) {
    const sema::Region& region = compute_.target;
    for (const SlotForm& slot : restricted(form, {region.row, region.col}, region.rows, region.cols).slots) {
        guard_ = text_.predicate(slot.threads);
        const ptx::Register result = row(slot);
        const ptx::Register into{target_.at(static_cast<std::size_t>(slot.reg))};
        if (bits_ == 32) {
            writes_.emplace_back(instruction("mov.b32", {into, result}, guard_));
            continue;
        }
        text_.zero_first(into.name);
        writes_.emplace_back(
            instruction("bfi.b32", {into, result, into, constant(slot.bit), constant(bits_)}, guard_));
    }
}

void Reductions::finish() { std::move(writes_.begin(), writes_.end(), std::back_inserter(text_.body)); }

/// The number of a slot's row, in all threads of it.
ptx::Register Reductions::row(const SlotForm& slot) {
    constexpr std::int64_t last_lane = 31, all_lanes = -1;
    const auto& elements = way_.elements.at({slot.reg, slot.bit});
    if (way_.exchanges.empty()) return in_thread(elements);
    ptx::Register mine;
    if (guard_) {
        mine = text_.scratch();
        text_.body.emplace_back(instruction("mov.b32", {mine, constant(0)}));
        const ptx::Register part = in_thread(elements);
        text_.body.emplace_back(instruction("mov.b32", {mine, part}, guard_));
    } else {
        mine = in_thread(elements);
    }
    for (const int distance : way_.exchanges) {
        const ptx::Register other =
            emit("shfl.sync.bfly.b32", {mine, constant(distance), constant(last_lane), constant(all_lanes)},
                 std::nullopt);
        mine = folded(mine, other, std::nullopt);
    }
    return mine;
}

ptx::Register Reductions::in_thread(const std::vector<RegisterSlot>& elements) {
    const std::size_t even = (elements.size() + 1) / 2, odd = elements.size() / 2;
    in_pairs_ = instruction_ == "add.rn.f32" && even == odd && odd > 1 && text_.has("add.rn.f32x2");
    if (in_pairs_) {
        const ptx::Register both = tree(elements, 0, even);
        in_pairs_ = false;
        const ptx::Register low = text_.scratch(), high = text_.scratch();
        text_.body.emplace_back(instruction("mov.b64", {ptx::Vector{{low, high}}, both}, guard_));
        return folded(low, high, guard_);
    }
    const ptx::Register first = tree(elements, 0, even);
    return odd == 0 ? first : folded(first, tree(elements, 1, odd), guard_);
}

/// `count` of every second element from `first`, neighbours first and then their results; or of every pair.
ptx::Register Reductions::tree(const std::vector<RegisterSlot>& elements, std::size_t first,
                               std::size_t count) {
    if (count == 1) return leaf(elements, first);
    const std::size_t left = std::bit_floor(count - 1);
    const ptx::Register a = tree(elements, first, left);
    const ptx::Register b = tree(elements, first + 2 * left, count - left);
    return in_pairs_ ? emit(instruction_ + "x2", {a, b}, guard_, "b64") : folded(a, b, guard_);
}

ptx::Register Reductions::leaf(const std::vector<RegisterSlot>& elements, std::size_t first) {
    if (!in_pairs_) return arithmetic_.element(compute_, pairs_, elements[first], guard_);
    const auto two = arithmetic_.two(compute_, pairs_, elements[first], elements[first + 1], guard_);
    return emit("mov.b64", {ptx::Vector{{two[0], two[1]}}}, guard_, "b64");
}

ptx::Register Reductions::folded(const ptx::Register& a, const ptx::Register& b,
                                 const std::optional<ptx::Guard>& guard) {
    if (text_.has(instruction_)) return emit(instruction_, {a, b}, guard);
    Conversions conversions(text_, guard); // 16 bits: exact in f32, and rounded once
    const ptx::Register wide_a = conversions.convert(a, dtype_, base::Dtype::f32);
    const ptx::Register wide_b = conversions.convert(b, dtype_, base::Dtype::f32);
    const std::string name(operator_row(compute_.reduction->what).f32);
    return conversions.convert(emit(name, {wide_a, wide_b}, guard), base::Dtype::f32, dtype_);
}

ptx::Register Reductions::emit(std::string name, std::vector<ptx::Operand> operands,
                               const std::optional<ptx::Guard>& guard, const std::string& type) {
    ptx::Register into = text_.scratch(type);
    operands.insert(operands.begin(), into);
    text_.body.emplace_back(instruction(std::move(name), std::move(operands), guard));
    return into;
}

} // namespace tmemc::lower
