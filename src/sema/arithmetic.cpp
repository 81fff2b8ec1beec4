// The walk over an expression, from the leaves up. A mistake makes a value that nobody complains about again.
#include "sema/arithmetic.hpp"

#include "base/invariant.hpp"
#include "sema/constants.hpp"
#include "sema/math.hpp"
#include "sema/number_literals.hpp"
#include "sema/row_fold.hpp"
#include "sema/slot_pairs.hpp"
#include "sema/vectors.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

using What = Step::What;
using Number = std::variant<std::int64_t, double>;

/// A value on the way: a number without a dtype, a step, or nothing that makes sense.
struct Value {
    enum class Kind : std::uint8_t { failed, number, step };
    Kind kind = Kind::failed;
    Number number;
    std::uint32_t step = 0;
    Dtype dtype{}; // of a step
    Span span;
};

Value number(Number value, Span span) { return {Value::Kind::number, value, 0, {}, span}; }
double real(const Number& number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}
std::string text_of(const Number& number) {
    return std::visit([](auto value) { return fmt::format("{}", value); }, number);
}

std::optional<std::uint32_t> bits_of(Dtype dtype, const Number& number) {
    if (const auto* fraction = std::get_if<double>(&number)) return element_bits(dtype, *fraction);
    const std::int64_t whole = std::get<std::int64_t>(number);
    const auto magnitude = static_cast<std::uint64_t>(whole);
    return element_bits(dtype, whole < 0, whole < 0 ? 0 - magnitude : magnitude);
}

double fold(char sign, double a, double b) {
    switch (sign) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return a / b;
    default: return std::fmod(a, b);
    }
}

class Computation {
  public:
    Computation(Draft& draft, const Selection& target) : draft_(draft), target_(target) {}

    /// What the statement computes, or nothing after a mistake.
    std::optional<Compute> run(const ast::Value& value) {
        Value result;
        if (const auto* call = sole<ast::ValueCall>(value); call && reduction_named(call->function.text)) {
            auto folded = rows_of(*call);
            if (!folded) return std::nullopt;
            if (goes_into_target(*folded))
                return Compute{*target_.region, std::move(folded->steps), folded->reduction};
            result = spread(in_vector(std::move(*folded), *call), Spread::each, call->place);
        } else {
            result = chain(value);
        }
        if (result.kind == Value::Kind::step && !widens(result.dtype, target_.dtype))
            return narrowing(result);
        if (!as(result, target_.dtype) || failed_) return std::nullopt;
        if (!target_.region) return std::nullopt;
        return Compute{*target_.region, steps_to(result), std::nullopt};
    }

    std::optional<std::uint32_t> constant(const ast::Value& value, Dtype dtype) {
        Value result = chain(value);
        if (result.kind != Value::Kind::number || !as(result, dtype)) return std::nullopt;
        return steps_.back().bits;
    }

  private:
    // ---- the tree

    Value operator_of(char sign, const Value& a, const Value& b, Span span) {
        if (a.kind == Value::Kind::failed || b.kind == Value::Kind::failed) return {};
        if (a.kind == Value::Kind::number && b.kind == Value::Kind::number)
            return folded(sign, a.number, b.number, span);
        return apply(operator_row(sign), {a, b}, span);
    }
    template <class Operand>
    Value chain(const ast::Chain<Operand>& chain) {
        Value result = visit(chain.first);
        for (const ast::Step<Operand>& step : chain.rest)
            result = operator_of(step.op, result, visit(step.operand), chain.place);
        return result;
    }
    Value visit(const ast::Term& term) { return chain(term); }
    Value visit(const ast::Unary& unary) { return std::visit(*this, unary.node); }

