// Statements of a function's body, by their first token: a label, a directive, or an instruction with its
// operands.
#include "ptx/read_statement.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace tmemc::ptx {
namespace {

using Kind = Token::Kind;

const std::vector<std::string> directives = {".reg", ".shared", ".global", ".const", ".loc", ".pragma"};

} // namespace

// ---- registers
// ---------------------------------------------------------------------------------------------------

void Registers::declare(const RegisterDeclaration& declared) {
    if (declared.count == 0)
        singles_.insert(declared.name);
    else
        ranges_[declared.name] = std::max(ranges_[declared.name], declared.count);
}

bool Registers::holds(const std::string& name) const {
    if (name.front() == '%' || singles_.count(name) != 0) return true;
    for (std::size_t begin = name.find_last_not_of("0123456789") + 1; begin < name.size(); ++begin) {
        const auto range = ranges_.find(name.substr(0, begin));
        if (range == ranges_.end()) continue;
        std::uint32_t number = 0;
        const auto parsed = std::from_chars(name.data() + begin, name.data() + name.size(), number);
        const bool canonical =
            parsed.ec == std::errc{} && name.substr(begin) == std::to_string(number); // not r03
        if (canonical && number < range->second) return true;
    }
    return false;
}

// ---- statements
// --------------------------------------------------------------------------------------------------

bool StatementReader::read(std::vector<ReadStatement>& into) {
    into_ = &into;
    const Token& first = cursor_.peek();
    if (first.is(Kind::directive)) {
        if (first.text == ".reg") return register_declaration();
        if (first.text == ".loc") return location();
        if (first.text == ".pragma") return pragma();
        const bool known = std::find(directives.begin(), directives.end(), first.text) != directives.end();
        return known ? variable() : cursor_.unknown_directive("in a function's body", directives);
    }
    if (first.is(Kind::word) && cursor_.peek(1).is(':')) {
        cursor_.take();
        cursor_.take();
        add(Label{std::string(first.text)}, first);
        return true;
    }
    return instruction();
}

void StatementReader::skip() {
    while (!cursor_.at_end() && !cursor_.take_if(';')) {
        // The brace of a list has a comma or a semicolon behind it, that of a body has not.
        if (cursor_.peek().is('}') && !cursor_.peek(1).is(',') && !cursor_.peek(1).is(';')) return;
        cursor_.take();
    }
}

void StatementReader::add(Statement statement, const Token& first) {
    into_->push_back({std::move(statement), base::join(first.span, cursor_.last().span)});
}

bool StatementReader::register_declaration() {
    const Token& first = cursor_.take();
    std::string type;
    if (!cursor_.type(type)) return false;
    do {
        RegisterDeclaration declared{type, {}, 0};
        if (!cursor_.name(declared.name, "a register's name")) return false;
        if (cursor_.take_if('<') && (!cursor_.number(declared.count) || !cursor_.expect('>'))) return false;
        registers_.declare(declared);
        add(std::move(declared), first);
    } while (cursor_.take_if(','));
    return cursor_.expect(';');
}

bool read_variable(Cursor& cursor, Variable& into) {
    into.space = cursor.take().text.substr(1);
    if (cursor.take_if(".align") && !cursor.number(into.align)) return false;
    if (!cursor.type(into.type) || !cursor.name(into.name, "the variable's name")) return false;
    if (!cursor.take_if('[')) return true;
    return cursor.number(into.count.emplace(), std::numeric_limits<std::uint32_t>::max()) &&
           cursor.expect(']');
}

bool StatementReader::variable() {
    const Token& first = cursor_.peek();
    Variable declared;
    if (!read_variable(cursor_, declared)) return false;
    add(std::move(declared), first);
    return cursor_.expect(';');
}

bool StatementReader::location() {
    const Token& first = cursor_.take();
    Location location;
    if (!cursor_.number(location.file) || !cursor_.number(location.line) || !cursor_.number(location.column))
        return false;
    add(location, first);
    return true;
}

bool StatementReader::pragma() {
    const Token& first = cursor_.take();
    if (!cursor_.peek().is(Kind::string)) return cursor_.fail("a string");
    add(Pragma{std::string(cursor_.take().text)}, first);
    return cursor_.expect(';');
}

bool StatementReader::instruction() {
    const Token& first = cursor_.peek();
    Instruction read;
    if (cursor_.take_if('@')) {
        Guard& guard = read.guard.emplace();
        guard.negated = cursor_.take_if('!');
        if (!cursor_.name(guard.predicate, "a predicate")) return false;
    }
    if (!cursor_.name(read.name, "an instruction")) return false;
    bool more = !cursor_.peek().is(';');
    while (more) {
        if (!operand(read.operands.emplace_back())) return false;
        more = cursor_.take_if(',');
    }
    if (!cursor_.peek().is(';')) return cursor_.fail("`,` or `;`");
    add(std::move(read), first);
    return cursor_.expect(';');
}

// ---- operands
// ----------------------------------------------------------------------------------------------------

template <class Into>
void StatementReader::named(std::string text, Into& into) const {
    if (text == "_")
        into = Sink{};
    else if (registers_.holds(text))
        into = Register{std::move(text)};
    else
        into = Symbol{std::move(text)};
}

bool StatementReader::operand(Operand& into) {
    const Token& first = cursor_.peek();
    if (first.is('[')) return address(into.emplace<Address>());
    if (first.is('{')) return vector(into.emplace<Vector>());
    if (first.is(Kind::number) || first.is('-')) return cursor_.immediate(into.emplace<Immediate>());
    if (!first.is(Kind::word)) return cursor_.fail("an operand");
    named(std::string(cursor_.take().text), into);
    return true;
}

bool StatementReader::address(Address& into) {
    cursor_.take();
    if (cursor_.peek().is(Kind::word)) {
        std::string text(cursor_.take().text);
        if (registers_.holds(text))
            into.base = Register{std::move(text)};
        else
            into.base = Symbol{std::move(text)};
    } else if (!constant_or("a register, a name or a number", into.base.emplace<Immediate>())) {
        return false;
    }
    if (cursor_.take_if('+')) {
        Immediate offset;
        if (!constant_or("a number", offset)) return false;
        into.offset = static_cast<std::int64_t>(offset.bits);
    }
    if (cursor_.peek().is('-')) return cursor_.fail("`]`", "PTX only adds to an address: write `+-`");
    return cursor_.take_if(']') || cursor_.fail("`+` and a number, or `]`");
}

bool StatementReader::vector(Vector& into) {
    cursor_.take();
    do {
        auto& element = into.elements.emplace_back();
        if (cursor_.peek().is(Kind::word))
            named(std::string(cursor_.take().text), element);
        else if (!constant_or("a register or a number", element.emplace<Immediate>()))
            return false;
    } while (cursor_.take_if(','));
    return cursor_.take_if('}') || cursor_.fail("`,` or `}`");
}

/// A constant, where `wanted` may stand.
bool StatementReader::constant_or(std::string_view wanted, Immediate& into) {
    if (!cursor_.peek().is(Kind::number) && !cursor_.peek().is('-')) return cursor_.fail(wanted);
    return cursor_.immediate(into);
}

} // namespace tmemc::ptx
