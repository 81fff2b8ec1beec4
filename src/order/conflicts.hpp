// Pairs of accesses that something must keep apart, wherever waits stand. An access is one warpgroup's: a
// statement outside `on` is an access of each. For every place only the last access of each warpgroup and
// kind counts, since what orders that one orders those before it, so the pairs are few and the walk is linear
// in what the statements touch.
//
//     0: copy_async T <- X;    conflict {cells, st, 0, 1}: whoever loads T waits for the store
//     1: copy_async Y <- T;    conflict {read, ld, 1, 2}:  Y is read behind its load
//     2: copy B <- Y;          conflict {end, ld, 1, 3}:   the deallocation waits for the load
#pragma once

#include "order/footprint.hpp"
#include "order/order.hpp"

namespace tmemc::order {

enum class Rule : std::uint8_t {
    cells,     // both touch a cell and one of them stores
    overwrite, // a fragment is overwritten behind a load into it
    read,      // a fragment is read behind a load into it: a policy, the hardware honours it
    end,       // the columns are deallocated; `later` is the number of statements
};

struct Conflict {
    Rule rule{};
    WaitKind kind{}; // of the earlier access, so of the wait that completes it
    std::size_t earlier = 0, later = 0;
    int warpgroup = 0, later_warpgroup = 0; // the same unless two warpgroups meet in a cell
    auto operator<=>(const Conflict&) const = default;
};

/// In ascending `later`.
[[nodiscard]] std::vector<Conflict> find_conflicts(const sema::Kernel& kernel, Footprints& footprints);

/// The warpgroups that execute the statement.
[[nodiscard]] std::vector<int> warpgroups_of(const sema::Kernel& kernel, const sema::Statement& statement);

} // namespace tmemc::order
