// The rule for `test "title" { ... }`, section 10 of the language.
#pragma once

#include "grammar/ast.hpp"
#include "grammar/handlers.hpp"

namespace tmemc::grammar {

struct TestId : Placed {};

inline constexpr x3::rule<TestId, ast::Test> test{"`test`"};

BOOST_SPIRIT_DECLARE(decltype(test))

} // namespace tmemc::grammar
