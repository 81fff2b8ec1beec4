// Rules for values, the elementwise arithmetic of section 8 of the language.
#pragma once

#include "grammar/ast.hpp"
#include "grammar/handlers.hpp"

#include <vector>

namespace tmemc::grammar {

struct ValueId : Placed {};
struct ValuesId {};

inline constexpr x3::rule<ValueId, ast::Value> value{"a value"};
inline constexpr x3::rule<ValuesId, std::vector<ast::Value>> values{"a value"}; // value { "," value }

BOOST_SPIRIT_DECLARE(decltype(value), decltype(values))

} // namespace tmemc::grammar
