// Steps in order, so that a pair that another step needs is there when it is asked for.
#include "lower/pairs.hpp"

#include "lower/operators.hpp"

#include <algorithm>

namespace tmemc::lower {
namespace {

using sema::Step;
using What = Step::What;

/// Whether the slots make the step together: it has an instruction for that, and the fragments it reads have
/// the two side by side, or, spread over a row, one for both.
bool together(const PairedSteps& what, std::size_t index, sema::RegisterSlot low, sema::RegisterSlot high) {
    const Step& step = what.steps[index];
    const bool has_one = step.what == What::add || step.what == What::subtract ||
                         step.what == What::multiply || step.what == What::multiply_add;
    if (!has_one || step.dtype != base::Dtype::f32) return false;
    return std::all_of(step.in.begin(), step.in.begin() + step.count, [&](std::uint32_t operand) {
        if (what.steps[operand].what != What::fragment) return true;
        const sema::RegisterSlot first = what.fragments[operand].at(low.reg, low.bit);
        const sema::RegisterSlot second = what.fragments[operand].at(high.reg, high.bit);
        return second == first || (first.reg % 2 == 0 && second.reg == first.reg + 1);
    });
}

ptx::Vector halves(const ptx::Register& low, const ptx::Register& high) { return {{low, high}}; }

} // namespace

ptx::Register Pairs::twice(const std::string& key, ptx::Operand both) {
    const auto known = twice_.find(key);
    if (known != twice_.end()) return known->second;
    const ptx::Register made = text_.scratch("b64");
    text_.front.emplace_back(instruction("mov.b64", {made, std::move(both)}));
    return twice_.emplace(key, made).first->second;
}

bool Pairs::make(const PairedSteps& what, Slot& low, Slot& high, const std::optional<ptx::Guard>& guard,
                 const std::vector<ptx::Register>& wanted) {
    if (!text_.has("fma.rn.f32x2")) return false;
    std::vector<bool> paired(what.root + 1), read_alone(what.root + 1); // by step
    for (std::size_t i = 0; i <= what.root; ++i) paired[i] = together(what, i, low.place(), high.place());
    if (std::find(paired.begin(), paired.end(), true) == paired.end()) return false;
    read_alone[what.root] = true;
    for (std::size_t i = 0; i <= what.root; ++i)
        for (std::uint32_t k = 0; !paired[i] && k < what.steps[i].count; ++k)
            read_alone[what.steps[i].in[k]] = true;

    const auto emit = [&](std::string name, std::vector<ptx::Operand> operands) {
        text_.body.emplace_back(instruction(std::move(name), std::move(operands), guard));
    };
    std::map<std::size_t, ptx::Register> made; // by step
    const auto pair_of = [&](std::uint32_t index) {
        const Step& step = what.steps[index];
        if (const auto known = made.find(index); known != made.end()) return known->second;
        if (step.what == What::number)
            return twice(std::to_string(step.bits),
                         constant(static_cast<std::int64_t>(std::uint64_t{step.bits} << 32 | step.bits)));
        const ptx::Register first = low.in_register(index);
        if (step.what == What::scalar) return twice(first.name, halves(first, first));
        const ptx::Register second = high.in_register(index);
        ptx::Register both = text_.scratch("b64");
        emit("mov.b64", {both, halves(first, second)});
        return both;
    };
    for (std::size_t i = 0; i <= what.root; ++i) {
        if (!paired[i]) continue;
        const Step& step = what.steps[i];
        std::vector<ptx::Operand> operands{ptx::Register{}};
        for (std::uint32_t k = 0; k < step.count; ++k) operands.emplace_back(pair_of(step.in[k]));
        operands[0] = made.emplace(i, text_.scratch("b64")).first->second;
        emit(std::string(operator_row(step.what).f32) + "x2", std::move(operands));
        if (!read_alone[i]) continue;
        const bool last = i == what.root && !wanted.empty();
        const ptx::Register first = last ? wanted[0] : text_.scratch();
        const ptx::Register second = last ? wanted[1] : text_.scratch();
        emit("mov.b64", {halves(first, second), made.at(i)});
        low.know(i, first);
        high.know(i, second);
    }
    return paired[what.root];
}

} // namespace tmemc::lower
