// Tokens to statements, comments to their places. Between two tokens of one line a comment is one more piece
// of the statement. Between two statements it depends on the lines of the source:
//
//     wait ld;  // behind a statement: trailing
//     // on a line of its own: a statement of comments
//     /* before a statement, on its line: its first piece */ wait st;
//
// A line comment, and a block comment with a line break in it, ends its line wherever it stands.
#include "grammar/format_steps.hpp"

#include <optional>
#include <utility>

namespace tmemc::grammar {

namespace {

constexpr std::string_view blanks = " \t\v\f\r";

/// A comment with LF line ends and without blanks before them.
std::string trimmed(std::string_view text) {
    std::string result;
    while (true) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        result += line.substr(0, line.find_last_not_of(blanks) + 1);
        if (end == std::string_view::npos) return result;
        result += '\n';
        text.remove_prefix(end + 1);
    }
}

struct Comment {
    Piece piece;
    bool joined = false; // what follows begins on the line on which this ends
};

/// What stands in one gap: comments, and nothing for a blank line.
using Between = std::vector<std::optional<Comment>>;

bool one_of(const Token& token, std::initializer_list<std::string_view> spellings) {
    for (const std::string_view spelling : spellings)
        if (token.is(spelling)) return true;
    return false;
}

class Writer {
  public:
    Writer(std::string_view text, const std::vector<Token>& tokens, const std::vector<Gap>& gaps,
           const Trivia& trivia)
        : text_(text), tokens_(tokens), gaps_(gaps), trivia_(trivia) {}

