// The head of a kernel: `(in A: f16[128, W] pitch 64, alpha: f32) grid(4) warpgroups(2)`. Parameters are
// named first and measured after, so that an extent may be told why it cannot be the name of a parameter.
#pragma once

#include "sema/draft.hpp"

namespace tmemc::sema {

/// Declares the parameters and fills Kernel::parameters. A tensor in error means nothing from then on.
void check_parameters(Draft& draft, const std::vector<ast::Parameter>& parameters);
void check_parameters(Draft& draft, const std::vector<ast::FunctionParameter>& parameters);
/// grid, warpgroups and cta_group.
void check_clauses(Draft& draft, const std::vector<ast::Clause>& clauses);

} // namespace tmemc::sema
