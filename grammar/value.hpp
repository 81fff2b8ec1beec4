// Rules for values, the elementwise arithmetic of section 8 of the language: what stands on the right of
// `Y = max(X * cols(Scale), 0.0);`. One tree for fragments, scalars and numbers, since only sema knows which
// a name is. Not here: integer expressions in extents and slices (expression.hpp).
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