  public: // for std::visit
    Value operator()(std::monostate) { throw base::InternalError("an empty value"); }
    Value operator()(const ast::Float& literal) { return number(float_value(literal.text), literal.place); }
    Value operator()(const ast::Integer& literal) {
        const auto magnitude = integer_magnitude(literal.text);
        if (!magnitude) return number(float_value(literal.text), literal.place);
        if (*magnitude > static_cast<std::uint64_t>(INT64_MAX))
            return number(static_cast<double>(*magnitude), literal.place);
        return number(static_cast<std::int64_t>(*magnitude), literal.place);
    }
    Value operator()(const ast::ValueParen& paren) { return chain(paren.inner.front()); }
    Value operator()(const ast::ValueNegation& negation) {
        Value operand = visit(negation.operand.front());
        if (operand.kind != Value::Kind::number)
            return apply({"-", What::negate, 1, Takes::both}, {operand}, negation.place);
        if (const auto* fraction = std::get_if<double>(&operand.number))
            return number(-*fraction, negation.place);
        return folded('-', std::int64_t{0}, operand.number, negation.place);
    }
    Value operator()(const ast::Cast& cast) {
        Value operand = chain(cast.operand.front());
        const Dtype to = base::dtype_named(cast.dtype.text).value();
        if (!working(to)) return cast_to_bits(to, cast.dtype.place);
        if (operand.kind == Value::Kind::step && !is_number(operand, "`cast`")) return {};
        if (operand.kind == Value::Kind::failed || !as(operand, to)) return {};
        // Arithmetic on narrow integers may have left their range.
        const bool wraps = is_integer(to) && base::bits(to) < 32 && steps_[operand.step].count != 0 &&
                           steps_[operand.step].what != What::convert;
        if (wraps) operand = converted(operand, to);
        operand.span = cast.place;
        return operand;
    }
    Value operator()(const ast::Select& select) {
        std::vector<Value> values;
        for (const ast::Value& each : select.operands) values.push_back(chain(each));
        Value if_so = values[2], else_so = values[3];
        if (!meet(values[0], values[1], select.place) || !meet(if_so, else_so, select.place)) return {};
        Step step{What::select, if_so.dtype};
        step.in = {values[0].step, values[1].step, if_so.step, else_so.step};
        step.count = 4;
        step.comparison = select.comparison;
        return push(step, select.place);
    }
    Value operator()(const ast::ValueCall& call) {
        std::vector<Value> arguments;
        const std::string& name = call.function.text;
        if (reduction_named(name)) return spread(vector(call), Spread::each, call.place);
        if (name == "rows" || name == "cols") {
            if (!wanted(call, 1)) return {};
            const auto which = name == "rows" ? Spread::rows : Spread::columns;
            return spread(vector(call, which), which, call.place);
        }
        for (const ast::Value& each : call.arguments) arguments.push_back(chain(each));
        if (name == "relu" && wanted(call, 1)) {
            arguments.push_back(number(std::int64_t{0}, call.place));
            return apply({"relu", What::maximum, 2, Takes::both}, arguments, call.place);
        }
        if (name == "relu") return {};
        const MathRow* row = function_row(name);
        if (row == nullptr) return unknown(call);
        return wanted(call, row->arity) ? apply(*row, arguments, call.place) : Value{};
    }
    Value operator()(const ast::Region& region) {
        const Symbol* symbol = draft_.env.names.find(region.object.text);
        if (symbol != nullptr && !region.slices && symbol->kind == Symbol::Kind::constant)
            return number(symbol->value, region.place);
        if (symbol != nullptr && symbol->kind == Symbol::Kind::scalar) return scalar(*symbol, region);
        const auto selected = select(draft_, region);
        if (!selected) return fail();
        if (selected->symbol.kind != Symbol::Kind::fragment) return not_a_fragment(*selected, region);
        return selected->region ? fragment(*selected, region.place) : fail();
    }

  private:
    // ---- leaves

    Value scalar(const Symbol& symbol, const ast::Region& region) {
        const auto& parameter =
            std::get<Scalar>(draft_.kernel.parameters[static_cast<std::size_t>(symbol.value)]);
        if (region.slices) {
            draft_.env.reports
                .report(catalogue::wrong_kind_of_name, region.object.place, region.object.text,
                        what(symbol.kind), "an object with slices")
                .label(parameter.span, "declared here");
            return fail();
        }
        Step step{What::scalar, parameter.dtype};
        step.parameter = static_cast<std::size_t>(symbol.value);
        return push(step, region.place);
    }

    Value fragment(const Selection& selected, Span place, Spread spread = Spread::each) {
        Step step{What::fragment, selected.dtype};
        step.fragment = *selected.region;
        if (!target_.region) return fail();
        const auto meets = how_it_meets(selected, spread);
        if (!meets) return extents_differ(selected, place);
        step.spread = *meets;
        const auto pairs = slot_pairs(slots(*target_.region), *target_.region, slots(step.fragment), step);
        if (const auto* apart = std::get_if<Apart>(&pairs))
            return maps_differ(selected, *apart, place, spread);
        return push(step, place);
    }
    /// A row and a column of as many elements meet number by number.
    std::optional<Spread> how_it_meets(const Selection& operand, Spread spread) const {
        const Region &mine = *target_.region, &its = *operand.region;
        const bool vector = operand.extents.size() == 1;
        if (spread == Spread::each) {
            if (its.rows == mine.rows && its.cols == mine.cols) return spread;
            if (!vector || operand.extents != target_.extents) return std::nullopt;
            return mine.cols == 1 ? Spread::rows : Spread::columns;
        }
        const int length = spread == Spread::rows ? mine.rows : mine.cols;
        return vector && operand.extents[0] == length ? std::optional(spread) : std::nullopt;
    }
    const layout::SlotMap& slots(const Region& region) const {
        return draft_.kernel.slots(draft_.kernel.fragments[region.object]);
    }

