// What a kernel asks of tensor memory: to be there, to take and give messages, to wait, to order warps, and
// to be gone at the end. One end writes tcgen05 (tensor_memory_hardware.hpp); the interface leaves room for
// one that keeps the cells in shared memory, on GPUs that have none of their own.
#pragma once

#include "lower/kernel_text.hpp"
#include "match/plan.hpp"
#include "order/order.hpp"
#include "sema/program.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tmemc::lower {

class TensorMemory {
  public:
    TensorMemory() = default;
    TensorMemory(const TensorMemory&) = delete;
    TensorMemory& operator=(const TensorMemory&) = delete;
    virtual ~TensorMemory() = default;

    /// Before the first statement that needs it; every warp passes here. Whether that was a barrier of the
    /// CTA.
    virtual bool allocate() = 0;
    /// The messages of one copy, whose buffer's alias group begins at `column` of the allocation, to or from
    /// the registers with these names.
    virtual void copy(sema::TmemCopy::Op op, const std::vector<match::Message>& messages, int column,
                      const std::vector<std::string>& registers) = 0;
    virtual void wait(order::WaitKind kind) = 0;
    /// A barrier of the CTA, behind which every warp sees what the others did before it.
    virtual void sync() = 0;
    /// At the end, where every warp passes.
    virtual void release() = 0;
};

/// Writes messages down, those of the same warps side by side in a branch that these warps take and the
/// others do not.
void for_each_by_warps(KernelText& text, const std::vector<match::Message>& messages,
                       const std::function<void(const match::Message&)>& write);

} // namespace tmemc::lower
