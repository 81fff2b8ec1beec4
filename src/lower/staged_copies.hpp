// Staged copies as instructions. A round is two halves with a barrier of the warp between:
//
//     ld.global.nc.v4.b32 {%staged_0, ...}, [%A_ptr];
//     st.shared.v4.b32 [%place], {%staged_0, ...};                       the walk
//     bar.warp.sync -1;
//     ld.shared.v4.b32 {%X_0, ...}, [%place$2];                          the fragment's own
//
// and a store has them the other way round. The walk moves as many registers at a time as are set aside for
// it, so that loads are under way together. Lanes exchange data, so what the program orders within a thread
// may need a barrier of the warp: the next copy's writes to shared memory behind this one's reads, and two
// copies to one tensor of which one is staged, or which meet in elements that different lanes hold
// (WarpOrder). Barriers of a whole CTA order warps too.
#pragma once

#include "lower/reaches.hpp"
#include "lower/staging.hpp"
#include "lower/transfer.hpp"
#include "order/tensor_meetings.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::lower {

void warp_barrier(KernelText& text);
/// "ld.global.nc" where nothing writes the tensor while the kernel runs, else "ld.global". A function does
/// not know what its caller has written.
[[nodiscard]] std::string load_of(const sema::Kernel& kernel, std::size_t tensor);

/// What the lanes of a warp did since its last barrier, by warpgroup.
class WarpOrder {
  public:
    explicit WarpOrder(const sema::Kernel& kernel)
        : kernel_(kernel),
          of_(static_cast<std::size_t>(kernel.warpgroups), {false, {}, order::TensorMeetings(kernel)}) {
        for (Since& each : of_) each.staging_read = kernel.function; // by the call before this one
    }
    [[nodiscard]] bool barrier_before(std::size_t statement, bool staged);
    void barrier(std::optional<int> warpgroup);
    void done(std::size_t statement, bool staged);

  private:
    struct Since {
        bool staging_read = false;
        std::map<std::size_t, bool> stored; // tensors, and whether by another lane than the fragment's
        order::TensorMeetings direct;       // copies
    };
    [[nodiscard]] static bool needed(Since& since, std::size_t statement, const sema::GlobalCopy& copy,
                                     bool staged);
    const sema::Kernel& kernel_;
    std::vector<Since> of_;
};

class StagedCopies {
  public:
    StagedCopies(KernelText& text, const sema::Kernel& kernel, FrontNumbers& numbers, Reaches& reaches)
        : text_(text), kernel_(kernel), reaches_(reaches), staging_(text, kernel, numbers), transfer_(text) {}
    /// Each warp's part of shared memory has as many bytes at least. Before the first copy.
    void reserve(int bytes) { staging_.reserve(bytes); }
    [[nodiscard]] int bytes_of_warpgroup() const { return staging_.bytes_of_warpgroup(); }
    void share_with(int others) { staging_.share_with(others); }
    /// The bytes of the widest access to global memory.
    int copy(const sema::GlobalCopy& copy, const StagedPlan& plan, const std::vector<std::string>& names);

  private:
    void fragment(const sema::GlobalCopy& copy, const std::vector<StagedPiece>& round,
                  const std::vector<std::string>& names);
    int walk(const sema::GlobalCopy& copy, const StagedPiece& piece);

    KernelText& text_;
    const sema::Kernel& kernel_;
    Reaches& reaches_;
    Staging staging_;
    Transfer transfer_;
};

} // namespace tmemc::lower
