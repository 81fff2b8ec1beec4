// The rule for a whole source: one item after the other, `target`, `const`, `kernel`, `function`, `test`. An
// item that cannot be read is left out and reading goes on behind it (resume.hpp). Who wants a tree calls
// parse() (parse.hpp), which also makes the tokens and pairs the brackets.
#pragma once

#include "grammar/ast.hpp"
#include "grammar/handlers.hpp"

#include <vector>

namespace tmemc::grammar {

struct ItemsId {};

inline constexpr x3::rule<ItemsId, std::vector<ast::Item>> items{"an item"};

BOOST_SPIRIT_DECLARE(decltype(items))

} // namespace tmemc::grammar