    std::vector<Statement> run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token* before = i == 0 ? nullptr : &tokens_[i - 1];
            const Between between = read_gap(tokens_[i]);
            if (gaps_[i] == Gap::line || (is_empty_block(before, tokens_[i]) && breaks(between)))
                new_statement(before, between, tokens_[i]);
            else
                go_on(i, between);
            add(tokens_[i]);
        }
        statements_.pop_back(); // that of the end
        return std::move(statements_);
    }

  private:
    Between read_gap(const Token& token) {
        Between between;
        for (; next_ < trivia_.size() && trivia_[next_].span.begin < token.begin; ++next_) {
            const TriviaItem& item = trivia_[next_];
            if (item.kind == TriviaItem::Kind::blank_line) {
                between.emplace_back();
                continue;
            }
            const bool last = next_ + 1 == trivia_.size() || trivia_[next_ + 1].span.begin > token.begin;
            const std::uint32_t follower = last ? token.begin : trivia_[next_ + 1].span.begin;
            Comment comment;
            comment.piece.text = trimmed(text_.substr(item.span.begin, item.span.end - item.span.begin));
            comment.piece.ends_line = item.kind == TriviaItem::Kind::line_comment ||
                                      comment.piece.text.find('\n') != std::string::npos;
            comment.piece.own_line = item.own_line;
            const std::string_view behind = text_.substr(item.span.end, follower - item.span.end);
            comment.joined = !comment.piece.ends_line && behind.find('\n') == std::string_view::npos;
            between.emplace_back(std::move(comment));
        }
        return between;
    }

    static bool is_empty_block(const Token* before, const Token& token) {
        return before != nullptr && before->is("{") && token.is("}");
    }
    /// A block of nothing, or of nothing but `/* comments */`, stays on one line if it is.
    static bool breaks(const Between& between) {
        bool broken = false, comments = false;
        for (const std::optional<Comment>& each : between) {
            broken |= !each || !each->joined || each->piece.own_line;
            comments |= each.has_value();
        }
        return broken && comments;
    }

    // Between two statements.

    void new_statement(const Token* before, const Between& between, const Token& token) {
        const bool ends_block = token.is("}") || token.kind == Token::Kind::end;
        bool behind_statement = before != nullptr;         // on the line on which that ends
        bool first = before == nullptr || before->is("{"); // in its block: no blank line stands before it
        bool blank_line = false;
        std::string group; // the comments of one line
        const auto flush = [&] {
            if (!group.empty()) {
                if (!behind_statement) {
                    open(blank_line && !first);
                    blank_line = first = false;
                }
                Piece piece;
                piece.text = std::exchange(group, {});
                piece.trailing = behind_statement;
                piece.own_line = !behind_statement;
                statements_.back().pieces.push_back(std::move(piece));
            }
            behind_statement = false;
        };
        for (const std::optional<Comment>& each : between) {
            if (!each || each->piece.own_line) flush();
            if (!each) {
                blank_line = true;
                continue;
            }
            group += (group.empty() ? "" : " ") + each->piece.text;
            if (!each->joined) flush();
        }
        if (ends_block) flush();
        open(blank_line && !first && !ends_block);
        if (token.is("}")) --statements_.back().depth;
        blank_ = !group.empty();
        break_cost_ = never;
        if (group.empty()) return;
        Piece piece;
        piece.text = group;
        statements_.back().pieces.push_back(std::move(piece));
    }

    void open(bool blank_line) {
        statements_.emplace_back();
        statements_.back().depth = depth_;
        statements_.back().blank_line = blank_line;
    }

    // Inside of a statement.

    void go_on(std::size_t i, const Between& between) {
        const Token& before = tokens_[i - 1];
        blank_ = gaps_[i] == Gap::blank;
        break_cost_ = cost_before(i);
        bool first = true, line_ended = false;
        for (const std::optional<Comment>& each : between) {
            if (!each) continue;
            Piece piece = each->piece;
            piece.blank = !first || !one_of(before, {"(", "["});
            piece.break_cost = first ? break_cost_ : never;
            piece.own_line = piece.ends_line && (piece.own_line || line_ended);
            piece.trailing = piece.ends_line && !piece.own_line;
            line_ended = piece.ends_line;
            first = false;
            statements_.back().pieces.push_back(std::move(piece));
        }
        if (first) return;
        blank_ = !one_of(tokens_[i], {")", "]", ",", ";"});
        break_cost_ = never;
    }

    void add(const Token& token) {
        if (one_of(token, {"(", "["})) ++brackets_;
        if (one_of(token, {")", "]"})) --brackets_;
        if (token.is("{")) ++depth_;
        if (token.is("}")) --depth_;
        Piece piece;
        piece.text = std::string(token.text);
        piece.blank = blank_;
        piece.break_cost = break_cost_;
        statements_.back().pieces.push_back(std::move(piece));
    }

    /// What it costs to begin a line with token i: the more, the deeper in brackets and the closer its
    /// neighbours belong together.
    [[nodiscard]] int cost_before(std::size_t i) const {
        const Token& before = tokens_[i - 1];
        const Token& token = tokens_[i];
        const int base = 10 + 6 * brackets_;
        const bool spaced = gaps_[i] == Gap::blank;
        const bool both_spaced = spaced && gaps_[i - 1] == Gap::blank; // `before` is an operator, no sign
        if (before.is(",")) return base;
        if (both_spaced && one_of(before, {"<-", "=", "==", "~=", "+", "-"})) return base + 1;
        if (both_spaced && one_of(before, {"*", "/", "%", "<", "<=", ">", ">=", "!=", ":"})) return base + 2;
        if (both_spaced && before.is("+:")) return base + 3;
        if (!spaced && one_of(before, {"*", "/", "%"})) return base + 50;
        if (!spaced) return never;
        const bool clause =
            one_of(token, {"datapath", "sub_slab", "layout", "unpacked", "at", "atom", "swizzle", "pitch",
                           "align", "grid", "warpgroups", "cta_group", "masked", "direct", "staged", "step"});
        const bool tolerance = one_of(token, {"rtol", "atol"}) && !before.keyword;
        return clause || tolerance ? base + 3 : never;
    }

    std::string_view text_;
    const std::vector<Token>& tokens_;
    const std::vector<Gap>& gaps_;
    const Trivia& trivia_;
    std::size_t next_ = 0; // of trivia_
    std::vector<Statement> statements_;
    std::size_t depth_ = 0; // braces open
    int brackets_ = 0;      // others open
    bool blank_ = false;    // of the next token
    int break_cost_ = never;
};

} // namespace

std::vector<Statement> with_comments(std::string_view text, const std::vector<Token>& tokens,
                                     const std::vector<Gap>& gaps, const Trivia& trivia) {
    return Writer(text, tokens, gaps, trivia).run();
}

} // namespace tmemc::grammar
