// The table of steps, the arithmetic of numbers that are part constant, and their ranges.
#include "sema/indices.hpp"

#include "base/invariant.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace tmemc::sema {

namespace {

using What = IndexStep::What;

What what_of(char op) {
    switch (op) {
    case '+': return What::add;
    case '-': return What::subtract;
    case '*': return What::multiply;
    case '/': return What::divide;
    case '%': return What::remainder;
    case '<': return What::minimum;
    case '>': return What::maximum;
    default: throw base::InternalError("an operator that index expressions do not have");
    }
}

std::int64_t value_of(What what, std::int64_t a, std::int64_t b) {
    switch (what) {
    case What::add: return a + b;
    case What::subtract: return a - b;
    case What::multiply: return a * b;
    case What::divide: return a / b;
    case What::remainder: return a % b;
    case What::minimum: return std::min(a, b);
    case What::maximum: return std::max(a, b);
    case What::number:
    case What::cta: break;
    }
    throw base::InternalError("a step without operands");
}

/// `%` keeps the sign of what it divides and stays below the divisor.
Range remainders(const Range& a, const Range& b) {
    const std::int64_t most = std::max(std::abs(b.low), std::abs(b.high)) - 1;
    if (b.low == b.high && a.low >= 0 && a.low / b.low == a.high / b.low)
        return {a.low % b.low, a.high % b.low};
    return {a.low >= 0 ? 0 : std::max(a.low, -most), a.high <= 0 ? 0 : std::min(a.high, most)};
}

Range span_of(What what, const Range& a, const Range& b) {
    if (what == What::remainder) return remainders(a, b);
    // Every other operation is monotone in each operand (for a divisor of one sign): the corners tell.
    const std::array<std::int64_t, 4> corners{value_of(what, a.low, b.low), value_of(what, a.low, b.high),
                                              value_of(what, a.high, b.low), value_of(what, a.high, b.high)};
    const auto [low, high] = std::minmax_element(corners.begin(), corners.end());
    return {*low, *high};
}

} // namespace

void Indices::begin(const std::array<std::int64_t, 3>& grid) {
    grid_ = grid;
    steps_.clear();
    known_.clear();
    counted_.clear();
}

std::uint32_t Indices::step(What what, std::int64_t number, std::uint32_t left, std::uint32_t right) {
    if (steps_.empty()) {
        steps_.push_back({What::number, 0, 0, 0, 0, 0, 0});
        known_.emplace(Key{What::number, 0, 0, 0}, 0);
    }
    const auto [place, is_new] =
        known_.emplace(Key{what, number, left, right}, static_cast<std::uint32_t>(steps_.size()));
    if (!is_new) return place->second;
    IndexStep made{what, number, left, right, 0, 0, 0};
    const Range range = range_of(made);
    made.low = range.low;
    made.high = range.high;
    made.multiple = multiple_of(made);
    steps_.push_back(made);
    return place->second;
}

Range Indices::range_of(const IndexStep& step) const {
    if (step.what == What::number) return {step.number, step.number};
    if (step.what == What::cta) return {0, grid_.at(static_cast<std::size_t>(step.number)) - 1};
    const IndexStep &left = steps_[step.left], &right = steps_[step.right];
    return span_of(step.what, {left.low, left.high}, {right.low, right.high});
}

std::int64_t Indices::multiple_of(const IndexStep& step) const {
    if (step.what == What::number) return std::abs(step.number);
    if (step.what == What::cta || step.what == What::divide) return 1;
    const std::int64_t left = steps_[step.left].multiple, right = steps_[step.right].multiple;
    if (step.what != What::multiply) return std::gcd(left, right);
    return left * right > index_range.high ? 1 : left * right;
}

Base Indices::base(const Number& number) const {
    return number.step == 0 ? Base{} : Base{number.step, steps_[number.step].multiple};
}

Number Indices::cta(int axis) {
    if (grid_.at(static_cast<std::size_t>(axis)) == 1) return {0, 0, true};
    return {0, step(What::cta, axis, 0, 0), true};
}

/// The step, unless it leaves 32 bits or divides by zero, which `outcome` is told.
std::optional<std::uint32_t> Indices::operation(What what, std::uint32_t left, std::uint32_t right,
                                                Outcome& outcome) {
    const Range divisor{steps_[right].low, steps_[right].high};
    if ((what == What::divide || what == What::remainder) && divisor.low <= 0 && divisor.high >= 0) {
        outcome.by_zero = true;
        return std::nullopt;
    }
    const Range range = range_of({what, 0, left, right, 0, 0, 0});
    if (range.inside(index_range)) {
        if (range.low == range.high) return step(What::number, range.low, 0, 0);
        return step(what, 0, left, right);
    }
    outcome.beyond = range;
    return std::nullopt;
}

/// Constant and step as one step.
std::optional<std::uint32_t> Indices::whole(const Number& number, Outcome& outcome) {
    const Range constant{number.constant, number.constant};
    if (!constant.inside(index_range)) {
        outcome.beyond = constant;
        return std::nullopt;
    }
    const std::uint32_t of_constant = step(What::number, number.constant, 0, 0);
    if (number.step == 0) return of_constant;
    if (number.constant == 0) return number.step;
    return operation(What::add, number.step, of_constant, outcome);
}

