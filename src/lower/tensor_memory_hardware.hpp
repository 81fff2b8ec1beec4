// Tensor memory by tcgen05. Warp 0 allocates, gives up the right to allocate more (so that the next CTA of
// the SM is not held up) and, behind a last barrier, deallocates. The allocation's address goes through a
// word of shared memory and a barrier to every warp, which adds the lane it starts at:
//
//     @!%allocates bra $allocated;
//     tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%slot], 32;
//     tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
// $allocated:
//     bar.sync 0;
//     ld.shared.b32 %allocation, [%slot];
//     and.b32 %lane, %thread, 96;       32 * (warp mod 4), then into the upper half: lane << 16
//
// A message's own row and column ride in the constant of its address: [%taddr+0x100004] is 16 lanes and 4
// columns on. Messages of some warps only stand in a branch that whole warps take or leave, because the
// instructions are .sync.aligned. Source: PTX ISA 9.7.16.2 (addresses), 9.7.16.7 (allocation), 9.7.16.8 (ld,
// st, wait).
#pragma once

#include "lower/tensor_memory.hpp"

#include <memory>

namespace tmemc::lower {

/// `columns` is the size of the allocation; with 0 there is none, and sync is a plain barrier.
[[nodiscard]] std::unique_ptr<TensorMemory> hardware_tensor_memory(KernelText& text, int columns);
/// What a function is given: each of its tmem parameters is an address, to which the warp's lane is added.
[[nodiscard]] std::unique_ptr<TensorMemory> given_tensor_memory(KernelText& text, const sema::Kernel& kernel);

} // namespace tmemc::lower