    // ---- vectors

    Value spread(const std::optional<Selection>& vector, Spread spread, Span place) {
        return vector ? fragment(*vector, place, spread) : fail();
    }

    /// The one argument of `rows` or `cols`.
    std::optional<Selection> vector(const ast::ValueCall& call, Spread which) {
        const ast::Value& argument = call.arguments.front();
        if (const auto* inner = sole<ast::ValueCall>(argument);
            inner && reduction_named(inner->function.text))
            return vector(*inner);
        const auto* region = sole<ast::Region>(argument);
        const Symbol* symbol = region ? draft_.env.names.find(region->object.text) : nullptr;
        if (!region ||
            (symbol && (symbol->kind == Symbol::Kind::constant || symbol->kind == Symbol::Kind::scalar)))
            return not_a_vector(call, region ? what(symbol->kind) : "an expression", argument.place);
        auto selected = select(draft_, *region);
        if (!selected || !selected->region) return std::nullopt;
        if (selected->extents.size() != 1)
            return not_a_vector(call, fmt::format("a region of [{}]", to_string(selected->extents)),
                                argument.place);
        if (selected->symbol.kind == Symbol::Kind::fragment) return selected;
        if (selected->symbol.kind == Symbol::Kind::buffer) {
            not_a_fragment(*selected, *region);
            return std::nullopt;
        }
        if (!target_.region) return std::nullopt;
        if (!how_it_meets(*selected, which)) {
            extents_differ(*selected, call.place);
            return std::nullopt;
        }
        const auto kept = which == Spread::rows ? layout::Coordinates::rows : layout::Coordinates::columns;
        return loaded_vector(draft_, *selected, target_, kept, argument.place);
    }

    /// The elements of a reduction and what becomes of them.
    struct Folded {
        Selection over;
        std::vector<Step> steps;
        Reduction reduction;
    };
    std::optional<Folded> rows_of(const ast::ValueCall& call) {
        if (!wanted(call, 1)) return std::nullopt;
        const ast::Value& argument = call.arguments.front();
        const auto over = first_tile(draft_, argument);
        if (!over || !over->region) {
            draft_.env.reports.report(catalogue::no_tile, call.place, call.function.text)
                .help("one thread, or some of a warp, make one number of each row of a fragment X: " +
                      call.function.text + "(X)");
            fail();
            return std::nullopt;
        }
        const What what = *reduction_named(call.function.text);
        auto steps = Computation(draft_, *over).elements(argument, what);
        if (!steps) {
            fail();
            return std::nullopt;
        }
        return Folded{*over, std::move(*steps), {what, *over->region}};
    }
    /// The steps of a reduction's operand.
    std::optional<std::vector<Step>> elements(const ast::Value& value, What what) {
        Value result = chain(value);
        if (result.kind != Value::Kind::step || !is_number(result, "a reduction")) return std::nullopt;
        // Narrow integers are worked with in 32 bits, and a sum may leave their range.
        const Step& last = steps_[result.step];
        const bool fits = what != What::add && (last.count == 0 || last.what == What::convert);
        const bool narrow = is_integer(result.dtype) && base::bits(result.dtype) < 32;
        if (!as(result, narrow && !fits ? Dtype::s32 : *working(result.dtype)) || failed_)
            return std::nullopt;
        return steps_to(result);
    }
    /// Whether the target can take the numbers as they are made.
    bool goes_into_target(const Folded& folded) const {
        const Region& over = folded.reduction.over;
        if (!target_.region || target_.region->cols != 1 || target_.region->rows != over.rows ||
            target_.dtype != folded.steps.back().dtype)
            return false;
        for (const Step& step : folded.steps)
            if (step.what == What::fragment && step.fragment.object == target_.region->object) return false;
        return std::holds_alternative<RowFold>(
            row_fold(slots(over), over, slots(*target_.region), *target_.region));
    }
    /// A fragment with the numbers, and the statement that makes them.
    std::optional<Selection> in_vector(Folded folded, const ast::ValueCall& call) {
        auto vector = hidden_vector(draft_, call.function.text, folded.steps.back().dtype, folded.over,
                                    layout::Coordinates::rows, call.place);
        if (!vector) return std::nullopt;
        const Region& over = folded.reduction.over;
        const auto way = row_fold(slots(over), over, slots(*vector->region), *vector->region);
        if (const auto* scattered = std::get_if<Scattered>(&way)) {
            draft_.env.reports
                .report(catalogue::row_scattered, call.place, call.function.text, folded.over.name,
                        scattered->reason)
                .label(folded.over.declared, fmt::format("`{}` is declared here", folded.over.name))
                .help("rows of 128 in atom 32x32b lie in one thread each, rows of the 16-row atoms in the "
                      "lanes of one warp, when all their columns are taken");
            return std::nullopt;
        }
        draft_.emit(Compute{*vector->region, std::move(folded.steps), folded.reduction}, call.place);
        return vector;
    }
    std::optional<Selection> vector(const ast::ValueCall& call) {
        auto folded = rows_of(call);
        return folded ? in_vector(std::move(*folded), call) : std::nullopt;
    }

