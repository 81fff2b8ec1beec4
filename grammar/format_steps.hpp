// What the steps of the formatter hand to one another. Private to this folder: others call format.hpp.
//
//     wait /* both */ ld, st;   // done
//
// is one Statement of eight pieces. Each knows whether a blank stands before it and what a new line there
// would cost; the last is a trailing comment. Wrapping makes a Line of it, code `wait /* both */ ld, st;` and
// comment `// done`.
#pragma once

#include "grammar/ast.hpp"
#include "grammar/tokens.hpp"
#include "grammar/trivia.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::grammar {

/// What stands between a token and the one before it in a text without comments.
enum class Gap : std::uint8_t { none, blank, line };

/// The gap before each token, as the printer leaves it. Brackets of a list of one, which it drops, are tight.
[[nodiscard]] std::vector<Gap> gaps_before(const std::vector<Token>& tokens, const ast::Module& module);

inline constexpr int never = -1; // no new line here

struct Piece {              // a token, or a comment
    std::string text;       // of a comment without blanks at the ends of its lines
    bool blank = false;     // one stands before it, unless it begins a line
    int break_cost = never; // of beginning a line with it
    bool trailing = false;  // a comment at the end of a line
    bool ends_line = false; // a comment with a line break in it or behind it
    bool own_line = false;  // a comment, or several, with a line to itself
};

struct Statement { // a statement, the head or the end of a block, or a line of comments
    std::vector<Piece> pieces;
    std::size_t depth = 0;   // of the block that it stands in
    bool blank_line = false; // one stands before it
};

/// The whole text as statements. `tokens` ends with Kind::end.
[[nodiscard]] std::vector<Statement> with_comments(std::string_view text, const std::vector<Token>& tokens,
                                                   const std::vector<Gap>& gaps, const Trivia& trivia);

struct Line {
    std::string code;    // without indent; or a comment on a line of its own
    std::string comment; // behind the code
    std::size_t indent = 0, depth = 0;
    bool blank_line = false; // one stands before it
    bool only_comment = false;
};

/// A statement to lines of at most 100 columns where it can be broken.
void wrap(const Statement& statement, std::vector<Line>& lines);

/// The columns that a text without line breaks takes.
[[nodiscard]] std::size_t columns(std::string_view text);

/// Lines to text, with the comments of neighbours in one column.
[[nodiscard]] std::string joined(const std::vector<Line>& lines);

} // namespace tmemc::grammar
