// Operands by their first token. A word is a register, a symbol or the sink; what follows it may make it a
// pair
// (`%p|%q`) or an address that is known before the kernel starts (`table+8`).
#include "ptx/read_statement.hpp"

namespace tmemc::ptx {

using Kind = Token::Kind;

template <class Into>
void StatementReader::named(std::string text, Into& into) const {
    if (text == "_")
        into = Sink{};
    else if (is_register(text))
        into = Register{std::move(text)};
    else
        into = Symbol{std::move(text)};
}

bool StatementReader::operand(Operand& into) {
    const Token& first = cursor_.peek();
    if (first.is('[')) return address(into);
    if (cursor_.take_if('{')) return elements('}', into.emplace<Vector>().elements);
    if (calling_ && cursor_.take_if('(')) return elements(')', into.emplace<Arguments>().elements);
    if (cursor_.take_if('!')) return cursor_.name(into.emplace<Negated>().predicate, "a predicate");
    if (cursor_.at_constant()) return cursor_.immediate(into.emplace<Immediate>());
    if (!first.is(Kind::word)) return cursor_.fail("an operand");
    return word_operand(into);
}

bool StatementReader::word_operand(Operand& into) {
    const auto result = [&](std::variant<Register, Sink>& side) {
        std::string name;
        if (!cursor_.name(name, "a register or `_`")) return false;
        if (name != "_")
            side = Register{std::move(name)};
        else
            side = Sink{};
        return true;
    };
    if (cursor_.peek(1).is('|')) {
        Pair& pair = into.emplace<Pair>();
        return result(pair.first) && cursor_.take_if('|') && result(pair.second);
    }
    named(std::string(cursor_.take().text), into);
    const auto* symbol = std::get_if<Symbol>(&into);
    if (symbol == nullptr || !cursor_.take_if('+')) return true;
    Immediate offset;
    if (!cursor_.integer(offset)) return false;
    into = Offset{symbol->name, static_cast<std::int64_t>(offset.bits)};
    return true;
}

bool StatementReader::base_of(std::variant<Register, Symbol, Immediate>& into) {
    if (!cursor_.peek().is(Kind::word)) // what is added to it is the offset
        return cursor_.at_constant() ? cursor_.term(into.emplace<Immediate>())
                                     : cursor_.fail("a register, a name or a number");
    std::string text(cursor_.take().text);
    if (is_register(text))
        into = Register{std::move(text)};
    else
        into = Symbol{std::move(text)};
    return true;
}

/// [base], [base+offset] or [base, {x, y}]
bool StatementReader::address(Operand& into) {
    cursor_.take();
    Address& address = into.emplace<Address>();
    if (!base_of(address.base)) return false;
    if (cursor_.take_if(',')) {
        Coordinates in{std::move(address.base), {}};
        if (!cursor_.expect('{') || !elements('}', in.at)) return false;
        into = std::move(in);
        return cursor_.expect(']');
    }
    if (cursor_.take_if('+')) {
        Immediate offset;
        if (!constant_or("a number", offset)) return false;
        address.offset = static_cast<std::int64_t>(offset.bits);
    }
    if (cursor_.peek().is('-')) return cursor_.fail("`]`", "PTX only adds to an address: write `+-`");
    return cursor_.take_if(']') || cursor_.fail("`+` and a number, or `]`");
}

/// The elements behind an opening bracket; only parentheses may be empty.
bool StatementReader::elements(char close, std::vector<Element>& into) {
    if (close == ')' && cursor_.take_if(close)) return true;
    do {
        Element& element = into.emplace_back();
        if (cursor_.peek().is(Kind::word))
            named(std::string(cursor_.take().text), element);
        else if (!constant_or("a register or a number", element.emplace<Immediate>()))
            return false;
    } while (cursor_.take_if(','));
    return cursor_.take_if(close) || cursor_.fail(std::string("`,` or `") + close + "`");
}

/// A constant, where `wanted` may stand.
bool StatementReader::constant_or(std::string_view wanted, Immediate& into) {
    if (!cursor_.at_constant()) return cursor_.fail(wanted);
    return cursor_.immediate(into);
}

} // namespace tmemc::ptx
