// Parameters of kernels and functions as PTX declares them: a tensor is a 64-bit pointer, a scalar travels by
// value. PTX has no parameters of the narrow floating types, whose bits travel as such, and functions have
// none of less than 32 bits (ptxas): there they are the low ones of a word, as other compilers have them too.
#pragma once

#include "base/diagnostics.hpp"
#include "ptx/module.hpp"
#include "sema/program.hpp"

#include <string>
#include <vector>

namespace tmemc::lower {

/// Those that travel as such: fragments of a function do not. With `staging`, the address of shared memory
/// for staged copies is the last.
[[nodiscard]] std::vector<ptx::Parameter> parameters(const sema::Kernel& kernel, bool staging = false);
/// Its name, which no other parameter has.
[[nodiscard]] std::string staging_parameter(const sema::Kernel& kernel);
/// Reports names that PTX keeps for itself: a kernel and its parameters appear in it under their own.
void check_names(const sema::Kernel& kernel, base::Diagnostics& diagnostics);

} // namespace tmemc::lower
