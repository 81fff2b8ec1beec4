// The evaluator: one function per level of the grammar, one table of operators.
#include "sema/constants.hpp"

#include "base/invariant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tmemc::sema {

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();

class Evaluator {
  public:
    Evaluator(Environment& env, RunTime run_time) : env_(env), run_time_(run_time) {}

    std::optional<std::int64_t> operator()(const ast::Expr& expr) { return chain(expr); }
    std::optional<std::int64_t> operator()(const ast::Product& product) { return chain(product); }
    std::optional<std::int64_t> operator()(const ast::Factor& factor) {
        return std::visit(*this, factor.node);
    }

    std::optional<std::int64_t> operator()(std::monostate) { throw base::InternalError("an empty factor"); }
    std::optional<std::int64_t> operator()(const ast::Name& name) { return env_.names.constant(name); }
    std::optional<std::int64_t> operator()(const ast::Paren& paren) { return (*this)(paren.inner.front()); }
    std::optional<std::int64_t> operator()(const ast::Integer& integer) {
        const auto magnitude = integer_magnitude(integer.text);
        if (magnitude && *magnitude <= largest) return static_cast<std::int64_t>(*magnitude);
        env_.reports.report(base::catalogue::integer_too_large, integer.place, integer.text);
        return std::nullopt;
    }
    std::optional<std::int64_t> operator()(const ast::Negation& negation) {
        const ast::Factor& operand = negation.operand.front();
        // The most negative number has no positive counterpart, so its literal is read with its sign.
        if (const auto* integer = std::get_if<ast::Integer>(&operand.node))
            if (integer_magnitude(integer->text) == largest + 1)
                return std::numeric_limits<std::int64_t>::min();
        const auto value = (*this)(operand);
        return value ? apply(env_, '-', 0, *value, negation.place) : std::nullopt;
    }
    std::optional<std::int64_t> operator()(const ast::MinMax& call) {
        const auto a = (*this)(call.arguments[0]);
        const auto b = (*this)(call.arguments[1]);
        if (!a || !b) return std::nullopt;
        return call.function.text == "min" ? std::min(*a, *b) : std::max(*a, *b);
    }
    std::optional<std::int64_t> operator()(const ast::CtaIndex& index) {
        const std::string name = "cta." + index.axis.text;
        if (run_time_ == RunTime::not_yet)
            env_.reports.report(base::catalogue::not_supported, index.place, fmt::format("`{}`", name))
                .help("let one CTA move the whole tensor, with constant slices");
        else
            env_.reports.report(base::catalogue::not_constant, index.place, name);
        return std::nullopt;
    }

  private:
    // Operands are all evaluated, so that each reports its own mistake.
    template <class Operand>
    std::optional<std::int64_t> chain(const ast::Chain<Operand>& chain) {
        std::optional<std::int64_t> result = (*this)(chain.first);
        for (const ast::Step<Operand>& step : chain.rest) {
            const auto operand = (*this)(step.operand);
            result = result && operand ? apply(env_, step.op, *result, *operand, chain.place) : std::nullopt;
        }
        return result;
    }

    Environment& env_;
    RunTime run_time_;
};

int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

} // namespace

std::optional<std::uint64_t> integer_magnitude(std::string_view text) {
    std::uint64_t base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) base = 16;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) base = 2;
    if (base != 10) text.remove_prefix(2);
    std::uint64_t value = 0;
    for (const char c : text) {
        if (c == '_') continue;
        const int digit = digit_value(c);
        // No number at all: the scanner has said so.
        if (digit < 0 || static_cast<std::uint64_t>(digit) >= base) return std::nullopt;
        if (__builtin_mul_overflow(value, base, &value)) return std::nullopt;
        if (__builtin_add_overflow(value, static_cast<std::uint64_t>(digit), &value)) return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> apply(Environment& env, char op, std::int64_t a, std::int64_t b, Span span) {
    std::int64_t result = 0;
    bool overflow = false;
    switch (op) {
    case '+': overflow = __builtin_add_overflow(a, b, &result); break;
    case '-': overflow = __builtin_sub_overflow(a, b, &result); break;
    case '*': overflow = __builtin_mul_overflow(a, b, &result); break;
    case '/':
    case '%':
        if (b == 0) {
            env.reports.report(base::catalogue::division_by_zero, span, a, op);
            return std::nullopt;
        }
        overflow = op == '/' && b == -1 && a == std::numeric_limits<std::int64_t>::min();
        if (!overflow && b != -1) result = op == '/' ? a / b : a % b;
        if (!overflow && b == -1) result = op == '/' ? -a : 0; // min % -1 traps on the machine
        break;
    default: throw base::InternalError("an operator that the grammar does not have");
    }
    if (!overflow) return result;
    env.reports.report(base::catalogue::constant_overflow, span, a, op, b);
    return std::nullopt;
}

std::optional<std::int64_t> evaluate(Environment& env, const ast::Expr& expr, RunTime run_time) {
    return Evaluator(env, run_time)(expr);
}
std::optional<std::int64_t> evaluate(Environment& env, const ast::Product& product, RunTime run_time) {
    return Evaluator(env, run_time)(product);
}

} // namespace tmemc::sema
