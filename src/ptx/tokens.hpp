// PTX text to tokens, all at once. A word takes the dots inside it, so an opcode with its modifiers and a
// special register are one token each:
//
//     @%p1 tcgen05.ld.sync.aligned.32x32b.x1.b32 {%X_0}, [%taddr+4];
//     @ | %p1 | tcgen05.ld.sync.aligned.32x32b.x1.b32 | { | %X_0 | } | , | [ | %taddr | + | 4 | ] | ;
//
// A dot that nothing precedes opens a directive (`.reg`), and `::` belongs to the word around it, a lone `:`
// does not. Comments are dropped. Source: PTX ISA 4.1 to 4.5.
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "ptx/module.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace tmemc::ptx {

struct Token {
    enum class Kind : std::uint8_t { word, directive, number, string, mark, end };
    Kind kind = Kind::end;
    std::string_view text; // of a string, without its quotes
    base::Span span;
    [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
    [[nodiscard]] bool is(char mark) const { return kind == Kind::mark && text.front() == mark; }
};

/// The tokens of the text, an `end` token last. Refers to the source's text.
[[nodiscard]] std::vector<Token> tokens(const base::Source& source, base::Diagnostics& diagnostics);

/// The constant that a number token spells (PTX ISA 4.5): 10, 0x1F, 017, 0b101, each perhaps with U;
/// 0f3F800000 and 0d... with the bits of a float; 1.5e3, which is a double. Nothing when it is none of these
/// or too large.
[[nodiscard]] std::optional<Immediate> constant(std::string_view number);

} // namespace tmemc::ptx