    // ---- steps

    Value push(const Step& step, Span span) {
        steps_.push_back(step);
        return {Value::Kind::step, {}, static_cast<std::uint32_t>(steps_.size() - 1), step.dtype, span};
    }

    /// Makes the value a step of that dtype.
    bool as(Value& value, Dtype dtype) {
        if (value.kind == Value::Kind::failed) return false;
        if (value.kind == Value::Kind::number) {
            const auto bits = bits_of(dtype, value.number);
            if (!bits) {
                base::Diagnostic& error = draft_.env.reports.report(catalogue::number_not_of_type, value.span,
                                                                    text_of(value.number), base::name(dtype));
                error.note(range_text(dtype));
                if (is_integer(dtype) && std::holds_alternative<double>(value.number))
                    error.help("work in f32: cast<f32>(X); and cast the result back");
                value = fail();
                return false;
            }
            Step step{What::number, dtype};
            step.bits = *bits;
            value = push(step, value.span);
            return true;
        }
        if (value.dtype == dtype) return true;
        // tf32 is made from an f32: of a 32-bit integer that is rounded first.
        if (dtype == Dtype::tf32 && is_integer(value.dtype)) value = converted(value, Dtype::f32);
        value = converted(value, dtype);
        return true;
    }
    Value converted(const Value& value, Dtype dtype) {
        Step step{What::convert, dtype};
        step.in[0] = value.step;
        step.count = 1;
        return push(step, value.span);
    }

    /// Both are steps of one dtype that is worked in.
    bool meet(Value& a, Value& b, Span span) {
        if (a.kind == Value::Kind::failed || b.kind == Value::Kind::failed) return false;
        if (a.kind == Value::Kind::number && b.kind == Value::Kind::number)
            return as(a, target_worked()) && as(b, target_worked());
        std::optional<Dtype> dtype;
        for (const Value* each : {&a, &b}) {
            if (each->kind != Value::Kind::step) continue;
            if (!is_number(*each, "arithmetic")) return false;
            const Dtype worked = *working(each->dtype);
            const auto both = dtype ? common(*dtype, worked) : worked;
            if (!both) return do_not_mix(*dtype, worked, span);
            dtype = both;
        }
        return as(a, *dtype) && as(b, *dtype);
    }

    Value apply(const MathRow& row, std::vector<Value> operands, Span span) {
        // The first takes the dtype of all, then all take the first's.
        for (std::size_t i = 1; i < operands.size(); ++i)
            if (!meet(operands[0], operands[i], span)) return {};
        if (operands.size() == 1 && !meet(operands[0], operands[0], span)) return {};
        const Dtype dtype = operands[0].dtype;
        for (Value& each : operands)
            if (!as(each, dtype)) return {};
        if (is_integer(dtype) ? row.takes == Takes::floats : row.takes == Takes::integers)
            return wrong_operand(fmt::format("`{}`", row.name),
                                 is_integer(dtype) ? "floating-point numbers" : "integers", dtype, span);
        const bool divides = row.what == What::divide || row.what == What::remainder;
        if (divides && is_integer(dtype) && steps_[operands[1].step].what == What::number &&
            steps_[operands[1].step].bits == 0) {
            draft_.env.reports.report(catalogue::wrong_operand, span,
                                      fmt::format("`{}` of integers", row.name), "a divisor other than 0",
                                      "0");
            return fail();
        }
        if (row.what == What::add && (fuse(operands[0], operands[1]) || fuse(operands[1], operands[0])))
            return push(fused_, span);
        Step step{row.what, dtype};
        for (const Value& each : operands) step.in[step.count++] = each.step;
        return push(step, span);
    }

