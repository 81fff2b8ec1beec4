// Counts stay below 2^63: whatever is larger is as good as that.
#include "sema/counts.hpp"

#include <algorithm>

namespace tmemc::sema {

namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 63;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? most : std::min(product, most);
}

/// A bound of a loop that numbers and constants of the file give; no word about any other.
class Bound {
  public:
    explicit Bound(const Names& names) : names_(names) {}

    template <class Operand>
    std::optional<std::int64_t> of(const ast::Chain<Operand>& chain) const {
        std::optional<std::int64_t> left = of(chain.first);
        for (const ast::Step<Operand>& step : chain.rest) {
            const std::optional<std::int64_t> right = of(step.operand);
            if (!left || !right) return std::nullopt;
            left = apply(step.op, *left, *right);
        }
        return left;
    }

  private:
    const Names& names_;

    std::optional<std::int64_t> of(const ast::Factor& factor) const {
        if (const auto* integer = std::get_if<ast::Integer>(&factor.node)) {
            const std::string& text = integer->text;
            const bool plain = text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
            return plain ? std::optional<std::int64_t>(std::stoll(text)) : std::nullopt;
        }
        if (const auto* paren = std::get_if<ast::Paren>(&factor.node)) return of(paren->inner.front());
        const auto* name = std::get_if<ast::Name>(&factor.node);
        const Symbol* symbol = name == nullptr ? nullptr : names_.find(name->text);
        if (symbol == nullptr || symbol->kind != Symbol::Kind::constant) return std::nullopt;
        return symbol->value;
    }

    static std::optional<std::int64_t> apply(char op, std::int64_t a, std::int64_t b) {
        std::int64_t made = 0;
        const bool overflow = op == '+'   ? __builtin_add_overflow(a, b, &made)
                              : op == '-' ? __builtin_sub_overflow(a, b, &made)
                                          : __builtin_mul_overflow(a, b, &made);
        if (op == '/' && b > 0) return a / b;
        if (overflow || op == '/' || op == '%') return std::nullopt;
        return made;
    }
};

class Counter {
  public:
    Counter(const Names& names, const Functions& functions, std::uint64_t limit)
        : bound_(names), functions_(functions), room_(limit) {}

    std::optional<base::Span> passes(const ast::Block& body, const ast::For* around) {
        for (const ast::Statement& each : body.statements) {
            const std::uint64_t count = of(each);
            if (count <= room_) {
                room_ -= count;
                continue;
            }
            if (const auto* loop = std::get_if<ast::For>(&each.node)) return passes(*loop);
            if (const auto* on = std::get_if<ast::On>(&each.node)) return passes(on->body, around);
            return around != nullptr ? head(*around)
                                     : std::visit([](const auto& node) { return place(node); }, each.node);
        }
        return std::nullopt;
    }

  private:
    Bound bound_;
    const Functions& functions_;
    std::uint64_t room_; // until the limit

    static base::Span place(std::monostate) { return base::no_place; }
    template <class Node>
    static base::Span place(const Node& node) {
        return node.place;
    }

    /// Of a loop with too many turns as they are written, that one; else of the turn that passes it.
    std::optional<base::Span> passes(const ast::For& loop) {
        if (turns(loop) > room_ / std::max<std::uint64_t>(written_in(loop.body), 1)) return head(loop);
        room_ %= std::max<std::uint64_t>(of(loop.body), 1);
        const auto found = passes(loop.body, &loop);
        return found ? found : head(loop);
    }

    std::uint64_t turns(const ast::For& loop) const {
        const auto from = bound_.of(loop.from), to = bound_.of(loop.to);
        const auto step = loop.step ? bound_.of(*loop.step) : 1;
        if (!from || !to || !step || *step < 1 || *to <= *from) return 0;
        const std::uint64_t distance = static_cast<std::uint64_t>(*to) - static_cast<std::uint64_t>(*from);
        return (distance - 1) / static_cast<std::uint64_t>(*step) + 1;
    }

    std::uint64_t of(const ast::Block& body) const {
        std::uint64_t sum = 0;
        for (const ast::Statement& each : body.statements) sum = std::min(sum + of(each), most);
        return sum;
    }

    std::uint64_t of(const ast::Statement& statement) const {
        if (const auto* on = std::get_if<ast::On>(&statement.node)) return of(on->body);
        if (const auto* loop = std::get_if<ast::For>(&statement.node))
            return times(turns(*loop), std::max<std::uint64_t>(of(loop->body), 1));
        const auto* call = std::get_if<ast::Call>(&statement.node);
        const auto found = call == nullptr ? functions_.end() : functions_.find(call->function.text);
        const bool known = found != functions_.end() && found->second.whole;
        return known ? 1 + found->second.kernel.statements.size() : 1;
    }
};

} // namespace

base::Span head(const ast::For& loop) {
    return join(loop.variable.place, (loop.step ? *loop.step : loop.to).place);
}

std::uint64_t written_in(const ast::Block& body) {
    std::uint64_t count = 0;
    for (const ast::Statement& each : body.statements) {
        if (const auto* on = std::get_if<ast::On>(&each.node))
            count += written_in(on->body);
        else if (!std::holds_alternative<ast::For>(each.node))
            ++count;
    }
    return count;
}

std::optional<base::Span> passes_limit(const ast::Block& body, const Names& names, const Functions& functions,
                                       std::uint64_t limit) {
    return Counter(names, functions, limit).passes(body, nullptr);
}

} // namespace tmemc::sema
