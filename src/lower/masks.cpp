// Static edges narrow sets of threads, the others become comparisons.
#include "lower/masks.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace tmemc::lower {

ThreadSet Masks::narrowed(const ThreadSet& threads, const Line& line) {
    ThreadSet left = threads;
    for (std::size_t t = 0; t < threads.size(); ++t) {
        std::int64_t at = line.constant;
        for (std::size_t bit = 0; bit < thread_bits; ++bit)
            if ((t >> bit & 1) != 0) at += line.steps[bit];
        if (at < 0 || at >= line.extent) left.reset(t);
    }
    return left;
}

bool Masks::never_negative(const Line& line) const {
    std::int64_t low = line.constant + (line.step == 0 ? 0 : kernel_.index_steps.at(line.step).low);
    for (const std::int64_t step : line.steps) low += std::min(step, std::int64_t{0});
    return low >= 0;
}

bool Masks::moves_below_2_31(const Line& line) const {
    std::int64_t high = line.step == 0 ? 0 : kernel_.index_steps.at(line.step).high;
    for (const std::int64_t step : line.steps) high += std::max(step, std::int64_t{0});
    return high <= std::numeric_limits<std::int32_t>::max();
}

/// `result` is true inside the extent, and where `also` is.
ptx::Guard Masks::compare(const Line& line, const std::optional<ptx::Guard>& also,
                          std::vector<ptx::Statement>& into, const ptx::Register& result) {
    const std::optional<ptx::Register> moving = numbers_.position(line.step, line.steps);
    ptx::Operand number = constant(line.constant), extent = constant(line.extent);
    const bool from_zero = never_negative(line);
    if (line.extent_from) extent = numbers_.parameter(*line.extent_from);
    using Signed = std::numeric_limits<std::int32_t>;
    const std::int64_t left = line.extent - line.constant;
    if (moving && from_zero && !line.extent_from && moves_below_2_31(line) && left >= Signed::min() &&
        left <= Signed::max()) {
        number = *moving;
        extent = constant(left);
    } else if (moving && line.constant != 0) {
        const ptx::Register at = text_.scratch();
        into.emplace_back(instruction("add.u32", {at, *moving, constant(line.constant)}));
        number = at;
    } else if (moving) {
        number = *moving;
    } else { // PTX compares no two constants
        const ptx::Register at = text_.scratch();
        into.emplace_back(instruction("mov.b32", {at, constant(line.constant)}));
        number = at;
    }
    const std::string type = from_zero && !line.extent_from ? ".s32" : ".u32";
    std::vector<ptx::Operand> operands{result, std::move(number), std::move(extent)};
    if (also && also->negated)
        operands.emplace_back(ptx::Negated{also->predicate});
    else if (also)
        operands.emplace_back(ptx::Register{also->predicate});
    into.emplace_back(instruction((also ? "setp.lt.and" : "setp.lt") + type, std::move(operands)));
    return {result.name, false};
}

Masks::Lines Masks::lines(const sema::GlobalCopy& copy, const AccessGroup& group,
                          const Access& access) const {
    const auto& tensor = std::get<sema::Tensor>(kernel_.parameters.at(copy.tensor.object));
    const bool vector = tensor.extents.size() == 1;
    Lines made{{copy.tensor.row_base.step, {}, access.place.row, vector ? 1 : tensor.extents.front(), {}},
               {copy.tensor.col_base.step, {}, access.place.col, tensor.extents.back(), {}}};
    (vector ? made.col : made.row).extent_from = tensor.extent_from;
    for (std::size_t bit = 0; bit < thread_bits; ++bit) {
        made.row.steps[bit] = group.places[bit].row;
        made.col.steps[bit] = group.places[bit].col;
    }
    return made;
}

ThreadSet Masks::threads(const sema::GlobalCopy& copy, const AccessGroup& group, const Access& access) const {
    const Lines found = lines(copy, group, access);
    ThreadSet threads = access.threads;
    if (copy.rows_leave && found.row.is_static()) threads = narrowed(threads, found.row);
    if (copy.cols_leave && found.col.is_static()) threads = narrowed(threads, found.col);
    return threads;
}

std::optional<ptx::Guard> Masks::inside(const sema::GlobalCopy& copy, const AccessGroup& group,
                                        const Access& access) {
    const Lines found = lines(copy, group, access);
    const ThreadSet among = threads(copy, group, access);
    std::optional<ptx::Guard> guard = text_.predicate(among);
    if (copy.rows_leave && !found.row.is_static()) {
        const auto key = std::pair{among.to_string(), found.row};
        auto known = rows_.find(key);
        if (known == rows_.end()) {
            std::vector<ptx::Statement> comparison;
            const ptx::Register result = text_.declare("pred", "inside");
            known = rows_.emplace(key, compare(found.row, guard, comparison, result)).first;
            std::move(comparison.begin(), comparison.end(), std::back_inserter(text_.front));
        }
        guard = known->second;
    }
    if (copy.cols_leave && !found.col.is_static())
        guard = compare(found.col, guard, text_.body, text_.scratch("pred"));
    return guard;
}

} // namespace tmemc::lower
