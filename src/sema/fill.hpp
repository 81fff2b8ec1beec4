// `Y = 0.0;` and `Y[:, 0:8] = -1;`: a fragment filled with one number. Any other value is arithmetic
// (arithmetic.hpp).
#pragma once

#include "sema/draft.hpp"

namespace tmemc::sema {

void check(Draft& draft, const ast::Assign& assign);

} // namespace tmemc::sema
