// The functions of a file, before its kernels: each is checked once, by itself, and those that it calls
// before it, so that a call only has to put in what is there already.
//
//     function a(...) { b(...); }    b is checked, then a, whose statements hold those of b
//     function b(...) { a(...); }    TM0292: a function comes to call itself
//
// A function that nothing calls is checked like the others. Not here: what a call does (calls.hpp).
#pragma once

#include "sema/check.hpp"
#include "sema/draft.hpp"

namespace tmemc::sema {

/// All functions, or those that the kernels named in `options.only` come to call.
[[nodiscard]] Functions check_functions(Environment& env, const ast::Module& module, const Options& options);

} // namespace tmemc::sema
