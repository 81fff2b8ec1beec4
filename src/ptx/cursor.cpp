// Moves over the tokens of a PTX text, and reports what was expected where it was not found.
#include "ptx/cursor.hpp"

#include "base/near.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

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

bool Cursor::fail_at(const Token& found, std::string_view wanted) {
    diagnostics_.report(catalogue::ptx_syntax, found.span, wanted, "`" + std::string(found.text) + "`");
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

// ---- constants
// ----------------------------------------------------------------------------------------------------------

bool Cursor::at_constant() const {
    return peek().is(Kind::number) || (peek().is(Kind::mark) && peek().text.find_first_of("-+~(") == 0);
}

/// A binary operator, which may be two marks side by side; empty when there is none.
std::string_view Cursor::next_operator() const {
    static constexpr std::string_view known[] = {"<<", ">>", "<=", ">=", "==", "&&", "||", "*",
                                                 "/",  "+",  "-",  "<",  ">",  "&",  "^",  "|"};
    const Token &first = peek(), &second = peek(1);
    if (!first.is(Kind::mark)) return {};
    const bool adjacent = second.is(Kind::mark) && first.span.end == second.span.begin;
    for (const std::string_view each : known) {
        const bool both = each.size() == 2 && adjacent && second.text.front() == each[1];
        if (first.text.front() == each[0] && (each.size() == 1 || both)) return each;
    }
    return {};
}

namespace {

int strength(std::string_view sign) {
    static constexpr std::string_view levels[] = {"||", "&&",        "|",     "^",   "&",
                                                  "==", "< > <= >=", "<< >>", "+ -", "* /"};
    for (int level = 0; level < static_cast<int>(std::size(levels)); ++level) {
        const std::string padded = " " + std::string(levels[level]) + " ";
        if (!sign.empty() && padded.find(" " + std::string(sign) + " ") != std::string::npos)
            return level + 1;
    }
    return 0;
}

/// Of 64-bit integers, signed where it matters; nothing of a division by zero.
std::optional<std::uint64_t> result(std::string_view sign, std::uint64_t a, std::uint64_t b) {
    const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
    constexpr std::uint64_t bits = 64;
    if (sign == "*") return a * b;
    if (sign == "/") {
        if (b == 0) return std::nullopt;
        return y == -1 ? 0 - a : static_cast<std::uint64_t>(x / y);
    }
    if (sign == "+") return a + b;
    if (sign == "-") return a - b;
    if (sign == "<<") return b < bits ? a << b : 0;
    if (sign == ">>") return static_cast<std::uint64_t>(x >> std::min(b, bits - 1));
    if (sign == "<") return x < y ? 1 : 0;
    if (sign == ">") return x > y ? 1 : 0;
    if (sign == "<=") return x <= y ? 1 : 0;
    if (sign == ">=") return x >= y ? 1 : 0;
    if (sign == "==") return a == b ? 1 : 0;
    if (sign == "&&") return a != 0 && b != 0 ? 1 : 0;
    if (sign == "||") return a != 0 || b != 0 ? 1 : 0;
    if (sign == "&") return a & b;
    return sign == "^" ? a ^ b : a | b;
}

} // namespace

bool Cursor::term(Immediate& into) {
    constexpr int deepest = 64;
    const bool negative = peek().is('-'), complement = peek().is('~'), open = peek().is('(');
    if (!negative && !complement && !open && !peek().is('+')) return unsigned_constant(into);
    if (depth_ == deepest) return fail("a constant with at most 64 signs and parentheses inside each other");
    ++depth_;
    take();
    const bool read = open ? binary(into, 1) && expect(')') : term(into);
    --depth_;
    if (!read) return false;
    if (complement && into.form != Immediate::Form::integer) return fail_last("an integer");
    if (complement) into.bits = ~into.bits;
    if (!negative) return true;
    switch (into.form) {
    case Immediate::Form::integer: into.bits = 0 - into.bits; break;
    case Immediate::Form::f32_bits: into.bits ^= 1U << 31; break;
    case Immediate::Form::f64_bits: into.bits ^= std::uint64_t{1} << 63; break;
    }
    return true;
}

bool Cursor::binary(Immediate& into, int least) {
    if (!term(into)) return false;
    while (into.form == Immediate::Form::integer) {
        const std::string_view sign = next_operator();
        const int level = strength(sign);
        if (level < least || level == 0) break;
        for (std::size_t mark = 0; mark < sign.size(); ++mark) take();
        Immediate other;
        if (!binary(other, level + 1)) return false;
        if (other.form != Immediate::Form::integer) return fail_last("an integer");
        const auto value = result(sign, into.bits, other.bits);
        if (!value) return fail_last("a divisor that is not 0");
        into.bits = *value;
    }
    return true;
}

bool Cursor::immediate(Immediate& into) { return binary(into, 1); }

bool Cursor::pad(std::uint64_t count) {
    if (count > padding_left_) return fail("a list without so many zeros ahead of it");
    padding_left_ -= count;
    return true;
}

bool Cursor::integer(Immediate& into) {
    return immediate(into) && (into.form == Immediate::Form::integer || fail_last("an integer"));
}

} // namespace tmemc::ptx
