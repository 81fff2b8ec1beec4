// Pointers and offsets in PTX: one `mul.wide` per different factor of the thread number and one `add` per
// pointer, both made once and shared by every copy that can use them.
#include "lower/addresses.hpp"

#include <cstdlib>
#include <limits>
#include <numeric>

namespace tmemc::lower {
namespace {

constexpr std::int64_t reach = std::int64_t{1} << 23; // of an instruction's constant offset, both ways

/// A multiple of `reach` from which the instruction's own constant gets to `offset`.
std::int64_t anchor_of(std::int64_t offset) { return offset / reach * reach; }

const std::string& name_of(const sema::Kernel& kernel, std::size_t parameter) {
    return std::get<sema::Tensor>(kernel.parameters.at(parameter)).name;
}

} // namespace

std::vector<Field> fields(const ByteSteps& steps) {
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

const ptx::Register& Addresses::base(std::size_t parameter) {
    auto known = bases_.find(parameter);
    if (known == bases_.end()) {
        const std::string& name = name_of(kernel_, parameter);
        known = bases_.emplace(parameter, text_.declare("b64", name + "_base")).first;
        emit("ld.param.u64", {known->second, ptx::Address{ptx::Symbol{name}, 0}});
    }
    return known->second;
}

ptx::Register Addresses::field_value(const Field& field) {
    const bool to_the_top = field.shift + field.width == thread_bits;
    if (field.shift == 0 && to_the_top) return text_.thread();
    const auto known = field_values_.find({field.shift, field.width});
    if (known != field_values_.end()) return known->second;
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
    field_values_.emplace(std::pair{field.shift, field.width}, value);
    return value;
}

/// The sum of field * step / unit, in 32 bits.
ptx::Register Addresses::narrow_sum(const std::vector<Field>& list, std::int64_t unit, bool negative) {
    std::optional<ptx::Register> sum;
    for (const Field& field : list) {
        const ptx::Register value = field_value(field);
        const std::int64_t factor = field.step / unit;
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
    return *sum;
}

/// The sum of field * step, in 64 bits throughout: for steps of gigabytes.
ptx::Register Addresses::wide_sum(const std::vector<Field>& list) {
    std::optional<ptx::Register> sum;
    for (const Field& field : list) {
        const ptx::Register value = field_value(field);
        const ptx::Register wide = text_.declare("b64", "wide"), next = text_.declare("b64", "wide");
        emit("cvt.u64.u32", {wide, value});
        if (sum)
            emit("mad.lo.s64", {next, wide, constant(field.step), *sum});
        else
            emit("mul.lo.s64", {next, wide, constant(field.step)});
        sum = next;
    }
    return *sum;
}

ptx::Register Addresses::thread_offset(const ByteSteps& steps) {
    const auto known = offsets_.find(steps);
    if (known != offsets_.end()) return known->second;
    const std::vector<Field> list = fields(steps);
    std::int64_t unit = 0, largest = 0;
    bool negative = false;
    for (const std::int64_t step : steps) {
        unit = std::gcd(unit, step);
        largest += std::abs(step);
        negative = negative || step < 0;
    }
    const std::int64_t limit = std::numeric_limits<std::int32_t>::max();
    ptx::Register offset;
    if (unit <= limit && largest / unit <= limit) {
        const ptx::Register sum = narrow_sum(list, unit, negative);
        offset = text_.declare("b64", "offset");
        emit(negative ? "mul.wide.s32" : "mul.wide.u32", {offset, sum, constant(unit)});
    } else {
        offset = wide_sum(list);
    }
    offsets_.emplace(steps, offset);
    return offset;
}

ptx::Address Addresses::at(std::size_t parameter, const ByteSteps& steps, std::int64_t offset) {
    const std::int64_t anchor = anchor_of(offset);
    const auto key = std::tuple{parameter, steps, anchor};
    auto known = pointers_.find(key);
    if (known == pointers_.end()) {
        ptx::Register pointer = base(parameter);
        const auto advance = [&](ptx::Operand by) {
            const ptx::Register next = text_.declare("b64", name_of(kernel_, parameter) + "_ptr");
            emit("add.s64", {next, pointer, std::move(by)});
            pointer = next;
        };
        if (steps != ByteSteps{}) advance(thread_offset(steps));
        if (anchor != 0) advance(constant(anchor));
        known = pointers_.emplace(key, pointer).first;
    }
    return {known->second, offset - anchor};
}

} // namespace tmemc::lower
