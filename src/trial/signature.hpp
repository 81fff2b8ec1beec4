// How a checked kernel is called: its parameters as formals, its grid and its threads.
#pragma once

#include "runtime/call.hpp"
#include "sema/program.hpp"

namespace tmemc::trial {

/// `scratch_bytes` of global memory that each CTA has for itself.
[[nodiscard]] runtime::Signature signature_of(const sema::Kernel& kernel, std::uint64_t scratch_bytes = 0);

} // namespace tmemc::trial
