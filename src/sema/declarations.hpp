// `tmem` and `frag`: a shape, an image, and for a buffer a place among the others. A declaration that fails
// leaves a name that means nothing, so that its uses are not reported as well.
#pragma once

#include "sema/draft.hpp"

namespace tmemc::sema {

void declare(Draft& draft, const ast::Tmem& tmem);
void declare(Draft& draft, const ast::Frag& frag);

} // namespace tmemc::sema
