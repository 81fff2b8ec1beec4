// The reader: a method per construct, each of which either stands behind what it read or reports and gives up its
// statement. Registers are told from symbols by their declarations, which PTX puts before their use:
//
//     .reg .b32 r<4>;   mov.u32 r3, s;     r3 is a register of the range, s a symbol
//
// Not here: bytes to tokens (tokens.hpp).
#include "ptx/read.hpp"

#include "base/near.hpp"
#include "ptx/tokens.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace tmemc::ptx {
namespace {

using Kind = Token::Kind;
namespace catalogue = base::catalogue;

const std::vector<std::string> module_directives = {".version", ".target", ".address_size", ".visible", ".entry",
                                                    ".func",    ".shared", ".global",       ".const"};
const std::vector<std::string> head_directives = {".reqntid", ".maxnreg"};
const std::vector<std::string> body_directives = {".reg", ".shared", ".global", ".const", ".loc", ".pragma"};

bool among(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The registers of a function: single names, and ranges by their prefix.
class Registers {
  public:
    void declare(const RegisterDeclaration& declared) {
        if (declared.count == 0) singles_.insert(declared.name);
        else ranges_[declared.name] = std::max(ranges_[declared.name], declared.count);
    }
    [[nodiscard]] bool holds(const std::string& name) const {
        if (name.front() == '%' || singles_.count(name) != 0) return true;
        // `r12` may be number 12 of r<...> or number 2 of r1<...>.
        for (std::size_t begin = name.find_last_not_of("0123456789") + 1; begin < name.size(); ++begin) {
            const auto range = ranges_.find(name.substr(0, begin));
            std::uint32_t number = 0;
            const char* const end = name.data() + name.size();
            if (range == ranges_.end() || std::from_chars(name.data() + begin, end, number).ec != std::errc{}) continue;
            if (number < range->second && name.substr(begin) == std::to_string(number)) return true;
        }
        return false;
    }

  private:
    std::set<std::string> singles_;
    std::map<std::string, std::uint32_t> ranges_;
};

class Reader {
  public:
    explicit Reader(const base::Source& source) : source_(source), list_(tokens(source, result_.diagnostics)) {}
    ReadResult all();

  private:
    // Tokens.
    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
        return list_[std::min(place_ + ahead, list_.size() - 1)];
    }
    const Token& take() {
        const Token& token = peek();
        if (place_ + 1 < list_.size()) ++place_;
        return token;
    }
    bool take_if(char mark) { return peek().is(mark) && (take(), true); }
    bool take_if(std::string_view directive) {
        return peek().is(Kind::directive) && peek().text == directive && (take(), true);
    }
    bool fail(std::string_view wanted);
    bool unknown_directive(std::string_view where, const std::vector<std::string>& known);
    bool expect(char mark) { return take_if(mark) || fail(std::string{'`', mark, '`'}); }
    bool expect(std::string_view directive) {
        return take_if(directive) || fail("`" + std::string(directive) + "`");
    }
    bool name(std::string& into, std::string_view what);
    bool type(std::string& into);
    bool number(std::uint64_t& into, std::uint64_t limit);
    bool number(std::uint32_t& into);

    // Module and function level.
    bool header();
    bool version();
    bool item();
    bool variable(Variable& into);
    bool function();
    bool parameters(Function& into);
    bool head(Function& into);
    bool body(Function& into);

    // Statements.
    bool statement(Function& into);
    void add(Function& into, Statement statement, const Token& first);
    bool register_declaration(Function& into);
    bool location(Function& into);
    bool instruction(Function& into);
    bool operand(Operand& into);
    bool address(Address& into);
    bool vector(Vector& into);
    bool immediate(Immediate& into);
    void skip_statement();
    void skip_item();

    template <class Into>
    void named(std::string text, Into& into) const;

    const base::Source& source_;
    ReadResult result_;
    std::vector<Token> list_;
    std::size_t place_ = 0;
    Registers registers_;
};

// ---- tokens ------------------------------------------------------------------------------------------------------

bool Reader::fail(std::string_view wanted) {
    const Token& found = peek();
    result_.diagnostics.report(catalogue::ptx_syntax, found.span, wanted,
                               found.is(Kind::end) ? "the end of the text" : "`" + std::string(found.text) + "`");
    return false;
}

bool Reader::unknown_directive(std::string_view where, const std::vector<std::string>& known) {
    const Token& found = peek();
    base::Diagnostic& diagnostic =
        result_.diagnostics.report(catalogue::ptx_unknown_directive, found.span, found.text, where);
    if (const std::string near = base::nearest(found.text, known); !near.empty())
        diagnostic.help("did you mean `" + near + "`?");
    return false;
}

bool Reader::name(std::string& into, std::string_view what) {
    if (!peek().is(Kind::word)) return fail(what);
    into = take().text;
    return true;
}

bool Reader::type(std::string& into) {
    if (!peek().is(Kind::directive)) return fail("a type such as `.b32`");
    into = take().text.substr(1);
    return true;
}

bool Reader::number(std::uint64_t& into, std::uint64_t limit) {
    if (!peek().is(Kind::number)) return fail("a number");
    const Token& token = take();
    const std::optional<Immediate> value = constant(token.text);
    if (!value || value->form != Immediate::Form::integer) {
        result_.diagnostics.report(catalogue::ptx_bad_constant, token.span, token.text);
        return false;
    }
    into = value->bits;
    if (into <= limit) return true;
    result_.diagnostics.report(catalogue::ptx_out_of_range, token.span, token.text, limit);
    return false;
}

bool Reader::number(std::uint32_t& into) {
    std::uint64_t wide = 0;
    if (!number(wide, std::numeric_limits<std::uint32_t>::max())) return false;
    into = static_cast<std::uint32_t>(wide);
    return true;
}

// ---- module level ------------------------------------------------------------------------------------------------

ReadResult Reader::all() {
    if (!header()) skip_item();
    while (!peek().is(Kind::end))
        if (!item()) skip_item();
    return std::move(result_);
}

bool Reader::header() {
    if (!expect(".version") || !version()) return false;
    if (!expect(".target") || !name(result_.module.target, "a target such as `sm_100a`")) return false;
    if (!take_if(".address_size")) return true;
    if (peek().text != "64") return fail("`64`, the address size of every target here");
    take();
    return true;
}

bool Reader::version() {
    const std::string_view text = peek().text;
    const std::size_t dot = text.find('.');
    const char* const end = text.data() + text.size();
    Version& into = result_.module.version;
    if (!peek().is(Kind::number) || dot == std::string_view::npos ||
        std::from_chars(text.data(), end, into.major).ptr != text.data() + dot ||
        std::from_chars(text.data() + dot + 1, end, into.minor).ptr != end)
        return fail("a version such as `8.6`");
    take();
    return true;
}

bool Reader::item() {
    const std::string_view text = peek().text;
    if (!peek().is(Kind::directive)) return fail("a directive of the module");
    if (text == ".visible" || text == ".entry" || text == ".func") return function();
    if (text == ".shared" || text == ".global" || text == ".const") {
        Variable declared;
        if (!variable(declared) || !expect(';')) return false;
        result_.module.variables.push_back(std::move(declared));
        return true;
    }
    return unknown_directive("at this place of a module", module_directives);
}

/// Goes on at the next function.
void Reader::skip_item() {
    static constexpr std::string_view openers[] = {".visible", ".entry", ".func"};
    do take();
    while (!peek().is(Kind::end) && std::find(std::begin(openers), std::end(openers), peek().text) == std::end(openers));
}

bool Reader::variable(Variable& into) {
    into.space = take().text.substr(1);
    if (take_if(".align") && !number(into.align)) return false;
    if (!type(into.type) || !name(into.name, "the variable's name")) return false;
    if (!take_if('[')) return true;
    return number(into.count.emplace(), std::numeric_limits<std::uint32_t>::max()) && expect(']');
}

bool Reader::function() {
    Function into;
    into.visible = take_if(".visible");
    into.entry = peek().text == ".entry";
    if (!take_if(".entry") && !take_if(".func")) return fail("`.entry` or `.func`");
    registers_ = {};
    if (!name(into.name, "the function's name") || !parameters(into) || !head(into) || !expect('{')) return false;
    result_.lines.emplace_back();
    result_.spans.emplace_back();
    const bool whole = body(into);
    result_.module.functions.push_back(std::move(into));
    return whole;
}

bool Reader::parameters(Function& into) {
    if (!take_if('(') || take_if(')')) return true;
    do {
        Parameter& parameter = into.parameters.emplace_back();
        if (!expect(".param") || (take_if(".align") && !number(parameter.align)) || !type(parameter.type) ||
            !name(parameter.name, "the parameter's name"))
            return false;
        if (take_if('[') &&
            (!number(parameter.count.emplace(), std::numeric_limits<std::uint32_t>::max()) || !expect(']')))
            return false;
    } while (take_if(','));
    return expect(')');
}

bool Reader::head(Function& into) {
    while (peek().is(Kind::directive)) {
        if (take_if(".reqntid")) {
            std::array<std::uint32_t, 3>& threads = into.required_threads.emplace(std::array<std::uint32_t, 3>{1, 1, 1});
            std::size_t axis = 0;
            do
                if (!number(threads[axis])) return false;
            while (++axis < threads.size() && take_if(','));
        } else if (take_if(".maxnreg")) {
            if (!number(into.max_registers.emplace())) return false;
        } else {
            return unknown_directive("before a function's body", head_directives);
        }
    }
    return true;
}

bool Reader::body(Function& into) {
    while (!take_if('}')) {
        if (peek().is(Kind::end)) return fail("`}`");
        if (!statement(into)) skip_statement();
    }
    return true;
}

// ---- statements --------------------------------------------------------------------------------------------------

bool Reader::statement(Function& into) {
    const Token& first = peek();
    if (first.is(Kind::directive)) {
        if (first.text == ".reg") return register_declaration(into);
        if (first.text == ".loc") return location(into);
        if (take_if(".pragma")) {
            if (!peek().is(Kind::string)) return fail("a string");
            add(into, Pragma{std::string(take().text)}, first);
            return expect(';');
        }
        if (!among(body_directives, first.text)) return unknown_directive("in a function's body", body_directives);
        Variable declared;
        if (!variable(declared)) return false;
        add(into, std::move(declared), first);
        return expect(';');
    }
    if (first.is(Kind::word) && peek(1).is(':')) {
        take();
        take();
        add(into, Label{std::string(first.text)}, first);
        return true;
    }
    return instruction(into);
}

void Reader::add(Function& into, Statement statement, const Token& first) {
    const Token& last = list_[place_ == 0 ? 0 : place_ - 1];
    into.body.push_back(std::move(statement));
    result_.lines.back().push_back(source_.position(first.span.begin).line);
    result_.spans.back().push_back(base::join(first.span, last.span));
}

/// Goes on behind the next semicolon, or at the brace that ends the body: one that no list goes on behind.
void Reader::skip_statement() {
    while (!peek().is(Kind::end) && !take_if(';')) {
        if (peek().is('}') && !peek(1).is(',') && !peek(1).is(';')) return;
        take();
    }
}

bool Reader::register_declaration(Function& into) {
    const Token& first = take();
    std::string type_name;
    if (!type(type_name)) return false;
    do {
        RegisterDeclaration declared{type_name, {}, 0};
        if (!name(declared.name, "a register's name")) return false;
        if (take_if('<') && (!number(declared.count) || !expect('>'))) return false;
        registers_.declare(declared);
        add(into, std::move(declared), first);
    } while (take_if(','));
    return expect(';');
}

bool Reader::location(Function& into) {
    const Token& first = take();
    Location location;
    if (!number(location.file) || !number(location.line) || !number(location.column)) return false;
    add(into, location, first);
    return true;
}

bool Reader::instruction(Function& into) {
    const Token& first = peek();
    Instruction read;
    if (take_if('@')) {
        Guard& guard = read.guard.emplace();
        guard.negated = take_if('!');
        if (!name(guard.predicate, "a predicate")) return false;
    }
    if (!name(read.name, "an instruction")) return false;
    if (!peek().is(';')) do
            if (!operand(read.operands.emplace_back())) return false;
        while (take_if(','));
    if (!peek().is(';')) return fail("`,` or `;`");
    add(into, std::move(read), first);
    return expect(';');
}

/// A register, a symbol or the sink by its name.
template <class Into>
void Reader::named(std::string text, Into& into) const {
    if (text == "_") into = Sink{};
    else if (registers_.holds(text)) into = Register{std::move(text)};
    else into = Symbol{std::move(text)};
}

bool Reader::operand(Operand& into) {
    const Token& first = peek();
    if (first.is(Kind::word)) {
        named(std::string(take().text), into);
        return true;
    }
    if (first.is('[')) return address(into.emplace<Address>());
    if (first.is('{')) return vector(into.emplace<Vector>());
    if (first.is(Kind::number) || first.is('-')) return immediate(into.emplace<Immediate>());
    return fail("an operand");
}

bool Reader::immediate(Immediate& into) {
    const bool negative = take_if('-');
    if (!peek().is(Kind::number)) return fail("a number");
    const Token& token = take();
    const std::optional<Immediate> value = constant(token.text);
    if (!value) {
        result_.diagnostics.report(catalogue::ptx_bad_constant, token.span, token.text);
        return false;
    }
    into = *value;
    if (negative && into.form == Immediate::Form::integer) into.bits = 0 - into.bits;
    if (negative && into.form == Immediate::Form::f32_bits) into.bits ^= 1U << 31;
    if (negative && into.form == Immediate::Form::f64_bits) into.bits ^= std::uint64_t{1} << 63;
    return true;
}

bool Reader::address(Address& into) {
    take();
    if (peek().is(Kind::word)) {
        std::string text(take().text);
        if (registers_.holds(text)) into.base = Register{std::move(text)};
        else into.base = Symbol{std::move(text)};
    } else if (!immediate(into.base.emplace<Immediate>())) {
        return false;
    }
    if (take_if('+')) {
        Immediate offset;
        if (!immediate(offset)) return false;
        into.offset = static_cast<std::int64_t>(offset.bits);
    }
    return take_if(']') || fail("`+` and a number, or `]`");
}

bool Reader::vector(Vector& into) {
    take();
    do {
        auto& element = into.elements.emplace_back();
        if (peek().is(Kind::word)) named(std::string(take().text), element);
        else if (!immediate(element.emplace<Immediate>())) return false;
    } while (take_if(','));
    return expect('}');
}

} // namespace

ReadResult read(const base::Source& source) { return Reader(source).all(); }

} // namespace tmemc::ptx
