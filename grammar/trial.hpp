// The rule for `test "title" { ... }`, section 10 of the language: what is given to parameters, which kernels
// are run, and what is expected of the results.
//
//     test "round trip" { A = random(seed: 1); run roundtrip; expect B == A; }
//
// What it means, and whether it can fail at all, is the folder trial's.
#pragma once

#include "grammar/ast.hpp"
#include "grammar/handlers.hpp"

namespace tmemc::grammar {

struct TestId : Placed {};

inline constexpr x3::rule<TestId, ast::Test> test{"`test`"};

BOOST_SPIRIT_DECLARE(decltype(test))

} // namespace tmemc::grammar
