// The words of the language. A source is cut into tokens first (scan.hpp), so that the rules of the grammar
// speak of words and symbols, a place is never off by a blank, and the longest token wins by construction:
// `X<-1` is X, `<-`, 1, while `0..8` is 0, `..`, 8. The last token is always Kind::end, so that looking one
// token ahead is always safe.
//
// A keyword cannot be a name. Some words of the grammar are no keywords: they mean something in their place
// only and stay free as names. Both tables stand here and a test compares them with the quoted words of
// tmx.ebnf.
//
// Not here: how text becomes tokens (scan.hpp), how tokens become a tree (the rules: module.cpp and
// the files it names).
#pragma once

#include "base/source.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tmemc::grammar {

inline constexpr auto keywords = std::to_array<std::string_view>({
    "align",  "at",     "atom", "const",    "copy",     "copy_async", "cta_group", "datapath",
    "direct", "expect", "for",  "frag",     "function", "grid",       "in",        "inout",
    "kernel", "layout", "ld",   "let",      "masked",   "on",         "out",       "pitch",
    "run",    "smem",   "st",   "staged",   "step",     "sub_slab",   "swizzle",   "sync",
    "target", "test",   "tmem", "unpacked", "wait",     "warp",       "warpgroup", "warpgroups",
}); // and the dtypes of base/dtypes.def

inline constexpr auto axes =
    std::to_array<std::string_view>({"tid_in_wg", "wid_in_wg", "laneid", "m", "TLane", "TCol"});

inline constexpr auto free_words =
    std::to_array<std::string_view>({"S", "R", "cta", "x", "y", "z", "min", "max", "cast", "select", "rtol",
                                     "atol", "fault", "error"}); // and the axes

/// An atom name is one token although it starts with a digit.
inline constexpr auto atoms =
    std::to_array<std::string_view>({"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"});

inline constexpr auto symbols =
    std::to_array<std::string_view>({"(",  ")", "[",  "]", "{",  "}",  "<-", "<=", "<",
                                     ">=", ">", "==", "=", "!=", "~=", "+:", "+",  "-",
                                     "*",  "/", "%",  ",", ";",  ":",  "..", ".",  "@"});

/// A keyword or a dtype: not a name.
[[nodiscard]] bool is_keyword(std::string_view word);

struct Token {
    enum class Kind : std::uint8_t { word, integer, floating, atom, string, symbol, unknown, end };
    std::string_view text; // as it stands in the source; of Kind::end empty
    std::uint32_t begin = 0;
    std::uint32_t column = 0; // bytes from the start of its line
    const Token* partner =
        nullptr; // of a bracket, the one that closes or opens it; none when that is missing
    const Token* enclosing = nullptr; // the innermost bracket that is open before this token
    Kind kind = Kind::end;
    bool keyword = false;
    bool first_on_line = false; // a line break stands between the token before and this one
    bool reported = false;      // a diagnostic speaks of it already

    [[nodiscard]] std::uint32_t end() const { return begin + static_cast<std::uint32_t>(text.size()); }
    [[nodiscard]] base::Span span() const { return {begin, end()}; }
    /// A word or a symbol, spelled so.
    [[nodiscard]] bool is(std::string_view spelling) const {
        return (kind == Kind::word || kind == Kind::symbol) && text == spelling;
    }
    [[nodiscard]] bool is_name() const { return kind == Kind::word && !keyword; }
};

/// As a message calls it: "`copy`", "a string", "end of file".
[[nodiscard]] std::string describe(const Token& token);

} // namespace tmemc::grammar
