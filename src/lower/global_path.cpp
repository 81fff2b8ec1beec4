// Both ways are planned, and their lines counted.
#include "lower/global_path.hpp"

#include "atlas/costs.hpp"
#include "atlas/limits.hpp"

#include <algorithm>

namespace tmemc::lower {
namespace {

constexpr std::size_t lanes = atlas::lanes_per_warp;

/// Of one access of one warp, beginning `skip` bytes into it.
int lines_of(const AccessGroup& group, const Access& access, std::size_t warp, int skip) {
    std::array<std::int64_t, lanes> lines{};
    std::size_t count = 0;
    for (std::size_t t = warp * lanes; t < (warp + 1) * lanes; ++t) {
        if (!access.threads[t]) continue;
        std::int64_t address = access.offset + skip;
        for (std::size_t bit = 0; bit < thread_bits; ++bit)
            if ((t >> bit & 1) != 0) address += group.bits[bit];
        lines[count++] = address >= 0 ? address / atlas::line_bytes : (address + 1) / atlas::line_bytes - 1;
    }
    const auto last = lines.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(lines.begin(), last);
    return static_cast<int>(std::unique(lines.begin(), last) - lines.begin());
}

} // namespace

int lines_touched(const std::vector<AccessGroup>& groups) {
    int count = 0;
    for (const AccessGroup& group : groups)
        for (const Access& access : group.accesses)
            for (std::size_t warp = 0; warp < warps; ++warp)
                for (int skip = 0; skip < access.bytes; skip += atlas::measured_access)
                    count += lines_of(group, access, warp, skip);
    return count;
}

const std::vector<ThreadForm>& GlobalPaths::forms(const sema::Fragment& fragment, bool every_copy) {
    const Key key{fragment.image, every_copy};
    auto known = forms_.find(key);
    if (known == forms_.end())
        known = forms_.emplace(key, thread_forms(kernel_.slots(fragment), every_copy)).first;
    return known->second;
}

const std::variant<WarpTiles, int>& GlobalPaths::tiles(const sema::Fragment& fragment, bool every_copy) {
    const Key key{fragment.image, every_copy};
    auto known = tiles_.find(key);
    if (known == tiles_.end())
        known = tiles_.emplace(key, warp_tiles(kernel_.slots(fragment), every_copy)).first;
    return known->second;
}

GlobalPath GlobalPaths::path(const sema::GlobalCopy& copy, base::Span span, base::Diagnostics& diagnostics) {
    using Path = sema::GlobalCopy::Path;
    const auto& tensor = std::get<sema::Tensor>(kernel_.parameters.at(copy.tensor.object));
    const sema::Fragment& fragment = kernel_.fragments.at(copy.fragment.object);
    const bool is_load = copy.op == sema::GlobalCopy::Op::load;
    GlobalPath made;
    made.direct = accesses(copy, tensor, forms(fragment, is_load), widest_);
    made.direct_lines = lines_touched(made.direct);
    if (copy.path == Path::direct) return made;
    const auto& held = tiles(fragment, is_load);
    if (const int* warp = std::get_if<int>(&held)) {
        if (copy.path == Path::staged)
            diagnostics.report(base::catalogue::cannot_stage, span, fragment.name, *warp)
                .help("write `direct`, or neither word");
        return made;
    }
    // The variable that hands round the allocation's address lies beside the staging area.
    const int most = (atlas::static_shared_bytes - chunk_bytes) / (warps * kernel_.warpgroups);
    StagedPlan plan = plan_staged(copy, tensor, kernel_.slots(fragment), std::get<WarpTiles>(held),
                                  std::min(most, atlas::lanes_per_warp * atlas::staged_row_bytes) /
                                      chunk_bytes * chunk_bytes);
    for (const std::vector<StagedPiece>& round : plan.rounds)
        for (const StagedPiece& piece : round) made.staged_lines += lines_touched(piece.walk);
    if (copy.path == Path::staged || made.direct_lines >= atlas::staging_ratio * made.staged_lines)
        made.staged = std::move(plan);
    return made;
}

} // namespace tmemc::lower
