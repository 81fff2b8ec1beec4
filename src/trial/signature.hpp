// How a checked kernel is called: its parameters as formals, its grid and its threads.
#pragma once

#include "runtime/call.hpp"
#include "sema/program.hpp"

namespace tmemc::trial {

[[nodiscard]] runtime::Signature signature_of(const sema::Kernel& kernel);

} // namespace tmemc::trial
