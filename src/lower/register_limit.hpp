// How many registers ptxas may give a kernel, its `.maxnreg`. By default it takes 22 to 70 more than a
// message's vector has, which costs occupancy and wins nothing in one trip through tensor memory:
//
//     copy X <- A;  copy_async T <- X;  wait st;  copy_async Y <- T;  wait ld;  copy B <- Y;
//
// in f32[64, 128], atom 16x256b, is the same 184 instructions with 134 registers as it is and 86 with
// .maxnreg 88. The rule: the longest vector and 18 (below that ptxas refuses), or if that is more all that is
// live and what addresses take, rounded up to 8. It is for kernels of up to two tensors that load everything,
// store it to tensor memory, load it back and store it, in this order, each of which became whole accesses
// and messages. Elsewhere a limit is a trap: a loop of such trips spills under the same rule, an epilogue
// that takes 62 registers spills under 64. And to ask ptxas twice would cost its time twice.
#pragma once

#include "lower/lower.hpp"
#include "match/plan.hpp"
#include "ptx/module.hpp"
#include "sema/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tmemc::lower {

/// Of `body`, what the kernel's statements became.
[[nodiscard]] std::optional<std::uint32_t> register_limit(const sema::Kernel& kernel,
                                                          const match::KernelPlan& plan,
                                                          const std::vector<ptx::Statement>& body,
                                                          const std::vector<Extent>& statements);

} // namespace tmemc::lower
