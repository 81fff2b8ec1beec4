// Digits, strides and axes of a layout literal.
#include "sema/layout_literals.hpp"

#include "base/invariant.hpp"
#include "sema/constants.hpp"

#include <fmt/format.h>

#include <vector>

namespace tmemc::sema {

namespace {

/// The axis that `name` spells; a stride without one is on m, the register slot.
layout::Axis axis_of(const std::optional<ast::Name>& name) {
    if (!name) return layout::Axis::m;
    const auto axis = layout::axis_named(name->text);
    base::invariant(axis.has_value(), "an axis that the grammar let pass");
    return *axis;
}

std::optional<std::int64_t> digit_extent(Environment& env, const ast::Entry& entry) {
    const auto extent = evaluate(env, entry.value);
    if (entry.axis) {
        env.reports.report(base::catalogue::layout_digits, entry.place, "an extent has no axis")
            .help("extents stand before the colon, strides with their axes behind it");
        return std::nullopt;
    }
    if (!extent || *extent >= 1) return extent;
    env.reports.report(base::catalogue::layout_digits, entry.place,
                       fmt::format("an extent of {} is not positive", *extent));
    return std::nullopt;
}

std::optional<std::vector<layout::Digit>> digits_of(Environment& env, const ast::Digits& digits) {
    const std::size_t count = digits.extents.entries.size();
    if (count != digits.strides.entries.size()) {
        env.reports.report(
            base::catalogue::layout_digits, digits.place,
            fmt::format("{} extents and {} strides do not pair up", count, digits.strides.entries.size()));
        return std::nullopt;
    }
    std::vector<layout::Digit> result;
    for (std::size_t i = 0; i < count; ++i) {
        const auto extent = digit_extent(env, digits.extents.entries[i]);
        const auto stride = evaluate(env, digits.strides.entries[i].value);
        if (extent && stride) result.push_back({*extent, *stride, axis_of(digits.strides.entries[i].axis)});
    }
    if (result.size() != count) return std::nullopt;
    return result;
}

} // namespace

std::optional<layout::Layout> layout_literal(Environment& env, const ast::Layout& literal) {
    layout::Layout result;
    bool whole = true;
    if (auto shard = digits_of(env, literal.shard))
        result.shard = std::move(*shard);
    else
        whole = false;
    if (literal.replica) {
        if (auto replica = digits_of(env, *literal.replica))
            result.replica = std::move(*replica);
        else
            whole = false;
    }
    for (const ast::Offset& offset : literal.offsets) {
        const auto amount = evaluate(env, offset.value);
        const layout::Axis axis = axis_of(offset.axis);
        const auto sum = amount ? apply(env, '+', result.offset[axis], *amount, offset.place) : std::nullopt;
        if (sum)
            result.offset[axis] = *sum;
        else
            whole = false;
    }
    if (!whole) return std::nullopt;
    return result;
}

} // namespace tmemc::sema
