// One walk over the lexemes. Blanks and line breaks only move the line's state; comments and blank lines go
// to the trivia; the rest become tokens. Spirit's rules are next_lexeme's (lexical.hpp).
#include "grammar/scan.hpp"

#include "base/display.hpp"
#include "base/invariant.hpp"
#include "base/utf8.hpp"
#include "grammar/hints.hpp"
#include "grammar/lexical.hpp"
#include "grammar/limits.hpp"

namespace tmemc::grammar {

namespace {

using base::Span;
namespace catalogue = base::catalogue;

class Scanner {
  public:
    Scanner(std::string_view text, base::Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {}

    Scan run() {
        constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
        const char* next = text_.data() + (text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
        const char* const last = text_.data() + text_.size();
        line_begin_ = offset(next);
        while (next != last && diagnostics_.list.size() < most_errors) {
            const char* const begin = next;
            const Lexeme lexeme = next_lexeme(next, last);
            if (lexeme == Lexeme::stray) next = end_of_stray(begin, last);
            take(lexeme, {offset(begin), offset(next)});
        }
        add({offset(last), offset(last)}, Token::Kind::end).reported = comment_open_;
        return std::move(scan_);
    }

  private:
    [[nodiscard]] std::uint32_t offset(const char* place) const {
        return static_cast<std::uint32_t>(place - text_.data());
    }
    [[nodiscard]] std::string_view text(Span span) const {
        return text_.substr(span.begin, span.end - span.begin);
    }

    void take(Lexeme lexeme, Span span) {
        using Kind = Token::Kind;
        switch (lexeme) {
        case Lexeme::blank: return;
        case Lexeme::line_break: return end_line(span);
        case Lexeme::line_comment: return comment(span, TriviaItem::Kind::line_comment);
        case Lexeme::block_comment: return comment(span, TriviaItem::Kind::block_comment);
        case Lexeme::open_comment:
            diagnostics_.report(catalogue::unclosed_comment, {span.begin, span.begin + 2})
                .help("comments do not nest: the first end closes them all");
            comment_open_ = true;
            return comment(span, TriviaItem::Kind::block_comment);
        case Lexeme::word: add(span, Kind::word).keyword = is_keyword(text(span)); return;
        case Lexeme::atom: add(span, Kind::atom); return;
        case Lexeme::floating: add(span, Kind::floating); return;
        case Lexeme::integer: add(span, Kind::integer); return;
        case Lexeme::symbol: add(span, Kind::symbol); return;
        case Lexeme::malformed:
            help_with_number(diagnostics_.report(catalogue::malformed_number, span, text(span)), text(span),
                             !scan_.tokens.empty() && scan_.tokens.back().is("atom"));
            add(span, Kind::integer).reported = true;
            return;
        case Lexeme::string:
            check_escapes(span);
            add(span, Kind::string);
            return;
        case Lexeme::open_string:
            diagnostics_.report(catalogue::unclosed_string, {span.begin, span.begin + 1})
                .help("close it with `\"` on the same line");
            add(span, Kind::string).reported = true;
            return;
        case Lexeme::comment_end:
            diagnostics_.report(catalogue::unknown_character, span, text(span))
                .help("no `/*` is open here; comments do not nest");
            add(span, Kind::unknown).reported = true;
            return;
        case Lexeme::stray: return stray(span);
        }
        base::invariant(false, "every lexeme is taken");
    }

    Token& add(Span span, Token::Kind kind) {
        Token token;
        token.text = text(span);
        token.begin = span.begin;
        token.column = span.begin - line_begin_;
        token.kind = kind;
        token.first_on_line = fresh_line_;
        fresh_line_ = false;
        line_is_blank_ = false;
        return scan_.tokens.emplace_back(token);
    }

    void comment(Span span, TriviaItem::Kind kind) {
        scan_.trivia.push_back({kind, span, line_is_blank_});
        line_is_blank_ = false;
        if (text(span).find('\n') != std::string_view::npos) fresh_line_ = true;
    }

    void end_line(Span line_break) {
        if (line_is_blank_) scan_.trivia.push_back({TriviaItem::Kind::blank_line, line_break, true});
        line_begin_ = line_break.end;
        line_is_blank_ = true;
        fresh_line_ = true;
    }

    void check_escapes(Span span) {
        for (std::uint32_t i = span.begin + 1; i + 1 < span.end; ++i) {
            if (text_[i] != '\\') continue;
            ++i;
            if (text_[i] == '"' || text_[i] == '\\') continue;
            const auto bytes = base::first_code_point(text_.substr(i)).bytes;
            const Span escape{i - 1, i + static_cast<std::uint32_t>(bytes)};
            diagnostics_.report(catalogue::unknown_escape, escape, base::printable(text(escape)))
                .help("a string knows `\\\"` and `\\\\`");
        }
    }

    // One token for a run of characters that begin none, `&&` or a word of another alphabet: one mistake.
    static const char* end_of_stray(const char* next, const char* last) {
        const auto is_stray = [last](const char* peek) {
            return peek != last && next_lexeme(peek, last) == Lexeme::stray;
        };
        do next += base::first_code_point({next, static_cast<std::size_t>(last - next)}).bytes;
        while (is_stray(next));
        return next;
    }

    void stray(Span span) {
        const base::CodePoint first = base::first_code_point(text(span));
        if (first.valid && first.value != 0)
            help_with_character(
                diagnostics_.report(catalogue::unknown_character, span, base::printable(text(span))),
                text_.substr(span.begin));
        add(span, Token::Kind::unknown).reported = true;
    }

    std::string_view text_;
    base::Diagnostics& diagnostics_;
    Scan scan_;
    std::uint32_t line_begin_ = 0;
    bool line_is_blank_ = true; // no token and no comment on this line so far
    bool fresh_line_ = true;    // no token since the last line break
    bool comment_open_ = false;
};

} // namespace

Scan scan(const base::Source& source, base::Diagnostics& diagnostics) {
    return Scanner(source.text(), diagnostics).run();
}

} // namespace tmemc::grammar