/// The step of `a op b`; sums and multiples keep their constant part apart, in `constant`.
std::optional<std::uint32_t> Indices::combine(char op, const Number& a, const Number& b,
                                              std::int64_t& constant, Outcome& outcome) {
    const auto times = [&](std::uint32_t of, std::int64_t factor) -> std::optional<std::uint32_t> {
        if (factor == 0) return step(What::number, 0, 0, 0);
        if (factor == 1) return of;
        const auto by = whole({factor, 0, false}, outcome);
        return by ? operation(What::multiply, of, *by, outcome) : std::nullopt;
    };
    if (op == '+' || op == '-') {
        const bool overflow = op == '+' ? __builtin_add_overflow(a.constant, b.constant, &constant)
                                        : __builtin_sub_overflow(a.constant, b.constant, &constant);
        if (overflow) {
            outcome.beyond = {a.constant, a.constant};
            return std::nullopt;
        }
        if (b.step == 0) return a.step;
        if (a.step == 0) return times(b.step, op == '+' ? 1 : -1);
        if (op == '-' && a.step == b.step) return step(What::number, 0, 0, 0);
        return operation(what_of(op), a.step, b.step, outcome);
    }
    if (op == '*' && (a.step == 0 || b.step == 0)) {
        const Number& factor = b.step == 0 ? b : a;
        const Number& other = b.step == 0 ? a : b;
        if (__builtin_mul_overflow(other.constant, factor.constant, &constant)) {
            outcome.beyond = {other.constant, other.constant};
            return std::nullopt;
        }
        return times(other.step, factor.constant);
    }
    constant = 0;
    const auto left = whole(a, outcome), right = whole(b, outcome);
    return left && right ? operation(what_of(op), *left, *right, outcome) : std::nullopt;
}

std::vector<std::int64_t> values_in(const Kernel& kernel, const std::array<std::int64_t, 3>& cta) {
    std::vector<std::int64_t> values;
    values.reserve(kernel.index_steps.size());
    for (const IndexStep& step : kernel.index_steps)
        values.push_back(step.what == What::number ? step.number
                         : step.what == What::cta
                             ? cta.at(static_cast<std::size_t>(step.number))
                             : value_of(step.what, values[step.left], values[step.right]));
    return values;
}

Indices::Outcome Indices::apply(char op, Number a, Number b) {
    step(What::number, 0, 0, 0);
    Outcome outcome;
    Number made{0, 0, true};
    const auto step = combine(op, a, b, made.constant, outcome);
    if (!step) return outcome;
    made.step = *step;
    if (steps_[*step].what == What::number) { // a constant, as it turns out
        made.constant += steps_[*step].number;
        made.step = 0;
    }
    const Range constant{made.constant, made.constant};
    outcome.beyond = constant.inside(index_range) ? range(made) : constant;
    if (outcome.beyond.inside(index_range)) outcome.number = made;
    return outcome;
}

Range Indices::range(const Number& number) const {
    if (number.step == 0) return {number.constant, number.constant};
    const IndexStep& step = steps_[number.step];
    return {number.constant + step.low, number.constant + step.high};
}

Range Indices::extremes(const Number& number) {
    constexpr std::int64_t countable = 1 << 20;
    if (number.step == 0) return range(number);
    std::vector<bool> needed(number.step + 1, false);
    std::array<std::int64_t, 3> extents{1, 1, 1};
    needed[number.step] = true;
    for (std::uint32_t i = number.step; i > 0; --i) {
        if (!needed[i]) continue;
        if (steps_[i].what == What::cta) {
            const auto axis = static_cast<std::size_t>(steps_[i].number);
            extents[axis] = grid_[axis];
        } else if (steps_[i].what != What::number) {
            needed[steps_[i].left] = needed[steps_[i].right] = true;
        }
    }
    const std::int64_t ctas = extents[0] * extents[1] * extents[2]; // below 2^63: clauses.cpp
    if (ctas > countable) return range(number);
    const auto [known, is_new] = counted_.try_emplace(number.step, Range{index_range.high, index_range.low});
    Range& found = known->second;
    std::vector<std::int64_t> values(number.step + 1);
    for (std::int64_t cta = 0; is_new && cta < ctas; ++cta) {
        const std::array<std::int64_t, 3> at{cta % extents[0], cta / extents[0] % extents[1],
                                             cta / extents[0] / extents[1]};
        for (std::uint32_t i = 1; i <= number.step; ++i) {
            const IndexStep& step = steps_[i];
            if (!needed[i]) continue;
            values[i] = step.what == What::number ? step.number
                        : step.what == What::cta  ? at.at(static_cast<std::size_t>(step.number))
                                                 : value_of(step.what, values[step.left], values[step.right]);
        }
        found = {std::min(found.low, values[number.step]), std::max(found.high, values[number.step])};
    }
    return {number.constant + found.low, number.constant + found.high};
}

} // namespace tmemc::sema
