// What no mistake has touched. Later stages look only at whole programs; but a hazard in one kernel is no
// less one because another kernel has a typing error, and one run reports every independent mistake. So when
// there are errors, the kernels and functions that are whole are looked at alone:
//
//     const N = 1 / 0;                    an error
//     kernel a(...) { ... N ... }         names N: some of its statements may be missing
//     kernel b(...) { ... a wait ... }    whole: its missing wait is reported too
//
// A kernel is whole when no error lies in it and it names nothing that an error lies in, at any remove. Words
// of comments count as names, which only leaves more out.
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "grammar/ast.hpp"
#include "sema/program.hpp"

#include <string>
#include <vector>

namespace tmemc::sema {

/// `lost`: names in statements that could not be read.
[[nodiscard]] Program whole_part(const Program& program, const grammar::ast::Module& module,
                                 const base::Diagnostics& found, const base::Source& source,
                                 const std::vector<std::string>& lost);

} // namespace tmemc::sema
