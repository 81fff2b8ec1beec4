// Both ways are planned, and their lines counted.
#include "lower/global_path.hpp"

#include "atlas/costs.hpp"
#include "atlas/limits.hpp"
#include "lower/staging.hpp"

#include <algorithm>

namespace tmemc::lower {
namespace {

constexpr std::size_t lanes = atlas::lanes_per_warp;

constexpr std::int64_t far = 1 << 20; // bytes between rows whose pitch a parameter gives

/// Pieces of memory, of `size` bytes, that one access of one warp touches, beginning `skip` bytes into it.
int pieces_of(const AccessGroup& group, const Access& access, std::size_t warp, int skip, bool rows_apart,
              int size) {
    std::array<std::int64_t, lanes> pieces{};
    std::size_t count = 0;
    for (std::size_t t = warp * lanes; t < (warp + 1) * lanes; ++t) {
        if (!access.threads[t]) continue;
        std::int64_t address = access.offset + skip;
        for (std::size_t bit = 0; bit < thread_bits; ++bit)
            if ((t >> bit & 1) != 0)
                address += group.bits[bit] + (rows_apart ? group.places[bit].row * far : 0);
        pieces[count++] = address >= 0 ? address / size : (address + 1) / size - 1;
    }
    const auto last = pieces.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(pieces.begin(), last);
    return static_cast<int>(std::unique(pieces.begin(), last) - pieces.begin());
}

/// In sectors; a line counts as those in it.
int cost_of(const Touched& touched) {
    return touched.lines * (atlas::line_bytes / atlas::sector_bytes) + touched.sectors;
}

} // namespace

Touched touched(const std::vector<AccessGroup>& groups, bool rows_apart) {
    Touched all;
    for (const AccessGroup& group : groups)
        for (const Access& access : group.accesses)
            for (std::size_t warp = 0; warp < warps; ++warp)
                for (int skip = 0; skip < access.bytes; skip += atlas::measured_access) {
                    all.lines += pieces_of(group, access, warp, skip, rows_apart, atlas::line_bytes);
                    all.sectors += pieces_of(group, access, warp, skip, rows_apart, atlas::sector_bytes);
                }
    return all;
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
    const Touched direct = touched(made.direct, tensor.pitch_from.has_value());
    made.direct_lines = direct.lines;
    // With a pitch that a parameter gives, every row of the walk would need a pointer of its own; and a
    // column of numbers that is a row in memory is coalesced as it is.
    const bool turned = copy.tensor.rows != copy.fragment.rows;
    if (copy.path == Path::direct || (copy.path == Path::choose && (tensor.pitch_from || turned)))
        return made;
    const auto& held = tiles(fragment, is_load);
    const auto cannot = [&](const std::string& why) {
        if (copy.path == Path::staged)
            diagnostics.report(base::catalogue::cannot_stage, span, fragment.name, why)
                .help("write `direct`, or neither word");
        return made;
    };
    if (const int* warp = std::get_if<int>(&held))
        return cannot(fmt::format("what warp {} holds of it is no set of rows by columns", *warp));
    const WarpTiles& tiles = std::get<WarpTiles>(held);
    // The variable that hands round the allocation's address lies beside the staging area.
    const int shared = (atlas::static_shared_bytes - part_alignment) / (warps * kernel_.warpgroups);
    const int most =
        std::min(shared, atlas::lanes_per_warp * atlas::staged_row_bytes) / part_alignment * part_alignment;
    if (const int column = staged_rows(tiles) * base::bytes(tensor.dtype); column > most)
        return cannot(fmt::format(
            "a column of what a warp holds has {} bytes, and its part of shared memory {}", column, most));
    StagedPlan plan = plan_staged(copy, tensor, kernel_.slots(fragment), tiles, most);
    plan.bytes = (plan.bytes + part_alignment - 1) / part_alignment * part_alignment;
    Touched staged;
    for (const std::vector<StagedPiece>& round : plan.rounds)
        for (const StagedPiece& piece : round) staged += touched(piece.walk, tensor.pitch_from.has_value());
    made.staged_lines = staged.lines;
    if (copy.path == Path::staged || cost_of(direct) >= atlas::staging_ratio * cost_of(staged))
        made.staged = std::move(plan);
    return made;
}

} // namespace tmemc::lower
