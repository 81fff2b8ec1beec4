// From the tree of a value to one literal, and to the bits of one element.
#include "sema/fill.hpp"

#include "sema/arithmetic.hpp"
#include "sema/constants.hpp"
#include "sema/copies.hpp"
#include "sema/number_literals.hpp"
#include "sema/regions.hpp"

#include <fmt/format.h>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

/// A number as written: its sign and the literal.
struct Literal {
    bool negative = false;
    std::variant<const ast::Float*, const ast::Integer*> magnitude;
    [[nodiscard]] std::string text() const {
        return (negative ? "-" : "") +
               std::visit([](const auto* literal) { return literal->text; }, magnitude);
    }
};

std::optional<Literal> literal_of(const ast::Value& value);

std::optional<Literal> literal_of(const ast::Unary& unary) {
    if (const auto* number = std::get_if<ast::Float>(&unary.node)) return Literal{false, number};
    if (const auto* number = std::get_if<ast::Integer>(&unary.node)) return Literal{false, number};
    if (const auto* paren = std::get_if<ast::ValueParen>(&unary.node))
        return literal_of(paren->inner.front());
    const auto* negation = std::get_if<ast::ValueNegation>(&unary.node);
    auto literal = negation ? literal_of(negation->operand.front()) : std::nullopt;
    if (literal) literal->negative = !literal->negative;
    return literal;
}

/// The literal that `value` consists of, with signs and parentheses around it; nothing when there is more to
/// it.
std::optional<Literal> literal_of(const ast::Value& value) {
    return value.rest.empty() && value.first.rest.empty() ? literal_of(value.first.first) : std::nullopt;
}

/// Nothing when the element type does not hold the number.
std::optional<std::uint32_t> bits_of(const Literal& literal, Dtype dtype) {
    if (const auto* number = std::get_if<const ast::Float*>(&literal.magnitude)) {
        const double magnitude = float_value((*number)->text);
        return element_bits(dtype, literal.negative ? -magnitude : magnitude);
    }
    const auto magnitude = integer_magnitude(std::get<const ast::Integer*>(literal.magnitude)->text);
    return magnitude ? element_bits(dtype, literal.negative, *magnitude) : std::nullopt;
}

} // namespace

void check(Draft& draft, const ast::Assign& assign) {
    needs_warpgroup(draft, "fragment arithmetic", assign.place);
    const auto literal = literal_of(assign.value);
    const auto target = select(draft, assign.target);
    if (!target) return;
    if (target->symbol.kind != Symbol::Kind::fragment) {
        const bool buffer = target->symbol.kind == Symbol::Kind::buffer;
        draft.env.reports
            .report(catalogue::assign_to_other, assign.target.place, target->name, what(target->symbol.kind))
            .label(target->declared, "declared here")
            .help(buffer ? "fill a fragment and store it with `copy_async`"
                         : "fill a fragment and store it with `copy`");
        return;
    }
    if (!may_write(draft, *target, assign.place)) return;
    if (!literal) return compute(draft, assign, *target);
    const auto* const integer = std::get_if<const ast::Integer*>(&literal->magnitude);
    if (integer && !is_integer((*integer)->text)) return;
    const auto bits = bits_of(*literal, target->dtype);
    if (!bits)
        draft.env.reports
            .report(catalogue::literal_does_not_fit, assign.value.place, literal->text(), target->name,
                    base::name(target->dtype))
            .label(target->declared, "declared here")
            .note(range_text(target->dtype));
    if (bits && target->region) draft.emit(Fill{*target->region, *bits}, assign.place);
}

} // namespace tmemc::sema
