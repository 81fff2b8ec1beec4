// Global copies and fills as instructions. Every copy of the kernel has its way (global_path.hpp) before the
// first is written, because the staged ones share a piece of shared memory. A direct one is its accesses,
// with pointers and predicates; a staged one is staged_copies.hpp's affair.
//
// A tensor that is `in` is read without coherence (.nc): nothing writes it while the kernel runs. The loads
// of a copy stand together, before any packing, so that all are under way; the stores too, behind the
// unpacking. What a masked load does not reach is zero: registers are cleared in all threads that the copy
// writes, and then those inside load.
#pragma once

#include "lower/global_path.hpp"
#include "lower/lower.hpp"
#include "lower/reaches.hpp"
#include "lower/staged_copies.hpp"
#include "lower/transfer.hpp"

#include <map>
#include <string>
#include <vector>

namespace tmemc::lower {

class Copies {
  public:
    /// `registers` are the names of every fragment's registers.
    Copies(KernelText& text, const sema::Kernel& kernel,
           const std::vector<std::vector<std::string>>& registers, base::Diagnostics& diagnostics);

    GlobalAccess copy(std::size_t statement);
    void fill(const sema::Fill& fill);
    /// Each warp has as many bytes for staged copies at least. Before the first copy.
    void reserve(int bytes) { staged_.reserve(bytes); }
    /// Shared memory of the staged copies, for one warpgroup.
    [[nodiscard]] int staging_bytes() const { return staged_.bytes_of_warpgroup(); }
    /// What somebody else takes of the CTA's.
    void share_with(int others) { staged_.share_with(others); }
    /// What the kernel's pointers are made from.
    [[nodiscard]] FrontNumbers& numbers() { return numbers_; }
    /// All warps have passed a barrier.
    void synchronized() { order_.barrier(std::nullopt); }

  private:
    /// The bytes of the widest access.
    int direct(const sema::GlobalCopy& copy, const std::vector<AccessGroup>& groups);

    KernelText& text_;
    const sema::Kernel& kernel_;
    const std::vector<std::vector<std::string>>& registers_;
    GlobalPaths paths_;
    FrontNumbers numbers_;
    Reaches reaches_;
    Transfer transfer_;
    StagedCopies staged_;
    WarpOrder order_;
    std::map<std::size_t, GlobalPath> chosen_; // by statement
};

} // namespace tmemc::lower
