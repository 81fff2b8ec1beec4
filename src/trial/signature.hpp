// How a checked kernel is called: its parameters as formals (name, dtype, shape, in or out), its grid and its
// threads. The runtime knows no language, so this is all that it learns of a kernel; for PTX of other origin
// the command line makes the same from the `.entry`.
#pragma once

#include "runtime/call.hpp"
#include "sema/program.hpp"

namespace tmemc::trial {

/// `scratch_bytes` of global memory that each CTA has for itself.
[[nodiscard]] runtime::Signature signature_of(const sema::Kernel& kernel, std::uint64_t scratch_bytes = 0);

} // namespace tmemc::trial
