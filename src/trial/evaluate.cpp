// A walk over the expression at each place. An integer with an integer stays an integer and wraps; anything
// else is a double. A row's reduction is kept once computed, so that `rows(row_sum(A))` costs each row once
// and not once per element. The first failure is remembered and the walk goes on with zeros until the caller
// looks.
#include "trial/evaluate.hpp"

#include "base/invariant.hpp"
#include "runtime/element.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tmemc::trial {

namespace {

using runtime::Array;
using runtime::Number;
using Op = Expression::Op;

double real(const Number& number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}
std::int64_t integer(const Number& number) { return std::get<std::int64_t>(number); }
bool is_integer(const Number& number) { return std::holds_alternative<std::int64_t>(number); }

/// `==` and the rest, of two integers or two doubles.
template <class Value>
bool holds(Value a, const std::string& comparison, Value b) {
    if (comparison == "<") return a < b;
    if (comparison == "<=") return a <= b;
    if (comparison == ">") return a > b;
    if (comparison == ">=") return a >= b;
    if (comparison == "==") return a == b;
    return a != b;
}

using Arguments = std::array<Number, 3>; // no function takes more

Number call_function(const HostFunction& function, const Arguments& arguments) {
    bool integers = function.integer != nullptr;
    for (std::size_t i = 0; i < function.arity; ++i) integers = integers && is_integer(arguments[i]);
    std::array<std::int64_t, 3> whole{};
    std::array<double, 3> reals{};
    for (std::size_t i = 0; i < function.arity; ++i) {
        if (integers)
            whole[i] = integer(arguments[i]);
        else
            reals[i] = real(arguments[i]);
    }
    if (integers) return function.integer(whole.data());
    return function.real(reals.data());
}

Number element_number(const Array& array, std::int64_t index) {
    const std::uint32_t bits = array.get(index);
    if (runtime::is_floating(array.dtype)) return runtime::decode(array.dtype, bits);
    return runtime::decode_integer(array.dtype, bits);
}

std::int64_t row_major(const Extents& place, const Extents& shape) {
    std::int64_t index = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + place[d];
    return index;
}

bool inside(const Extents& place, const Extents& shape) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (place[d] < 0 || place[d] >= shape[d]) return false;
    }
    return true;
}

class Evaluator {
  public:
    Evaluator(const Expectation& expectation, const std::map<std::string, Array>& values)
        : expectation_(expectation) {
        for (const std::string& name : expectation.arrays) arrays_.push_back(&values.at(name));
    }

    [[nodiscard]] const std::string& failure() const { return failure_; }

    /// The right side at one place of the left side.
    Number at(const Extents& place) {
        indices_ = &place;
        return value(expectation_.value, place);
    }

  private:
    const Expectation& expectation_;
    std::vector<const Array*> arrays_;
    const Extents* indices_ = nullptr;
    std::map<std::pair<const Expression*, std::int64_t>, Number> reduced_;
    std::string failure_;

    Number fail(std::string sentence) {
        if (failure_.empty()) failure_ = std::move(sentence);
        return std::int64_t{0};
    }
    [[nodiscard]] std::string left_place() const {
        return runtime::place_text(expectation_.left.name, *indices_);
    }

    Number value(const Expression& e, const Extents& place) {
        switch (e.op) {
        case Op::mistake: // of no expectation that is evaluated
        case Op::constant: return e.number;
        case Op::index: return (*indices_)[e.which];
        case Op::here: return element_number(*arrays_[e.which], row_major(place, arrays_[e.which]->shape));
        case Op::element: return element(e, place);
        case Op::negate: return negate(value(e.operands[0], place));
        case Op::add:
        case Op::subtract:
        case Op::multiply:
        case Op::divide:
        case Op::remainder: return arithmetic(e.op, value(e.operands[0], place), value(e.operands[1], place));
        case Op::call: return call(e, place);
        case Op::cast: return cast(e.dtype, value(e.operands[0], place));
        case Op::select: return select(e, place);
        case Op::cols: return value(e.operands[0], {place.back()});
        case Op::rows: return value(e.operands[0], {place.front()});
        case Op::reduce_row: return reduced_row(e, place.front());
        }
        throw base::InternalError("an operation of an expectation that nothing evaluates");
    }

    Number call(const Expression& e, const Extents& place) {
        Arguments arguments;
        for (std::size_t i = 0; i < e.operands.size(); ++i) arguments.at(i) = value(e.operands[i], place);
        return call_function(*e.function, arguments);
    }

