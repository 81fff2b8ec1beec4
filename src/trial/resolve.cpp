// One function per node of the tree. Shapes come from the leaves: a tensor without indices has its own, and
// where two meet they must agree, an extent that is `any` with every other. A mistake fits everywhere and
// makes mistakes of what it is part of, so that it is not reported twice; what stands beside it is still
// read.
#include "trial/resolve.hpp"

#include "base/invariant.hpp"
#include "runtime/element.hpp"
#include "trial/reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace tmemc::trial {

namespace {

namespace ast = grammar::ast;
namespace catalogue = base::catalogue;
using Op = Expression::Op;

Op operation(char op) {
    switch (op) {
    case '+': return Op::add;
    case '-': return Op::subtract;
    case '*': return Op::multiply;
    case '/': return Op::divide;
    default: return Op::remainder;
    }
}

std::string shape_text(const Extents& shape) {
    std::vector<std::string> words;
    for (const std::int64_t extent : shape)
        words.push_back(extent == any_extent ? "any" : std::to_string(extent));
    return fmt::format("[{}]", fmt::join(words, ", "));
}

/// The shape in which both have an element at every place, if there is one.
std::optional<Extents> unify(const Extents& a, const Extents& b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    if (a.size() != b.size()) return std::nullopt;
    Extents both = a;
    for (std::size_t d = 0; d < a.size(); ++d) {
        if (a[d] == any_extent) both[d] = b[d];
        if (both[d] != b[d] && b[d] != any_extent) return std::nullopt;
    }
    return both;
}

Expression constant(runtime::Number number) {
    Expression e;
    e.integer = std::holds_alternative<std::int64_t>(number);
    e.number = number;
    return e;
}
Expression mistake() {
    Expression e;
    e.op = Op::mistake;
    return e;
}
bool is_mistake(const Expression& e) { return e.op == Op::mistake; }

class Resolver {
  public:
    Resolver(Expectation& expectation, const std::vector<ast::Name>& indices, const Scope& scope,
             base::Diagnostics& diagnostics)
        : expectation_(expectation), indices_(indices), scope_(scope), diagnostics_(diagnostics) {}

    Expression value(const ast::Value& node) { return chain(node); }

    /// `e` where the left side's elements pair with it.
    Expression paired_with_left(Expression e, base::Span span) {
        if (!unify(e.shape, expectation_.left.shape)) unpaired(span, expectation_.left.shape, e.shape);
        return e;
    }

  private:
    Expectation& expectation_;
    const std::vector<ast::Name>& indices_;
    const Scope& scope_;
    base::Diagnostics& diagnostics_;
    bool in_reduction_ = false;

    void unpaired(base::Span span, const Extents& a, const Extents& b) {
        const std::string& left = expectation_.left.name;
        auto& report =
            diagnostics_.report(catalogue::elements_do_not_pair, span, shape_text(b), shape_text(a));
        if (a.size() == b.size()) {
            report.help(fmt::format("name the indices: expect {}[r, c] == ...[r, c];", left));
        } else {
            report.help("`rows(v)` spreads one element per row over the columns, `cols(v)` one per column "
                        "over the rows");
        }
    }

    // ---- operators
    // -----------------------------------------------------------------------------------------------

    template <class Operand>
    Expression chain(const ast::Chain<Operand>& node) {
        Expression left = operand(node.first);
        for (const ast::Step<Operand>& step : node.rest)
            left = binary(step.op, std::move(left), operand(step.operand), node.place);
        return left;
    }

    Expression operand(const ast::Term& node) { return chain(node); }
    Expression operand(const ast::Product& node) { return chain(node); }
    Expression operand(const ast::Unary& node) {
        return std::visit([this](const auto& each) { return leaf(each); }, node.node);
    }
    Expression operand(const ast::Factor& node) {
        return std::visit([this](const auto& each) { return leaf(each); }, node.node);
    }

    Expression binary(char op, Expression a, Expression b, base::Span span) {
        if (op == '%' && !(a.integer && b.integer)) {
            diagnostics_.report(catalogue::integer_wanted, span, "an operand of `%`", "a floating value");
            return mistake();
        }
        // Not by braces, which copy: of a long chain each step would copy all before it.
        std::vector<Expression> operands;
        operands.reserve(2);
        operands.push_back(std::move(a));
        operands.push_back(std::move(b));
        return combine(operation(op), std::move(operands), span);
    }

    /// An operation on numbers that pair, element by element.
    Expression combine(Op op, std::vector<Expression> operands, base::Span span) {
        if (std::any_of(operands.begin(), operands.end(), is_mistake)) return mistake();
        Expression e;
        e.op = op;
        for (const Expression& each : operands) {
            e.integer = e.integer && each.integer;
            const std::optional<Extents> both = unify(e.shape, each.shape);
            if (!both) {
                unpaired(span, e.shape, each.shape);
                return mistake();
            }
            e.shape = *both;
        }
        e.operands = std::move(operands);
        return e;
    }

