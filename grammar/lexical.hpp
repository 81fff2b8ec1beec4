// What a piece of source text is: the lexical rules of the language.
//
//     0x1f 1_000 0b1     integer      a `_` stands between two digits
//     1.0 .5 1. 1e-3     floating     a point followed by a point is none of it: `0..8` begins with 0
//     32x32b             atom         one token although it begins with a digit
//     12ab 1__0 1.0f     malformed    digits with something glued to them, one token
//     X<-1               word symbol integer: the longest symbol wins
//
// Not here: what becomes of each piece (scan.hpp).
#pragma once

#include <cstdint>

namespace tmemc::grammar {

enum class Lexeme : std::uint8_t {
    blank,
    line_break,
    line_comment,
    block_comment,
    open_comment, // a `/*` that no `*/` closes: the rest of the text
    word,
    atom,
    floating,
    integer,
    malformed,
    string,
    open_string, // a `"` that none closes on its line: the rest of the line
    comment_end, // a `*/` that closes nothing
    symbol,
    stray, // one byte that begins none of these
};

/// Moves `first` behind the lexeme that begins there and says what it is. `first` must lie before `last`.
[[nodiscard]] Lexeme next_lexeme(const char*& first, const char* last);

} // namespace tmemc::grammar
