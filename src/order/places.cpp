// The sets are empty until something is added, so that a loop may declare ten thousand fragments.
#include "order/places.hpp"

namespace tmemc::order {

Footprint elements(const sema::Region& region) {
    Footprint runs;
    for (int row = region.row; row < region.row + region.rows; ++row)
        runs.push_back({row, region.col, region.col + region.cols});
    return runs;
}

sema::Region whole_of(const sema::Kernel& kernel, std::size_t fragment) {
    const sema::Fragment& all = kernel.fragments[fragment];
    sema::Region region;
    region.object = fragment;
    region.rows = all.rows;
    region.cols = all.cols;
    return region;
}

Places::Places(const sema::Kernel& kernel) : kernel_(kernel) {
    for (const sema::Fragment& fragment : kernel.fragments)
        for (int group = 0; group < kernel.warpgroups; ++group)
            fragments_.emplace_back(fragment.rows, fragment.cols);
    for (const sema::AliasGroup& group : kernel.groups) groups_.emplace_back(slabs, group.columns);
}

PlaceSet& Places::fragment(const sema::Region& region, int warpgroup) {
    return fragments_[region.object * static_cast<std::size_t>(kernel_.warpgroups) +
                      static_cast<std::size_t>(warpgroup)];
}

PlaceSet& Places::cells(const sema::Region& buffer) { return groups_[kernel_.buffers[buffer.object].group]; }

} // namespace tmemc::order