    // ---- leaves of values and of integer expressions
    // -------------------------------------------------------------

    Expression leaf(std::monostate) { return mistake(); } // what could not be parsed, and was reported
    Expression leaf(const ast::ValueNegation& node) {
        return combine(Op::negate, {operand(node.operand.front())}, node.place);
    }
    Expression leaf(const ast::Negation& node) {
        return combine(Op::negate, {operand(node.operand.front())}, node.place);
    }
    Expression leaf(const ast::Integer& node) {
        return constant(read_number(node.text, node.place, diagnostics_));
    }
    Expression leaf(const ast::Float& node) {
        return constant(read_number(node.text, node.place, diagnostics_));
    }
    Expression leaf(const ast::ValueParen& node) { return value(node.inner.front()); }
    Expression leaf(const ast::Paren& node) { return chain(node.inner.front()); }
    Expression leaf(const ast::Name& node) { return name(node); }
    Expression leaf(const ast::CtaIndex& node) { return unknown_name("cta." + node.axis.text, node.place); }
    Expression leaf(const ast::Region& node) { return node.slices ? element(node) : name(node.object); }

    Expression leaf(const ast::MinMax& node) {
        std::vector<Expression> arguments;
        for (const ast::Expr& each : node.arguments) arguments.push_back(chain(each));
        Expression e = combine(Op::call, std::move(arguments), node.place);
        e.function = host_function(node.function.text);
        return e;
    }

    Expression leaf(const ast::Cast& node) {
        const auto dtype = base::dtype_named(node.dtype.text);
        base::invariant(dtype.has_value(), "a cast to no dtype, which the grammar does not let through");
        Expression e = combine(Op::cast, {value(node.operand.front())}, node.place);
        if (is_mistake(e)) return e;
        e.dtype = *dtype;
        e.integer = !runtime::is_floating(*dtype);
        return e;
    }

    Expression leaf(const ast::Select& node) {
        std::vector<Expression> operands;
        for (const ast::Value& each : node.operands) operands.push_back(value(each));
        const bool integer = operands[2].integer && operands[3].integer;
        Expression e = combine(Op::select, std::move(operands), node.place);
        e.comparison = node.comparison;
        e.integer = integer;
        return e;
    }

    // ---- calls
    // ---------------------------------------------------------------------------------------------------

    /// A call of something that takes other arguments, or of nothing: they may be wrong, too.
    Expression wrong_call(const ast::ValueCall& node) {
        for (const ast::Value& each : node.arguments) (void)value(each);
        return mistake();
    }

    bool takes(const ast::ValueCall& node, std::size_t wanted) {
        if (node.arguments.size() == wanted) return true;
        diagnostics_.report(catalogue::wrong_argument_count, node.place, node.function.text,
                            static_cast<int>(wanted), plural(wanted),
                            static_cast<int>(node.arguments.size()));
        return false;
    }

    Expression leaf(const ast::ValueCall& node) {
        const std::string& called = node.function.text;
        if (called == "rows" || called == "cols") return spread(node, called == "rows");
        if (const HostFunction* const fold = row_reduction(called)) return reduction(node, *fold);
        const HostFunction* const function = host_function(called);
        if (function == nullptr) {
            report_unknown(diagnostics_, node.function.place, "function", called, host_function_names());
            return wrong_call(node);
        }
        if (!takes(node, function->arity)) return wrong_call(node);
        std::vector<Expression> arguments;
        for (const ast::Value& each : node.arguments) arguments.push_back(value(each));
        Expression e = combine(Op::call, std::move(arguments), node.place);
        e.function = function;
        e.integer = e.integer && function->integer != nullptr;
        return e;
    }

    /// rows(v) is v[r] in every column, cols(v) is v[c] in every row.
    Expression spread(const ast::ValueCall& node, bool over_columns) {
        if (!takes(node, 1)) return wrong_call(node);
        Expression of = value(node.arguments.front());
        if (is_mistake(of)) return of;
        if (of.shape.size() != 1) return wrong_dimensions(node, "one dimension", of);
        Expression e;
        e.op = over_columns ? Op::rows : Op::cols;
        e.integer = of.integer;
        e.shape = over_columns ? Extents{of.shape[0], any_extent} : Extents{any_extent, of.shape[0]};
        e.operands.push_back(std::move(of));
        return e;
    }

