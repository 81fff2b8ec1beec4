// When the columns of an alias group are in use: from its first access, under any of its names, to the wait
// that completes its last. Two groups may share columns when one is done before the other begins, which waits
// and barriers that the program has anyway must see to: sharing never makes a hazard.
//
//     3: copy_async T <- X;  4: wait st;  5: copy_async Y <- T;  6: wait ld;     T lives from 3 to 6
//     7: copy_async U <- X;                                                     U may have T's columns
//
// Where another warpgroup begins than the one that ended, a `sync` has to follow the last wait. A group that
// nothing uses counts as always in use: it is there because somebody wanted it.
#pragma once

#include "order/waits.hpp"

#include <vector>

namespace tmemc::space {

struct Lifetime {
    bool used = false;
    std::size_t first = 0,
                last = 0;           // the first statement that touches the group, the last position in `done`
    std::vector<std::size_t> begin; // by warpgroup: its first statement; `never` when it has none
    std::vector<std::size_t> done;  // by warpgroup: the position of the wait that completes its last access
    bool operator==(const Lifetime&) const = default;
};
inline constexpr std::size_t never = ~std::size_t{0};

/// One for each alias group.
[[nodiscard]] std::vector<Lifetime> lifetimes(const sema::Kernel& kernel, const order::Timeline& timeline);

/// Whether every access of `a` is complete before any of `b`.
[[nodiscard]] bool ends_before(const Lifetime& a, const Lifetime& b, const order::Timeline& timeline);

} // namespace tmemc::space
