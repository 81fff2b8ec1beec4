// What is wrong with `test` blocks, as far as it can be known without running them: kernels, parameters,
// generators and names that there are not, expectations that compare nothing or lack a tolerance, values that
// no element can hold. A block that passes fails later only by what its kernels compute or its files hold.
//
//     test "t" {
//       A = iotta;            no generator of that name
//       run rountrip;         no kernel of that name; read on as `roundtrip`, the nearest
//       expect B ~= A;        no tolerance
//     }
//
// Names that another mistake took away (a parameter of a kernel's head, a constant) are not reported again.
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"
#include "sema/program.hpp"

#include <string>
#include <vector>

namespace tmemc::trial {

/// `found`: what earlier stages reported; `lost_names`: in statements that could not be read.
[[nodiscard]] base::Diagnostics check(const sema::Program& program, const grammar::ast::Module& module,
                                      const base::Diagnostics& found,
                                      const std::vector<std::string>& lost_names);

} // namespace tmemc::trial