    /// product + addend as one step.
    bool fuse(const Value& product, const Value& addend) {
        const Step& factor = steps_[product.step];
        if (factor.what != What::multiply) return false;
        fused_ = Step{What::multiply_add, factor.dtype};
        fused_.in = {factor.in[0], factor.in[1], addend.step};
        fused_.count = 3;
        return true;
    }

    Value folded(char sign, const Number& a, const Number& b, Span span) {
        const auto* whole_a = std::get_if<std::int64_t>(&a);
        const auto* whole_b = std::get_if<std::int64_t>(&b);
        if (whole_a == nullptr || whole_b == nullptr) return number(fold(sign, real(a), real(b)), span);
        const auto result = sema::apply(draft_.env, sign, *whole_a, *whole_b, span);
        return result ? number(*result, span) : fail();
    }

    /// Of an expression of numbers alone, where it has to have a dtype.
    Dtype target_worked() const { return working(target_.dtype).value_or(Dtype::f32); }

    /// The steps that `result` is made from, itself the last.
    std::vector<Step> steps_to(const Value& result) {
        if (steps_.size() != result.step + 1) steps_.push_back(steps_[result.step]);
        std::vector<bool> used(steps_.size());
        used.back() = true;
        for (std::size_t i = steps_.size(); i-- > 0;)
            for (std::uint32_t k = 0; used[i] && k < steps_[i].count; ++k) used[steps_[i].in[k]] = true;
        std::vector<std::uint32_t> renumbered(steps_.size());
        std::vector<Step> kept;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (!used[i]) continue;
            renumbered[i] = static_cast<std::uint32_t>(kept.size());
            kept.push_back(steps_[i]);
            for (std::uint32_t k = 0; k < kept.back().count; ++k)
                kept.back().in[k] = renumbered[kept.back().in[k]];
        }
        return kept;
    }

    // ---- mistakes

    Value fail() {
        failed_ = true;
        return {};
    }
    bool is_number(const Value& value, std::string_view whose) {
        if (working(value.dtype)) return true;
        wrong_operand(whose, "numbers", value.dtype, value.span);
        return false;
    }
    Value wrong_operand(std::string_view whose, std::string_view takes, Dtype dtype, Span span) {
        base::Diagnostic& error =
            draft_.env.reports.report(catalogue::wrong_operand, span, whose, takes, base::name(dtype));
        if (takes == "numbers")
            error.help("b8, b16 and b32 are bits without a meaning; declare a number's dtype");
        else if (is_integer(dtype))
            error.help("cast it first: cast<f32>(X)");
        return fail();
    }
    Value cast_to_bits(Dtype to, Span span) {
        draft_.env.reports
            .report(catalogue::wrong_operand, span, "`cast`", "a dtype with numbers", base::name(to))
            .help(fmt::format("numbers become other numbers, and {} has none: cast<u{}>(X) makes whole ones",
                              base::name(to), base::bits(to)));
        return fail();
    }
    bool do_not_mix(Dtype a, Dtype b, Span span) {
        draft_.env.reports.report(catalogue::dtypes_do_not_mix, span, base::name(a), base::name(b))
            .help(fmt::format("say in which dtype to work: cast<{}>(X)",
                              base::name(base::bits(a) == 32 ? a : b)));
        fail();
        return false;
    }
    std::nullopt_t narrowing(const Value& value) {
        draft_.env.reports
            .report(catalogue::narrows, value.span, target_.name, base::name(target_.dtype),
                    base::name(value.dtype))
            .label(target_.declared, fmt::format("`{}` is declared here", target_.name))
            .help(fmt::format("say so: {} = cast<{}>(...);", target_.name, base::name(target_.dtype)));
        return std::nullopt;
    }
    /// Each operand is reported once, however often the expression names it.
    Value maps_differ(const Selection& operand, const Apart& apart, Span place, Spread spread) {
        if (!told_.insert(operand.region->object).second) return fail();
        // A row or column of a tile is where the tile has it; a vector's map has its numbers in all lanes of
        // a row.
        const bool part = spread != Spread::each && draft_.kernel.fragments[operand.region->object].cols > 1;
        const base::Picture picture = base::two_places(
            fmt::format("row {}, col {}", apart.row, apart.col), "thread", layout::max_threads,
            {"operand has it", apart.operand.thread, register_text(apart.operand)},
            {"target wants it", apart.target.thread, register_text(apart.target)});
        const bool is_new = !draft_.env.reports.show(picture); // alike fragments would repeat it
        base::Diagnostic& differ =
            draft_.env.reports.report(catalogue::maps_differ, place, operand.name, target_.name);
        label_declarations(differ, operand, target_)
            .note(fmt::format("row {}, column {} of the one sits in {}, of the other in {}", apart.row,
                              apart.col, slot_text(apart.operand), slot_text(apart.target)))
            .help(part ? "each thread works on registers of its own, and one of several that share a row "
                         "has "
                         "this column: take it from a tensor, rows(A[:, 1]), or from a fragment of one "
                         "dimension"
                       : layout_that_fits(draft_.kernel, operand.region->object, target_.region->object));
        if (is_new) differ.picture = picture;
        return fail();
    }
    Value not_a_fragment(const Selection& selected, const ast::Region& region) {
        const bool buffer = selected.symbol.kind == Symbol::Kind::buffer;
        const bool vector = selected.extents.size() == 1 && target_.extents.size() == 2;
        const std::string in_tile =
            fmt::format("its numbers go along the columns as cols({0}), along the rows "
                        "as rows({0})",
                        selected.name);
        draft_.env.reports
            .report(catalogue::wrong_kind_of_name, region.object.place, selected.name,
                    what(selected.symbol.kind), "a fragment, a scalar or a constant")
            .label(selected.declared, "declared here")
            .help(vector ? in_tile
                         : fmt::format("bring it to a fragment first: {} X <- {};",
                                       buffer ? "copy_async" : "copy", selected.name));
        return fail();
    }
    bool wanted(const ast::ValueCall& call, std::size_t arity) {
        const std::size_t given = call.arguments.size();
        if (given == arity) return true;
        draft_.env.reports.report(catalogue::wrong_argument_count, call.place, call.function.text,
                                  static_cast<int>(arity), arity == 1 ? "" : "s", static_cast<int>(given));
        fail();
        return false;
    }
    Value unknown(const ast::ValueCall& call) {
        base::Diagnostic& error =
            draft_.env.reports.report(catalogue::unknown_math, call.function.place, call.function.text);
        if (const std::string help = help_for(call.function.text); !help.empty()) error.help(help);
        return fail();
    }
    Value extents_differ(const Selection& operand, Span place) {
        base::Diagnostic& error =
            draft_.env.reports.report(catalogue::extents_differ, place, target_.name,
                                      to_string(target_.extents), operand.name, to_string(operand.extents));
        label_declarations(error, target_, operand.declared != place ? operand : target_);
        if (operand.extents.size() < target_.extents.size())
            error.help("rows(v) is v[r] in every column, cols(v) is v[c] in every row");
        else
            error.help("arithmetic is done element by element, on regions of one size");
        return fail();
    }
    std::nullopt_t not_a_vector(const ast::ValueCall& call, std::string_view found, Span place) {
        base::Diagnostic& error =
            draft_.env.reports.report(catalogue::not_a_vector, place, call.function.text, found);
        std::string first;
        if (found == "an expression" && call.function.text == "rows" && target_.region)
            first = vector_for(draft_.kernel, target_.region->object);
        if (!first.empty())
            error.help("compute it first, in a fragment of its own: " + first);
        else
            error.help("vectors are fragments and tensors of one dimension, or a row or column of more, and "
                       "row_max, row_min and row_sum of a fragment");
        fail();
        return std::nullopt;
    }

    Draft& draft_;
    const Selection& target_;
    std::vector<Step> steps_;
    Step fused_;
    bool failed_ = false;
    std::set<std::size_t> told_; // fragments that lie elsewhere
};

} // namespace

void compute(Draft& draft, const ast::Assign& assign, const Selection& target) {
    auto computed = Computation(draft, target).run(assign.value);
    if (computed) draft.emit(std::move(*computed), assign.place);
}

std::optional<std::uint32_t> constant_bits(Draft& draft, const ast::Value& value, Dtype dtype) {
    const Selection nothing{};
    return Computation(draft, nothing).constant(value, dtype);
}

} // namespace tmemc::sema
