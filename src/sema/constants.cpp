// The evaluator: one function per level of the grammar, one table of operators.
#include "sema/constants.hpp"

#include "base/invariant.hpp"

#include <algorithm>
#include <limits>

namespace tmemc::sema {

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();

enum class RunTime : std::uint8_t { refused, allowed };

class Evaluator {
  public:
    Evaluator(Environment& env, RunTime run_time) : env_(env), run_time_(run_time) {}

    std::optional<Number> operator()(const ast::Expr& expr) { return chain(expr); }
    std::optional<Number> operator()(const ast::Product& product) { return chain(product); }
    std::optional<Number> operator()(const ast::Factor& factor) { return std::visit(*this, factor.node); }

    std::optional<Number> operator()(std::monostate) { throw base::InternalError("an empty factor"); }
    std::optional<Number> operator()(const ast::Name& name) {
        const Symbol* symbol = run_time_ == RunTime::allowed ? env_.names.find(name.text) : nullptr;
        if (symbol && symbol->kind == Symbol::Kind::run_time)
            return Number{symbol->value, symbol->step, true};
        return number(env_.names.constant(name));
    }
    std::optional<Number> operator()(const ast::Paren& paren) { return (*this)(paren.inner.front()); }
    std::optional<Number> operator()(const ast::Integer& integer) {
        const auto magnitude = integer_magnitude(integer.text);
        if (magnitude && *magnitude <= largest) return number(static_cast<std::int64_t>(*magnitude));
        if (is_integer(integer.text))
            env_.reports.report(base::catalogue::integer_too_large, integer.place, integer.text);
        return std::nullopt;
    }
    std::optional<Number> operator()(const ast::Negation& negation) {
        const ast::Factor& operand = negation.operand.front();
        // The most negative number has no positive counterpart, so its literal is read with its sign.
        if (const auto* integer = std::get_if<ast::Integer>(&operand.node))
            if (integer_magnitude(integer->text) == largest + 1)
                return number(std::numeric_limits<std::int64_t>::min());
        const auto value = (*this)(operand);
        return value ? combine('-', Number{}, *value, negation.place) : std::nullopt;
    }
    std::optional<Number> operator()(const ast::MinMax& call) {
        const auto a = (*this)(call.arguments[0]);
        const auto b = (*this)(call.arguments[1]);
        if (!a || !b) return std::nullopt;
        return combine(call.function.text == "min" ? '<' : '>', *a, *b, call.place);
    }
    std::optional<Number> operator()(const ast::CtaIndex& index) {
        if (env_.in_function) {
            env_.reports
                .report(base::catalogue::not_in_function, index.place, "`cta." + index.axis.text + "`")
                .note("a function does not know the grid of the kernels that call it")
                .help("let the caller choose the place: it passes a region, or in CUDA C++ a pointer");
            return std::nullopt;
        }
        if (run_time_ == RunTime::allowed) return env_.indices.cta(index.axis.text[0] - 'x');
        env_.reports.report(base::catalogue::not_constant, index.place, "cta." + index.axis.text);
        return std::nullopt;
    }

  private:
    static std::optional<Number> number(std::optional<std::int64_t> constant) {
        return constant ? std::optional(Number{*constant, 0, false}) : std::nullopt;
    }

    /// `<` and `>` are minimum and maximum.
    std::optional<Number> combine(char op, const Number& a, const Number& b, Span span) {
        if (!a.run_time && !b.run_time) {
            if (op == '<') return number(std::min(a.constant, b.constant));
            if (op == '>') return number(std::max(a.constant, b.constant));
            return number(apply(env_, op, a.constant, b.constant, span));
        }
        const Indices::Outcome outcome = env_.indices.apply(op, a, b);
        if (outcome.number) return outcome.number;
        if (outcome.by_zero)
            env_.reports.report(base::catalogue::division_by_zero, span, env_.indices.range(a).high, op);
        else
            env_.reports.report(base::catalogue::index_too_large, span,
                                outcome.beyond.high > index_range.high ? outcome.beyond.high
                                                                       : outcome.beyond.low);
        return std::nullopt;
    }

    // Operands are all evaluated, so that each reports its own mistake.
    template <class Operand>
    std::optional<Number> chain(const ast::Chain<Operand>& chain) {
        std::optional<Number> result = (*this)(chain.first);
        for (const ast::Step<Operand>& step : chain.rest) {
            const auto operand = (*this)(step.operand);
            result = result && operand ? combine(step.op, *result, *operand, chain.place) : std::nullopt;
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

/// Takes the prefix away.
int base_of(std::string_view& text) {
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) base = 16;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) base = 2;
    if (base != 10) text.remove_prefix(2);
    return base;
}

} // namespace

bool is_integer(std::string_view text) {
    const int base = base_of(text);
    return std::all_of(text.begin(), text.end(),
                       [base](char c) { return c == '_' || (digit_value(c) >= 0 && digit_value(c) < base); });
}

std::optional<std::uint64_t> integer_magnitude(std::string_view text) {
    if (!is_integer(text)) return std::nullopt;
    const auto base = static_cast<std::uint64_t>(base_of(text));
    std::uint64_t value = 0;
    for (const char c : text) {
        if (c == '_') continue;
        const int digit = digit_value(c);
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

std::optional<std::int64_t> evaluate(Environment& env, const ast::Expr& expr) {
    const auto number = Evaluator(env, RunTime::refused)(expr);
    return number ? std::optional(number->constant) : std::nullopt;
}
std::optional<std::int64_t> evaluate(Environment& env, const ast::Product& product) {
    const auto number = Evaluator(env, RunTime::refused)(product);
    return number ? std::optional(number->constant) : std::nullopt;
}
std::optional<Number> evaluate_number(Environment& env, const ast::Expr& expr) {
    return Evaluator(env, RunTime::allowed)(expr);
}

} // namespace tmemc::sema
