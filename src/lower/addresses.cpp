// Pointers and offsets in PTX: one `mul.wide` per different factor of the thread number and one `add` per
// pointer, both made once and shared by every copy that can use them.
#include "lower/addresses.hpp"

#include <cstdlib>
#include <limits>
#include <numeric>

namespace tmemc::lower {
namespace {

using What = sema::IndexStep::What;

constexpr std::int64_t reach = std::int64_t{1} << 23; // of an instruction's constant offset, both ways

/// A multiple of `reach` from which the instruction's own constant gets to `offset`.
std::int64_t anchor_of(std::int64_t offset) { return offset / reach * reach; }

/// Modulo 2^64: what lies outside a tensor is computed and never reached.
std::int64_t product(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
std::int64_t sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

} // namespace

const sema::Tensor& Addresses::tensor(std::size_t parameter) const {
    return std::get<sema::Tensor>(kernel_.parameters.at(parameter));
}

ptx::Register Addresses::advanced(std::size_t parameter, const ptx::Register& pointer, ptx::Operand by) {
    ptx::Register next = text_.declare("b64", tensor(parameter).name + "_ptr");
    emit("add.s64", {next, pointer, std::move(by)});
    return next;
}

const ptx::Register& Addresses::parameter_base(std::size_t parameter) {
    const std::string& name = tensor(parameter).name;
    return text_.parameter(parameter, "ld.param.u64", "b64", name + "_base", name);
}

/// number * bytes, in 64 bits.
ptx::Register Addresses::times(const ptx::Register& number, std::int64_t bytes, bool negative) {
    ptx::Register wide = text_.declare("b64", "offset");
    const bool fits = bytes >= 0 && bytes <= std::numeric_limits<std::int32_t>::max();
    const std::string by = negative ? "mul.wide.s32" : "mul.wide.u32";
    emit(by, {wide, number, constant(fits ? bytes : 1)});
    if (fits) return wide;
    ptx::Register all = text_.declare("b64", "offset");
    emit("mul.lo.s64", {all, wide, constant(bytes)});
    return all;
}

/// The step times so many bytes: sums and constant factors are taken apart, so that a product is one
/// instruction.
void Addresses::add_step(std::size_t parameter, std::uint32_t step, std::int64_t bytes, Based& to) {
    const sema::IndexStep& is = kernel_.index_steps.at(step);
    const auto number = [&](std::uint32_t of) { return kernel_.index_steps[of].what == What::number; };
    if (is.what == What::number) {
        to.offset = sum(to.offset, product(is.number, bytes));
    } else if (is.what == What::add || is.what == What::subtract) {
        add_step(parameter, is.left, bytes, to);
        add_step(parameter, is.right, is.what == What::add ? bytes : product(bytes, -1), to);
    } else if (is.what == What::multiply && (number(is.left) || number(is.right))) {
        const std::uint32_t other = number(is.left) ? is.right : is.left;
        const std::uint32_t factor = number(is.left) ? is.left : is.right;
        add_step(parameter, other, product(bytes, kernel_.index_steps[factor].number), to);
    } else {
        to.pointer = advanced(parameter, to.pointer, times(numbers_.of_cta(step), bytes, is.low < 0));
    }
}

const Addresses::Based& Addresses::origin(const Origin& origin) {
    const auto known = origins_.find(origin);
    if (known != origins_.end()) return known->second;
    const sema::Tensor& is = tensor(origin.parameter);
    const std::int64_t element = base::bytes(is.dtype);
    Based made{parameter_base(origin.parameter), 0};
    if (origin.row_step != 0) add_step(origin.parameter, origin.row_step, product(is.pitch, element), made);
    if (origin.col_step != 0) add_step(origin.parameter, origin.col_step, element, made);
    return origins_.emplace(origin, made).first->second;
}

/// The bytes to a row, where a parameter gives the pitch.
ptx::Register Addresses::row_offset(const sema::Region& region, const AccessGroup& group,
                                    const Access& access) {
    const sema::Tensor& is = tensor(region.object);
    ThreadSteps rows{};
    for (std::size_t bit = 0; bit < thread_bits; ++bit) rows[bit] = group.places[bit].row;
    std::optional<ptx::Register> row = numbers_.position(region.row_base.step, rows);
    if (!row || access.place.row != 0) {
        const ptx::Register at = text_.scratch();
        if (row)
            emit("add.u32", {at, *row, constant(access.place.row)});
        else
            emit("mov.b32", {at, constant(access.place.row)});
        row = at;
    }
    ptx::Register elements = text_.declare("b64", "offset");
    emit("mul.wide.u32", {elements, *row, numbers_.parameter(*is.pitch_from)});
    if (base::bytes(is.dtype) == 1) return elements;
    ptx::Register bytes = text_.declare("b64", "offset");
    emit("mul.lo.s64", {bytes, elements, constant(base::bytes(is.dtype))});
    return bytes;
}

/// The sum of field * step, in 64 bits throughout: for steps of gigabytes.
ptx::Register Addresses::wide_sum(const std::vector<Field>& list) {
    std::optional<ptx::Register> sum;
    for (const Field& field : list) {
        const ptx::Register value = numbers_.field(field);
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

ptx::Register Addresses::thread_offset(const ThreadSteps& steps) {
    const auto known = offsets_.find(steps);
    if (known != offsets_.end()) return known->second;
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
        const ptx::Register sum = numbers_.of_thread(steps, unit);
        offset = text_.declare("b64", "offset");
        emit(negative ? "mul.wide.s32" : "mul.wide.u32", {offset, sum, constant(unit)});
    } else {
        offset = wide_sum(fields(steps));
    }
    offsets_.emplace(steps, offset);
    return offset;
}

ptx::Address Addresses::at(const sema::Region& region, const AccessGroup& group, const Access& access) {
    const std::size_t parameter = region.object;
    const bool pitched = tensor(parameter).pitch_from.has_value();
    const Origin from{parameter, pitched ? 0 : region.row_base.step, region.col_base.step};
    const Based& based = origin(from);
    const std::int64_t offset = sum(access.offset, based.offset), anchor = anchor_of(offset);
    Rows rows;
    if (pitched) {
        auto& [step, of_thread, constant_row] = rows;
        step = region.row_base.step;
        for (std::size_t bit = 0; bit < thread_bits; ++bit) of_thread[bit] = group.places[bit].row;
        constant_row = access.place.row;
    }
    const auto key = std::tuple{from, group.bits, anchor, rows};
    auto known = pointers_.find(key);
    if (known == pointers_.end()) {
        ptx::Register pointer = based.pointer;
        if (pitched) pointer = advanced(parameter, pointer, row_offset(region, group, access));
        if (group.bits != ThreadSteps{}) pointer = advanced(parameter, pointer, thread_offset(group.bits));
        if (anchor != 0) pointer = advanced(parameter, pointer, constant(anchor));
        known = pointers_.emplace(key, pointer).first;
    }
    return {known->second, offset - anchor};
}

} // namespace tmemc::lower
