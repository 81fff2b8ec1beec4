// Where buffers lie. One allocation per kernel holds every alias group: groups that are live together stand
// side by side on 4-column boundaries, groups that never are may share columns (lifetimes.hpp), fixed ones
// (`at 64`) stand where they say, and the sum is rounded up to a power of two from 32 to 512, which is what
// tcgen05.alloc takes (PTX ISA 9.7.16.7.1). More than 512 is an error that lists every buffer with its share.
// Example: groups of 200, 8, 40 and 6 columns stand at 0, 200, 208 and 248; 254 columns, an allocation of
// 256.
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "order/order.hpp"
#include "sema/program.hpp"

#include <vector>

namespace tmemc::space {

struct KernelSpace {
    int needed = 0;  // columns up to the end of the last group
    int columns = 0; // of the allocation; 0 when the kernel has no buffer
    /// First column of each alias group, from the allocation's first; of a function, from what the
    /// parameter's address names.
    std::vector<int> group_columns;
    bool operator==(const KernelSpace&) const = default;
};
struct Space {
    std::vector<KernelSpace> kernels; // parallel to sema::Program::kernels
    bool operator==(const Space&) const = default;
};
struct PlaceResult {
    Space space;
    base::Diagnostics diagnostics;
};

/// `source`: for the lines of what does not fit.
[[nodiscard]] PlaceResult place(const sema::Program& program, const order::Schedule& schedule,
                                const base::Source& source);

} // namespace tmemc::space
