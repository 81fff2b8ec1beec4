// What a kernel asks of tensor memory: to be there, to take and give messages, to wait, to order warps, and
// to be gone at the end. One end writes tcgen05 (tensor_memory_hardware.hpp); the interface leaves room for
// one that keeps the cells in shared memory, on GPUs that have none of their own.
#pragma once

#include "lower/kernel_text.hpp"
#include "match/plan.hpp"
#include "order/order.hpp"
#include "sema/program.hpp"

#include <functional>
#include <optional>
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
    /// Where an alias group begins: a column of the allocation, or of what a function's parameter names.
    struct Place {
        std::size_t group = 0;
        int column = 0;
    };
    /// What the messages of a load fold their registers into: "max.abs.f32", and a register of each message.
    struct Fold {
        std::string name;
        std::vector<std::string> registers;
    };
    /// The messages of one copy, of a buffer whose alias group lies there, to or from the registers with
    /// these names.
    virtual void copy(sema::TmemCopy::Op op, const std::vector<match::Message>& messages, const Place& place,
                      const std::vector<std::string>& registers, const std::optional<Fold>& fold) = 0;
    virtual void wait(order::WaitKind kind) = 0;
    /// A barrier of the CTA, behind which every warp sees what the others did before it.
    virtual void sync() = 0;
    /// At the end, where every warp passes.
    virtual void release() = 0;
};

/// Writes messages down, each by its number, those of the same warps side by side in a branch that these
/// warps take and the others do not.
void for_each_by_warps(KernelText& text, const std::vector<match::Message>& messages,
                       const std::function<void(std::size_t message)>& write);

} // namespace tmemc::lower
