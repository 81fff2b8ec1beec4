// A call in place: the function's statements with the caller's objects in them.
//
//     function scale(inout frag X: f32[128, 32], a: f32) { X = X * a; }
//     ...  scale(Y[:, 32 +: 32], 2.0);         Y[:, 32 +: 32] = Y[:, 32 +: 32] * 2.0;
//
// Arguments are regions and numbers (arguments.hpp). What the function declares is new in each call; its
// images are brought over once. A statement keeps its place in the function's text and remembers the calls
// around it, so that what later stages say of it can be found from both ends.
#pragma once

#include "sema/draft.hpp"

namespace tmemc::sema {

/// Calls that may lie inside each other.
inline constexpr std::size_t most_calls = 200;
/// Says that there are more of them.
void report_depth(Environment& env, const ast::Call& call);

/// Appends the function's statements, or reports arguments that do not fit.
void expand(Draft& draft, const ast::Call& call, const Function& function);

} // namespace tmemc::sema
