// A set of places for every object of a kernel: of each fragment the elements, for each warpgroup apart, and
// of each alias group the blocks of tensor memory.
#pragma once

#include "order/place_set.hpp"

namespace tmemc::order {

/// The elements of a region, a run for each row.
[[nodiscard]] Footprint elements(const sema::Region& region);

/// All of a fragment.
[[nodiscard]] sema::Region whole_of(const sema::Kernel& kernel, std::size_t fragment);

class Places {
  public:
    explicit Places(const sema::Kernel& kernel);

    [[nodiscard]] PlaceSet& fragment(const sema::Region& region, int warpgroup);
    [[nodiscard]] PlaceSet& cells(const sema::Region& buffer);

  private:
    const sema::Kernel& kernel_;
    std::vector<PlaceSet> fragments_; // by fragment and warpgroup
    std::vector<PlaceSet> groups_;
};

} // namespace tmemc::order
