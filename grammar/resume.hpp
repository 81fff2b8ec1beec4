// Where the parser goes on after a mistake. The token stream has signs that no mistake inside a statement can
// hide, such as a `;`, a `}`, or a line that begins with `copy_async`. From `begin`, the first token of what
// could not be read, and `stop`, the token at which it failed, each function finds the next of them; it lies
// behind `begin`.
#pragma once

#include "grammar/errors.hpp"

namespace tmemc::grammar {

/// And what the tokens before it were to be.
struct Resume {
    const Token* (*find)(const Token* begin, const Token* stop);
    Unread::What what;
};

/// Of a statement: behind its `;`, else before what ends the block, a `{`, or a line that begins a statement.
extern const Resume next_statement;
/// Of a parameter: its `,` or the `)`; null when the list itself is broken.
extern const Resume next_parameter;
/// Of the head of a kernel, a test or a loop: its `{`; null when there is none.
extern const Resume next_body;
/// Of an item of the module: the next item.
extern const Resume next_item;

/// The block ends here: `}`, the end, or an item, which stands in no block.
[[nodiscard]] bool ends_block(const Token& token);
/// This stands where a `;` should, and nothing but the `;` is missing.
[[nodiscard]] bool forgot_semicolon(const Token& token);
/// This stands where a `{` should, and the `}` of the block is there.
[[nodiscard]] bool forgot_open_brace(const Token& token);

} // namespace tmemc::grammar
