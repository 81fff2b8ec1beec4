// `M = row_max(X);` as instructions: each thread folds its elements of a row, then lanes exchange what they
// have with shfl.sync.bfly, in the order that sema/row_fold.hpp lays down.
//
//     max.f32 %part_0, %X_0, %X_1;  max.f32 %part_1, %X_4, %X_5;  max.f32 %part_2, %part_0, %part_1;
//     shfl.sync.bfly.b32 %part_3, %part_2, 1, 31, -1;
//     max.f32 %part_4, %part_2, %part_3;                              and again with lanes 2 apart
//
// Elements at even and at odd places are folded apart, so sums of f32 take both at once: add.rn.f32x2. All
// lanes take part in an exchange; those that hold no row of the region bring a zero that nobody reads. Not
// here: how one element is computed (arithmetic.hpp).
#pragma once

#include "lower/arithmetic.hpp"
#include "sema/row_fold.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmemc::lower {

class Reductions {
  public:
    Reductions(KernelText& text, Arithmetic& arithmetic, const sema::Kernel& kernel,
               const sema::Compute& compute, const std::vector<std::string>& target);
    /// What the threads of a form put into the target's registers.
    void write(const ThreadForm& form);
    /// What had to wait because the target is read too.
    void finish();

  private:
    ptx::Register row(const SlotForm& slot);
    ptx::Register in_thread(const std::vector<sema::RegisterSlot>& elements);
    ptx::Register tree(const std::vector<sema::RegisterSlot>& elements, std::size_t first, std::size_t count);
    ptx::Register leaf(const std::vector<sema::RegisterSlot>& elements, std::size_t first);
    ptx::Register folded(const ptx::Register& a, const ptx::Register& b,
                         const std::optional<ptx::Guard>& guard);
    ptx::Register emit(std::string name, std::vector<ptx::Operand> operands,
                       const std::optional<ptx::Guard>& guard, const std::string& type = "b32");

    KernelText& text_;
    Arithmetic& arithmetic_;
    const sema::Compute& compute_;
    const std::vector<std::string>& target_; // names of its registers
    base::Dtype dtype_{};
    int bits_;
    std::string instruction_;
    sema::RowFold way_;
    std::vector<sema::SlotPairs> pairs_; // by step
    bool in_pairs_ = false;              // the tree at hand is one of pairs
    std::optional<ptx::Guard> guard_;
    std::vector<ptx::Statement> writes_;
};

} // namespace tmemc::lower
