// Four warps to a warpgroup.
#include "inspect/cta_warps.hpp"

#include "atlas/limits.hpp"

namespace tmemc::inspect {

std::vector<int> warps_of_cta(const sema::Kernel& kernel, const sema::Statement& statement,
                              const match::Message& message) {
    std::vector<int> warps;
    for (int group = 0; group < kernel.warpgroups; ++group)
        if (!statement.warpgroup || *statement.warpgroup == group)
            for (int warp : message.warps) warps.push_back(atlas::warps_per_group * group + warp);
    return warps;
}

} // namespace tmemc::inspect
