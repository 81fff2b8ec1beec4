// Moves over the tokens of a PTX text, and reports what was expected where it was not found.
#include "ptx/cursor.hpp"

#include "base/near.hpp"

#include <algorithm>
#include <limits>

namespace tmemc::ptx {

using Kind = Token::Kind;
namespace catalogue = base::catalogue;

const Token& Cursor::peek(std::size_t ahead) const {
    return list_[std::min(place_ + ahead, list_.size() - 1)];
}

const Token& Cursor::take() {
    const Token& token = peek();
    if (place_ + 1 < list_.size()) ++place_;
    return token;
}

bool Cursor::take_if(char mark) {
    if (!peek().is(mark)) return false;
    take();
    return true;
}

bool Cursor::take_if(std::string_view directive) {
    if (!peek().is(Kind::directive) || peek().text != directive) return false;
    take();
    return true;
}

bool Cursor::fail(std::string_view wanted, std::string help) {
    const Token& found = peek();
    const std::string what = at_end() ? "the end of the text" : "`" + std::string(found.text) + "`";
    base::Diagnostic& diagnostic = diagnostics_.report(catalogue::ptx_syntax, found.span, wanted, what);
    if (!help.empty()) diagnostic.help(std::move(help));
    return false;
}

bool Cursor::fail_last(std::string_view wanted) {
    diagnostics_.report(catalogue::ptx_syntax, last().span, wanted, "`" + std::string(last().text) + "`");
    return false;
}

bool Cursor::unknown_directive(std::string_view where, const std::vector<std::string>& known) {
    const Token& found = peek();
    base::Diagnostic& diagnostic =
        diagnostics_.report(catalogue::ptx_unknown_directive, found.span, found.text, where);
    if (const std::string near = base::nearest(found.text, known); !near.empty())
        diagnostic.help("did you mean `" + near + "`?");
    return false;
}

bool Cursor::expect(char mark) { return take_if(mark) || fail(std::string{'`', mark, '`'}); }

bool Cursor::expect(std::string_view directive) {
    return take_if(directive) || fail("`" + std::string(directive) + "`");
}

bool Cursor::name(std::string& into, std::string_view what) {
    if (!peek().is(Kind::word)) return fail(what);
    into = take().text;
    return true;
}

bool Cursor::string(std::string& into, std::string_view what) {
    if (!peek().is(Kind::string)) return fail(what);
    into = take().text;
    return true;
}

bool Cursor::type(std::string& into) {
    if (!peek().is(Kind::directive)) return fail("a type such as `.b32`");
    into = take().text.substr(1);
    return true;
}

bool Cursor::unsigned_constant(Immediate& into) {
    if (!peek().is(Kind::number)) return fail("a number");
    const Token& token = take();
    const std::optional<Immediate> value = constant(token.text);
    if (!value) {
        diagnostics_.report(catalogue::ptx_bad_constant, token.span, token.text);
        return false;
    }
    into = *value;
    return true;
}

bool Cursor::number(std::uint64_t& into, std::uint64_t limit) {
    const Token& token = peek();
    Immediate value;
    if (!unsigned_constant(value)) return false;
    if (value.form != Immediate::Form::integer) return fail_last("an integer");
    into = value.bits;
    if (into <= limit) return true;
    diagnostics_.report(catalogue::ptx_out_of_range, token.span, token.text, limit);
    return false;
}

bool Cursor::number(std::uint32_t& into) {
    std::uint64_t wide = 0;
    if (!number(wide, std::numeric_limits<std::uint32_t>::max())) return false;
    into = static_cast<std::uint32_t>(wide);
    return true;
}

bool Cursor::immediate(Immediate& into) {
    const bool negative = take_if('-');
    if (!unsigned_constant(into)) return false;
    if (!negative) return true;
    switch (into.form) {
    case Immediate::Form::integer: into.bits = 0 - into.bits; break;
    case Immediate::Form::f32_bits: into.bits ^= 1U << 31; break;
    case Immediate::Form::f64_bits: into.bits ^= std::uint64_t{1} << 63; break;
    }
    return true;
}

bool Cursor::integer(Immediate& into) {
    return immediate(into) && (into.form == Immediate::Form::integer || fail_last("an integer"));
}

} // namespace tmemc::ptx
