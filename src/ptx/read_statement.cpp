// Statements of a function's body, by their first token: a label, a directive, or an instruction with its
// operands.
#include "ptx/read_statement.hpp"

#include "ptx/read_declaration.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace tmemc::ptx {
namespace {

using Kind = Token::Kind;

const std::vector<std::string> directives = {
    ".reg",    ".shared", ".global",  ".const",         ".local",       ".param",        ".loc",
    ".pragma", ".extern", ".visible", ".branchtargets", ".calltargets", ".callprototype"};
constexpr std::size_t most_scopes = 64;
constexpr std::size_t most_digits = 10; // of a register's number

} // namespace

// ---- registers
// ---------------------------------------------------------------------------------------------------

bool Registers::declare(const RegisterDeclaration& declared) {
    if (declared.count == 0) return singles_.insert(declared.name).second;
    return ranges_.try_emplace(declared.name, declared.count).second;
}

bool Registers::holds(const std::string& name) const {
    if (singles_.count(name) != 0) return true;
    if (ranges_.empty()) return false;
    std::size_t begin = name.find_last_not_of("0123456789") + 1;
    if (name.size() - begin > most_digits) begin = name.size() - most_digits;
    for (; begin < name.size(); ++begin) {
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

bool StatementReader::is_register(const std::string& name) const {
    return name.front() == '%' || std::any_of(scopes_.rbegin(), scopes_.rend(),
                                              [&](const Registers& scope) { return scope.holds(name); });
}

// ---- statements
// --------------------------------------------------------------------------------------------------

void StatementReader::body(std::vector<ReadStatement>& into) {
    into_ = &into;
    while (!cursor_.at_end()) {
        if (cursor_.peek().is('}')) {
            if (scopes_.size() == 1) return;
            scope_end();
        } else if (!statement()) {
            skip();
        }
    }
}

bool StatementReader::statement() {
    const Token& first = cursor_.peek();
    if (cursor_.take_if(';')) return true; // an empty statement
    if (first.is('{')) return scope_begin();
    if (first.is(Kind::directive)) {
        if (first.text == ".reg") return register_declaration();
        if (first.text == ".loc") return location();
        if (first.text == ".pragma") return pragma();
        if (first.text == ".branchtargets" || first.text == ".calltargets") return targets();
        if (first.text == ".callprototype") return prototype();
        const bool known = std::find(directives.begin(), directives.end(), first.text) != directives.end();
        return known ? variable() : cursor_.unknown_directive("in a function's body", directives);
    }
    if (first.is(Kind::word) && cursor_.peek(1).is(':')) {
        cursor_.take();
        if (!scopes_.back().declare_label(std::string(first.text)))
            return cursor_.fail_last("a label that is new in its scope");
        cursor_.take();
        add(Label{std::string(first.text)}, first);
        return true;
    }
    return instruction();
}

bool StatementReader::scope_begin() {
    const Token& first = cursor_.take();
    scopes_.emplace_back(); // even beyond the limit, for the brace that ends it
    add(ScopeBegin{}, first);
    return scopes_.size() != most_scopes + 2 || cursor_.fail("at most 64 braces inside each other");
}

void StatementReader::scope_end() {
    const Token& first = cursor_.take();
    scopes_.pop_back();
    add(ScopeEnd{}, first);
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
        const Token name = cursor_.last();
        if (cursor_.take_if('<') && (!cursor_.number(declared.count) || !cursor_.expect('>'))) return false;
        if (!scopes_.back().declare(declared))
            return cursor_.fail_at(name, "a name that is new in its scope");
        add(std::move(declared), first);
    } while (cursor_.take_if(','));
    return cursor_.expect(';');
}

bool StatementReader::variable() {
    const Token& first = cursor_.peek();
    Variable declared;
    declared.linkage = take_linkage(cursor_);
    if (!read_variable(cursor_, declared)) return false;
    add(std::move(declared), first);
    return cursor_.expect(';');
}

bool StatementReader::location() {
    const Token& first = cursor_.take();
    Location location;
    if (!cursor_.number(location.file) || !cursor_.number(location.line) || !cursor_.number(location.column))
        return false;
    if (cursor_.take_if(',') && !inlined(location.inlined.emplace(Location::Inlined{{}, 0, 0, 0, 0})))
        return false;
    add(location, first);
    return true;
}

/// function_name symbol+offset, inlined_at file line column
bool StatementReader::inlined(Location::Inlined& into) {
    std::string word;
    if (!cursor_.name(word, "`function_name`") || !cursor_.name(into.function, "a label of a section"))
        return false;
    Immediate offset;
    if (cursor_.take_if('+') && !cursor_.integer(offset)) return false;
    into.offset = static_cast<std::int64_t>(offset.bits);
    return cursor_.expect(',') && cursor_.name(word, "`inlined_at`") && cursor_.number(into.file) &&
           cursor_.number(into.line) && cursor_.number(into.column);
}

bool read_pragmas(Cursor& cursor, std::vector<Pragma>& into) {
    cursor.take();
    do
        if (!cursor.string(into.emplace_back().text, "a string")) return false;
    while (cursor.take_if(','));
    return cursor.expect(';');
}

bool StatementReader::pragma() {
    const Token& first = cursor_.peek();
    std::vector<Pragma> list;
    if (!read_pragmas(cursor_, list)) return false;
    for (Pragma& each : list) add(std::move(each), first);
    return true;
}

bool StatementReader::targets() {
    const Token& first = cursor_.take();
    Targets list{first.text == ".calltargets", {}};
    do
        if (!cursor_.name(list.names.emplace_back(), "a name")) return false;
    while (cursor_.take_if(','));
    add(std::move(list), first);
    return cursor_.expect(';');
}

bool StatementReader::prototype() {
    const Token& first = cursor_.take();
    Prototype read;
    std::string name;
    if (cursor_.peek().is('(') && !read_parameters(cursor_, read.results)) return false;
    if (!cursor_.name(name, "`_`")) return false;
    if (cursor_.peek().is('(') && !read_parameters(cursor_, read.parameters)) return false;
    read.no_return = cursor_.take_if(".noreturn");
    add(std::move(read), first);
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
    calling_ = read.name.substr(0, 4) == "call";
    bool more = !cursor_.peek().is(';');
    while (more) {
        if (!operand(read.operands.emplace_back())) return false;
        more = cursor_.take_if(',');
    }
    if (!cursor_.peek().is(';')) return cursor_.fail("`,` or `;`");
    add(std::move(read), first);
    return cursor_.expect(';');
}

} // namespace tmemc::ptx
