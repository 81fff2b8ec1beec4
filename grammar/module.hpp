// The rule for a whole source.
#pragma once

#include "grammar/ast.hpp"
#include "grammar/handlers.hpp"

#include <vector>

namespace tmemc::grammar {

struct ItemsId {};

inline constexpr x3::rule<ItemsId, std::vector<ast::Item>> items{"an item"};

BOOST_SPIRIT_DECLARE(decltype(items))

} // namespace tmemc::grammar
