// Fields, steps and sums as instructions of the front.
#include "lower/front_numbers.hpp"

#include "base/invariant.hpp"

#include <algorithm>

namespace tmemc::lower {

using What = sema::IndexStep::What;

std::vector<Field> fields(const ThreadSteps& steps) {
    std::vector<Field> list;
    for (std::size_t bit = 0; bit < steps.size(); ++bit) {
        if (steps[bit] == 0) continue;
        if (!list.empty() && list.back().shift + list.back().width == bit && steps[bit] == 2 * steps[bit - 1])
            ++list.back().width;
        else
            list.push_back({bit, 1, steps[bit]});
    }
    return list;
}

ptx::Register FrontNumbers::field(const Field& field) {
    const bool to_the_top = field.shift + field.width == thread_bits;
    if (field.shift == 0 && to_the_top) return text_.thread();
    const auto known = fields_.find({field.shift, field.width});
    if (known != fields_.end()) return known->second;
    const ptx::Register number = text_.thread();
    ptx::Register value = text_.scratch();
    const auto shift = constant(static_cast<std::int64_t>(field.shift));
    const auto width = constant(static_cast<std::int64_t>(field.width));
    if (field.shift == 0)
        emit("and.b32", {value, number, constant((std::int64_t{1} << field.width) - 1)});
    else if (to_the_top)
        emit("shr.u32", {value, number, shift});
    else
        emit("bfe.u32", {value, number, shift, width});
    fields_.emplace(std::pair{field.shift, field.width}, value);
    return value;
}

ptx::Register FrontNumbers::of_thread(const ThreadSteps& steps, std::int64_t unit) {
    const bool negative = std::any_of(steps.begin(), steps.end(), [](std::int64_t step) { return step < 0; });
    std::optional<ptx::Register> sum;
    for (const Field& each : fields(steps)) {
        const ptx::Register value = field(each);
        const std::int64_t factor = each.step / unit;
        if (!sum && factor == 1) {
            sum = value;
            continue;
        }
        const ptx::Register next = text_.scratch();
        if (!sum)
            emit("mul.lo.s32", {next, value, constant(factor)});
        else if (factor == 1)
            emit("add.u32", {next, *sum, value});
        else
            emit(negative ? "mad.lo.s32" : "mad.lo.u32", {next, value, constant(factor), *sum});
        sum = next;
    }
    base::invariant(sum.has_value(), "some bit of the thread number has a step");
    return *sum;
}

/// A number as such, any other step in its register.
ptx::Operand FrontNumbers::operand(std::uint32_t step) {
    const sema::IndexStep& is = kernel_.index_steps.at(step);
    if (is.what == What::number) return constant(is.number);
    return of_cta(step);
}

ptx::Register FrontNumbers::make(const sema::IndexStep& step) {
    if (step.what == What::cta) {
        const char axis = "xyz"[step.number];
        ptx::Register index = text_.declare("b32", std::string("cta_") + axis);
        emit("mov.u32", {index, ptx::Register{std::string("%ctaid.") + axis}});
        return index;
    }
    const ptx::Operand left = operand(step.left), right = operand(step.right);
    ptx::Register result = text_.scratch();
    if (step.what == What::number) {
        emit("mov.b32", {result, constant(step.number)});
        return result;
    }
    const bool negative = kernel_.index_steps[step.left].low < 0 || kernel_.index_steps[step.right].low < 0;
    const std::string type = negative ? ".s32" : ".u32";
    switch (step.what) {
    case What::add: emit("add.u32", {result, left, right}); break;
    case What::subtract: emit("sub.u32", {result, left, right}); break;
    case What::multiply: emit("mul.lo.s32", {result, left, right}); break;
    case What::divide: emit("div" + type, {result, left, right}); break;
    case What::remainder: emit("rem" + type, {result, left, right}); break;
    case What::minimum: emit("min" + type, {result, left, right}); break;
    case What::maximum: emit("max" + type, {result, left, right}); break;
    case What::number:
    case What::cta: break;
    }
    return result;
}

ptx::Register FrontNumbers::of_cta(std::uint32_t step) {
    const auto known = steps_.find(step);
    if (known != steps_.end()) return known->second;
    return steps_.emplace(step, make(kernel_.index_steps.at(step))).first->second;
}

std::optional<ptx::Register> FrontNumbers::position(std::uint32_t step, const ThreadSteps& steps) {
    if (steps == ThreadSteps{}) return step == 0 ? std::nullopt : std::optional(of_cta(step));
    const auto known = positions_.find({step, steps});
    if (known != positions_.end()) return known->second;
    ptx::Register sum = of_thread(steps, 1);
    if (step != 0) {
        const ptx::Register of_both = text_.scratch();
        emit("add.u32", {of_both, of_cta(step), sum});
        sum = of_both;
    }
    return positions_.emplace(std::pair{step, steps}, sum).first->second;
}

ptx::Register FrontNumbers::parameter(std::size_t parameter) {
    const std::string& name = std::get<sema::Scalar>(kernel_.parameters.at(parameter)).name;
    return text_.parameter(parameter, "ld.param.b32", "b32", name, name);
}

} // namespace tmemc::lower