    Number element(const Expression& e, const Extents& place) {
        const Array& array = *arrays_[e.which];
        Extents at(e.operands.size());
        for (std::size_t d = 0; d < at.size(); ++d) at[d] = integer(value(e.operands[d], place));
        if (!failure_.empty()) return std::int64_t{0};
        if (inside(at, array.shape)) return element_number(array, row_major(at, array.shape));
        const std::string& name = expectation_.arrays[e.which];
        return fail(fmt::format("{} asks for {}, but `{}` is {}", left_place(), runtime::place_text(name, at),
                                name, runtime::to_string(array.dtype, array.shape)));
    }

    static Number negate(const Number& number) {
        if (is_integer(number)) return wrapping_subtract(0, integer(number));
        return -real(number);
    }

    Number arithmetic(Op op, const Number& a, const Number& b) {
        if (is_integer(a) && is_integer(b)) return of_integers(op, integer(a), integer(b));
        if (op == Op::add) return real(a) + real(b);
        if (op == Op::subtract) return real(a) - real(b);
        if (op == Op::multiply) return real(a) * real(b);
        base::invariant(op == Op::divide, "% of doubles");
        return real(a) / real(b);
    }

    Number of_integers(Op op, std::int64_t a, std::int64_t b) {
        if (op == Op::add) return wrapping_add(a, b);
        if (op == Op::subtract) return wrapping_subtract(a, b);
        if (op == Op::multiply) return wrapping_multiply(a, b);
        if (b == 0)
            return fail(fmt::format("{} asks for {} {} 0", left_place(), a, op == Op::divide ? '/' : '%'));
        if (b == -1)
            return op == Op::divide ? wrapping_subtract(0, a) : 0; // the lowest integer / -1 traps in C
        return op == Op::divide ? a / b : a % b;
    }

    /// As in a kernel: a real number stops at the ends of an integer's range and at the largest f8, integers
    /// wrap.
    static Number cast(base::Dtype dtype, const Number& number) {
        const std::uint32_t bits = is_integer(number) ? runtime::encode(dtype, integer(number))
                                                      : runtime::encode(dtype, stopped(dtype, real(number)));
        if (runtime::is_floating(dtype)) return runtime::decode(dtype, bits);
        return runtime::decode_integer(dtype, bits);
    }

    static double stopped(base::Dtype dtype, double value) {
        const base::DtypeRow& row = base::row(dtype);
        if (std::isnan(value)) return value;
        if (dtype == base::Dtype::f8e5m2) {
            const double largest = runtime::decode(dtype, 0x7b); // infinity is the next
            return std::clamp(value, -largest, largest);
        }
        if (row.kind == base::DtypeClass::floating) return value;
        const bool negative = row.kind == base::DtypeClass::signed_integer;
        const double low = negative ? -std::ldexp(1, row.bits - 1) : 0;
        return std::clamp(value, low, std::ldexp(1, negative ? row.bits - 1 : row.bits) - 1);
    }

    Number select(const Expression& e, const Extents& place) {
        const Number a = value(e.operands[0], place);
        const Number b = value(e.operands[1], place);
        const bool yes = is_integer(a) && is_integer(b) ? holds(integer(a), e.comparison, integer(b))
                                                        : holds(real(a), e.comparison, real(b));
        const Number chosen = value(e.operands[yes ? 2 : 3], place);
        return e.integer ? chosen : Number(real(chosen));
    }

    Number reduced_row(const Expression& e, std::int64_t row) {
        const auto known = reduced_.find({&e, row});
        if (known != reduced_.end()) return known->second;
        const Expression& operand = e.operands[0];
        Number folded = value(operand, {row, 0});
        for (std::int64_t column = 1; column < operand.shape[1]; ++column) {
            folded = call_function(*e.function, {folded, value(operand, {row, column}), {}});
        }
        return reduced_[{&e, row}] = folded;
    }
};

} // namespace

std::variant<Numbers, std::string> evaluate(const Expectation& expectation,
                                            const std::map<std::string, Array>& values) {
    const runtime::Formal& left = expectation.left;
    Numbers numbers(static_cast<std::size_t>(values.at(left.name).elements()));
    Evaluator evaluator(expectation, values);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = evaluator.at(runtime::place_of(static_cast<std::int64_t>(i), left.shape));
        if (!evaluator.failure().empty()) return evaluator.failure();
    }
    return numbers;
}

Array rounded(const Numbers& numbers, const runtime::Formal& left) {
    Array array = runtime::make_array(left.dtype, left.shape);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto bits =
            std::visit([&](auto each) { return runtime::encode(left.dtype, each); }, numbers[i]);
        array.set(static_cast<std::int64_t>(i), bits);
    }
    return array;
}

} // namespace tmemc::trial
