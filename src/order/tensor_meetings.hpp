// Where two copies between fragments and one tensor meet: nowhere, in elements that one thread takes both
// times, in one warp, whose lanes a barrier of the warp orders, or in elements that different warps take.
// Global memory orders a thread's accesses and no others, so if one of the two stores, the first are fine,
// lower puts a barrier before the second, and the third need a `sync` of the program's:
//
//     copy B <- X;                        X in 32x32b: row 40 is with warp 1
//     copy Y <- B;                        Y in 16x256b, 128 rows: row 40 is with warp 1 too, in another lane
//     copy Y[0:64, :] <- B[32:96, :];     row 40 is row 8 of Y, with warp 0: TM0514
//
// A load is done by every copy of an element, a store by the first. Bases that depend on the CTA are compared
// as they stand, or if they differ in the first and the last CTA: what meets there is certain, and elsewhere
// the two may be in one warp's hands. A statement outside of `on` is run by every warpgroup: what one of them
// loads, another may have stored already. Not here: a store outside of `on`, whose fragments are taken to
// hold the same in each; CTAs among themselves, of which the language promises nothing.
#pragma once

#include "sema/program.hpp"
#include "sema/reports.hpp"

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace tmemc::order {

enum class Meeting : std::uint8_t { nowhere, in_thread, in_warp, across_warps };

/// The worst of their meetings, and when it is across warps the first element of that kind.
struct Encounter {
    Meeting how{};
    std::int64_t row = 0, col = 0; // of the tensor
    int warp = 0, earlier_warp = 0;
    std::size_t earlier = 0; // the statement
    bool operator==(const Encounter&) const = default;
};

/// What copies have done to the tensors of a kernel since a barrier.
class TensorMeetings {
  public:
    explicit TensorMeetings(const sema::Kernel& kernel);
    /// How a statement, a GlobalCopy, meets those that are remembered.
    [[nodiscard]] Encounter worst(std::size_t statement);
    void remember(std::size_t statement);
    void forget() { since_.clear(); }

  private:
    struct Bounds { // rows and columns of a tensor in one CTA; the last ones not included
        std::int64_t row = 0, col = 0, last_row = 0, last_col = 0;
        [[nodiscard]] bool meets(const Bounds& other) const;
    };
    struct Past {
        std::size_t statement = 0;
        std::array<Bounds, 2> where; // in the first and the last CTA
    };
    struct Tensor {
        std::vector<Past> copies;
        std::array<Bounds, 2> all; // of them
        bool alike = true;         // their bases, those of the first
        bool stored = false;
    };
    using Key = std::array<std::int64_t, 12>;

    [[nodiscard]] const sema::GlobalCopy& copy(std::size_t statement) const;
    [[nodiscard]] Bounds bounds(const sema::GlobalCopy& copy, std::size_t cta) const;
    Encounter meet(std::size_t statement, const std::array<Bounds, 2>& where, const Past& past);
    Encounter in_cta(std::size_t statement, const Past& past, const Bounds& here, const Bounds& there);

    const sema::Kernel& kernel_;
    std::array<std::vector<std::int64_t>, 2> steps_; // their values in the first and the last CTA
    std::map<std::size_t, Tensor> since_;            // by parameter
    std::map<Key, Encounter> known_;                 // rows and columns from where the two begin to meet
};

/// Errors: copies that meet across warps with no `sync` between.
void report_unsynchronized(const sema::Kernel& kernel, sema::Reports& reports);

} // namespace tmemc::order
