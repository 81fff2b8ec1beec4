// The tokenizer: one pass over the bytes, a token per turn.
#include "ptx/tokens.hpp"

#include <bit>
#include <charconv>
#include <string>

namespace tmemc::ptx {
namespace {

using base::catalogue::ptx_open_end;
using base::catalogue::ptx_syntax;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool follows(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }
bool opens_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }

class Tokenizer {
  public:
    Tokenizer(const base::Source& source, base::Diagnostics& diagnostics)
        : text_(source.text()), diagnostics_(diagnostics) {}

    std::vector<Token> all() {
        std::vector<Token> list;
        list.reserve(text_.size() / 4);
        while (list.empty() || !list.back().is(Token::Kind::end))
            if (const std::optional<Token> token = next()) list.push_back(*token);
        return list;
    }

  private:
    [[nodiscard]] char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }
    [[nodiscard]] Token token(Token::Kind kind, std::size_t begin) const {
        return {kind,
                text_.substr(begin, place_ - begin),
                {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(place_)}};
    }

    std::optional<Token> next();
    void skip_blanks();
    void take_word();
    void take_number();
    Token string(std::size_t begin);

    std::string_view text_;
    base::Diagnostics& diagnostics_;
    std::size_t place_ = 0;
};

void Tokenizer::skip_blanks() {
    while (place_ < text_.size()) {
        const char c = text_[place_];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++place_;
        } else if (c == '/' && at(place_ + 1) == '/') {
            place_ = std::min(text_.find('\n', place_), text_.size());
        } else if (c == '/' && at(place_ + 1) == '*') {
            const std::size_t begin = place_, close = text_.find("*/", place_ + 2);
            place_ = close == std::string_view::npos ? text_.size() : close + 2;
            if (close == std::string_view::npos)
                diagnostics_.report(ptx_open_end, token(Token::Kind::mark, begin).span, "comment", "*/");
        } else {
            return;
        }
    }
}

/// A name and whatever hangs on it by dots and double colons.
void Tokenizer::take_word() {
    ++place_;
    while (true) {
        const bool dotted = at(place_) == '.', scoped = at(place_) == ':' && at(place_ + 1) == ':';
        const std::size_t joint = dotted ? 1 : scoped ? 2 : 0;
        if (!follows(at(place_ + joint))) return;
        place_ += joint + 1;
    }
}

/// The rest of a number whose first digit is taken.
void Tokenizer::take_number() {
    const bool radix = at(place_ - 1) == '0' && is_letter(at(place_)); // 0x1E+2 has no exponent
    const auto goes_on = [&] {
        const char before = at(place_ - 1), here = at(place_);
        const bool exponent = !radix && (before == 'e' || before == 'E') && (here == '-' || here == '+');
        return follows(here) || exponent || (here == '.' && is_digit(at(place_ + 1)));
    };
    while (goes_on()) ++place_;
}

Token Tokenizer::string(std::size_t begin) {
    const std::size_t stop = std::min(text_.find_first_of("\"\n", begin + 1), text_.size());
    const bool closed = at(stop) == '"';
    place_ = closed ? stop + 1 : stop;
    if (!closed && text_[place_ - 1] == ';') --place_; // what ends the statement is no part of the string
    Token whole = token(Token::Kind::string, begin);
    if (!closed) diagnostics_.report(ptx_open_end, whole.span, "string", "\"");
    whole.text = text_.substr(begin + 1, stop - begin - 1);
    return whole;
}

/// The next token; nothing of a character that is no PTX, which is reported.
std::optional<Token> Tokenizer::next() {
    skip_blanks();
    const std::size_t begin = place_;
    const char c = at(place_);
    if (place_ == text_.size()) return token(Token::Kind::end, begin);
    if (opens_word(c)) {
        take_word();
        return token(Token::Kind::word, begin);
    }
    if (is_digit(c)) {
        ++place_;
        take_number();
        return token(Token::Kind::number, begin);
    }
    ++place_;
    if (c == '"') return string(begin);
    if (c == '.' && is_letter(at(place_))) {
        while (follows(at(place_))) ++place_;
        return token(Token::Kind::directive, begin);
    }
    if (std::string_view("@!{}[](),;:+-<>=|*/&^~?").find(c) != std::string_view::npos)
        return token(Token::Kind::mark, begin);
    while ((at(place_) & 0xC0) == 0x80) ++place_; // the rest of one UTF-8 character
    const Token unknown = token(Token::Kind::mark, begin);
    diagnostics_.report(ptx_syntax, unknown.span, "PTX", "`" + std::string(unknown.text) + "`");
    return std::nullopt;
}

std::optional<std::uint64_t> integer(std::string_view digits, int base) {
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

} // namespace

std::vector<Token> tokens(const base::Source& source, base::Diagnostics& diagnostics) {
    return Tokenizer(source, diagnostics).all();
}

std::optional<Immediate> constant(std::string_view number) {
    const char radix = number.size() > 1 && number[0] == '0' ? number[1] : '\0';
    const std::string_view tail = number.substr(std::min<std::size_t>(2, number.size()));
    using Form = Immediate::Form;
    if (radix == 'f' || radix == 'F' || radix == 'd' || radix == 'D') {
        const bool single = radix == 'f' || radix == 'F';
        if (tail.size() != (single ? 8U : 16U)) return std::nullopt;
        const std::optional<std::uint64_t> bits = integer(tail, 16);
        if (!bits) return std::nullopt;
        return Immediate{*bits, single ? Form::f32_bits : Form::f64_bits};
    }
    const bool hexadecimal = radix == 'x' || radix == 'X';
    if (!hexadecimal && number.find_first_of(".eE") != std::string_view::npos) {
        double value = 0;
        const char* const end = number.data() + number.size();
        const auto [stop, error] = std::from_chars(number.data(), end, value);
        if (error != std::errc{} || stop != end) return std::nullopt;
        return Immediate{std::bit_cast<std::uint64_t>(value), Form::f64_bits};
    }
    std::string_view digits = number;
    if (digits.back() == 'U') digits.remove_suffix(1);
    std::optional<std::uint64_t> bits;
    if (hexadecimal)
        bits = integer(digits.substr(2), 16);
    else if (radix == 'b' || radix == 'B')
        bits = integer(digits.substr(2), 2);
    else
        bits = integer(digits, digits.size() > 1 && digits[0] == '0' ? 8 : 10);
    if (!bits) return std::nullopt;
    return Immediate{*bits, Form::integer};
}

} // namespace tmemc::ptx