    /// row_max(X): from two dimensions to one. Its rows are computed once, so no index may make them differ.
    Expression reduction(const ast::ValueCall& node, const HostFunction& fold) {
        if (!takes(node, 1)) return wrong_call(node);
        const bool outer = std::exchange(in_reduction_, true);
        Expression of = value(node.arguments.front());
        in_reduction_ = outer;
        if (is_mistake(of)) return of;
        if (of.shape.size() != 2 || of.shape[1] == any_extent)
            return wrong_dimensions(node, "two dimensions", of);
        Expression e;
        e.op = Op::reduce_row;
        e.integer = of.integer;
        e.shape = {of.shape[0]};
        e.function = &fold;
        e.operands.push_back(std::move(of));
        return e;
    }

    Expression wrong_dimensions(const ast::ValueCall& node, std::string_view wanted, const Expression& of) {
        const std::string has = of.shape.empty() ? "a single number" : "elements of " + shape_text(of.shape);
        diagnostics_.report(catalogue::wrong_kind_of_values, node.place, node.function.text, "function",
                            fmt::format("elements in {}, not {}", wanted, has));
        return mistake();
    }

    // ---- names
    // ---------------------------------------------------------------------------------------------------

    Expression unknown_name(const std::string& text, base::Span span) {
        if (scope_.excuses(text)) return mistake();
        std::vector<std::string> known;
        for (const ast::Name& index : indices_) known.push_back(index.text);
        for (const auto& [parameter, formal] : scope_.parameters) known.push_back(parameter);
        for (const auto& [constant_name, number] : scope_.constants) known.push_back(constant_name);
        report_unknown(diagnostics_, span, "parameter, index or constant", text, known);
        return mistake();
    }

    Expression name(const ast::Name& node) {
        for (std::size_t i = 0; i < indices_.size(); ++i) {
            if (indices_[i].text == node.text) return index(node, i);
        }
        const auto parameter = scope_.parameters.find(node.text);
        if (parameter != scope_.parameters.end()) {
            Expression e = array(Op::here, parameter->second);
            e.shape = parameter->second.shape;
            return e;
        }
        for (const auto& [constant_name, number] : scope_.constants) {
            if (constant_name == node.text) return constant(number);
        }
        return unknown_name(node.text, node.place);
    }

    Expression index(const ast::Name& node, std::size_t which) {
        if (in_reduction_) {
            diagnostics_.report(catalogue::wrong_kind_of_values, node.place, node.text, "left-side index",
                                "no part in the reduction of a row");
            return mistake();
        }
        Expression e;
        e.op = Op::index;
        e.which = which;
        return e;
    }

    Expression array(Op op, const runtime::Formal& formal) {
        std::vector<std::string>& arrays = expectation_.arrays;
        const auto known = std::find(arrays.begin(), arrays.end(), formal.name);
        Expression e;
        e.op = op;
        e.which = static_cast<std::size_t>(known - arrays.begin());
        e.integer = !runtime::is_floating(formal.dtype);
        if (known == arrays.end()) arrays.push_back(formal.name);
        return e;
    }

    Expression element(const ast::Region& node) {
        std::vector<Expression> at;
        at.reserve(node.slices->size());
        for (const ast::Slice& slice : *node.slices)
            at.push_back(index_of(node.object.text, slice, node.place));
        const auto parameter = scope_.parameters.find(node.object.text);
        if (parameter == scope_.parameters.end()) return unknown_name(node.object.text, node.object.place);
        const runtime::Formal& formal = parameter->second;
        const std::size_t dimensions = formal.shape.size();
        if (at.size() != dimensions) {
            diagnostics_.report(catalogue::wrong_index_count, node.place, formal.name, dimensions,
                                plural(dimensions), at.size(), at.size() == 1 ? "index" : "indices");
            return mistake();
        }
        if (std::any_of(at.begin(), at.end(), is_mistake)) return mistake();
        Expression e = array(Op::element, formal);
        e.operands = std::move(at);
        return e;
    }

    Expression index_of(const std::string& tensor, const ast::Slice& slice, base::Span region) {
        const auto* const point = std::get_if<ast::Point>(&slice.node);
        if (point == nullptr) return not_an_index(tensor, region, "a slice");
        Expression at = chain(point->index);
        if (!at.shape.empty()) return not_an_index(tensor, point->place, "a tensor");
        if (!at.integer) return not_an_index(tensor, point->place, "a floating value");
        return at;
    }

    Expression not_an_index(const std::string& tensor, base::Span span, std::string_view found) {
        diagnostics_.report(catalogue::integer_wanted, span, fmt::format("an index of `{}`", tensor), found);
        return mistake();
    }
};

} // namespace

void resolve_value(const grammar::ast::ExpectValue& expect, const Scope& scope, Expectation& expectation,
                   base::Diagnostics& diagnostics) {
    Resolver resolver(expectation, expect.indices, scope, diagnostics);
    expectation.value = resolver.paired_with_left(resolver.value(expect.value), expect.value.place);
}

} // namespace tmemc::trial
