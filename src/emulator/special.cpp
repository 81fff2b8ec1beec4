// The special registers. Threads are numbered with x running fastest; 32 of them are a warp. Clocks are those
// of the host, in nanoseconds; two reads of one thread never give the same.
#include "emulator/special.hpp"

#include "emulator/lanes.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

using namespace TMEMC_LEVEL;
using Lane = std::uint32_t;

const Dimensions& block(const Warp& warp) { return warp.cta->run->launch->block; }
const Dimensions& grid(const Warp& warp) { return warp.cta->run->launch->grid; }
std::uint32_t thread(const Warp& warp, Lane lane) { return warp.index * 32 + lane; }
std::uint64_t below(Lane lane) { return (std::uint64_t{1} << lane) - 1; }
constexpr std::uint32_t word = 0xffffffff;

template <std::uint64_t value>
std::uint64_t always(const Warp&, Lane) {
    return value;
}
std::uint64_t cta_x(const Warp& w, Lane) { return w.cta->id.x; }
std::uint64_t cta_y(const Warp& w, Lane) { return w.cta->id.y; }
std::uint64_t cta_z(const Warp& w, Lane) { return w.cta->id.z; }
std::uint64_t ctas_x(const Warp& w, Lane) { return grid(w).x; }
std::uint64_t ctas_y(const Warp& w, Lane) { return grid(w).y; }
std::uint64_t ctas_z(const Warp& w, Lane) { return grid(w).z; }
std::uint64_t shared_bytes(const Warp& w, Lane) { return w.cta->shared.bytes.size(); }
std::uint64_t nanoseconds(const Warp&, Lane) {
    thread_local std::uint64_t last = 0;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const auto count = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    return last = std::max(last + 1, static_cast<std::uint64_t>(count));
}
std::uint64_t low_nanoseconds(const Warp& w, Lane lane) { return nanoseconds(w, lane) & word; }
std::uint64_t high_nanoseconds(const Warp& w, Lane lane) { return nanoseconds(w, lane) >> 32; }

constexpr std::uint64_t processors = 148; // of a B200
std::uint64_t processor(const Warp& w, Lane) {
    const Dimensions &id = w.cta->id, &all = grid(w);
    return ((std::uint64_t{id.z} * all.y + id.y) * all.x + id.x) % processors;
}

constexpr Needs reserved{{7, 6}, 80, {}}, clusters{{7, 8}, 90, {}};
constexpr SpecialRow rows[] = {
    {"%tid.x", [](const Warp& w, Lane lane) -> std::uint64_t { return thread(w, lane) % block(w).x; }},
    {"%tid.y",
     [](const Warp& w, Lane lane) -> std::uint64_t { return thread(w, lane) / block(w).x % block(w).y; }},
    {"%tid.z",
     [](const Warp& w, Lane lane) -> std::uint64_t { return thread(w, lane) / block(w).x / block(w).y; }},
    {"%tid.w", always<0>},
    {"%ntid.x", [](const Warp& w, Lane) -> std::uint64_t { return block(w).x; }},
    {"%ntid.y", [](const Warp& w, Lane) -> std::uint64_t { return block(w).y; }},
    {"%ntid.z", [](const Warp& w, Lane) -> std::uint64_t { return block(w).z; }},
    {"%ntid.w", always<0>},
    {"%ctaid.x", cta_x},
    {"%ctaid.y", cta_y},
    {"%ctaid.z", cta_z},
    {"%ctaid.w", always<0>},
    {"%nctaid.x", ctas_x},
    {"%nctaid.y", ctas_y},
    {"%nctaid.z", ctas_z},
    {"%nctaid.w", always<0>},
    {"%laneid", [](const Warp&, Lane lane) -> std::uint64_t { return lane; }},
    {"%warpid", [](const Warp& w, Lane) -> std::uint64_t { return w.index; }},
    {"%nwarpid", [](const Warp& w, Lane) -> std::uint64_t { return w.cta->warps.size(); }},
    {"%lanemask_eq", [](const Warp&, Lane lane) { return std::uint64_t{1} << lane; }},
    {"%lanemask_lt", [](const Warp&, Lane lane) { return below(lane); }},
    {"%lanemask_le", [](const Warp&, Lane lane) { return below(lane + 1); }},
    {"%lanemask_gt", [](const Warp&, Lane lane) { return word & ~below(lane + 1); }},
    {"%lanemask_ge", [](const Warp&, Lane lane) { return word & ~below(lane); }},
    {"%smid", processor},
    {"%nsmid", always<processors>},
    {"%gridid", always<1>, 64},
    {"%dynamic_smem_size",
     [](const Warp& w, Lane) -> std::uint64_t { return w.cta->run->launch->shared_bytes; }},
    {"%total_smem_size", shared_bytes},
    {"%aggr_smem_size", shared_bytes, 32, false, {{8, 1}, 90, {}}},
    {"%reserved_smem_offset_begin", always<0>, 32, false, reserved},
    {"%reserved_smem_offset_end", always<0>, 32, false, reserved},
    {"%reserved_smem_offset_cap", always<0>, 32, false, reserved},
    {"%reserved_smem_offset_", always<0>, 32, false, reserved},
    {"%envreg", always<0>},
    {"%pm", always<0>},
    {"%current_graph_exec", always<0>, 64, false, {{8, 0}, 75, {}}},
    {"%clusterid.x", cta_x, 32, false, clusters},
    {"%clusterid.y", cta_y, 32, false, clusters},
    {"%clusterid.z", cta_z, 32, false, clusters},
    {"%clusterid.w", always<0>, 32, false, clusters},
    {"%nclusterid.x", ctas_x, 32, false, clusters},
    {"%nclusterid.y", ctas_y, 32, false, clusters},
    {"%nclusterid.z", ctas_z, 32, false, clusters},
    {"%nclusterid.w", always<0>, 32, false, clusters},
    {"%cluster_ctaid.x", always<0>, 32, false, clusters},
    {"%cluster_ctaid.y", always<0>, 32, false, clusters},
    {"%cluster_ctaid.z", always<0>, 32, false, clusters},
    {"%cluster_ctaid.w", always<0>, 32, false, clusters},
    {"%cluster_nctaid.x", always<1>, 32, false, clusters},
    {"%cluster_nctaid.y", always<1>, 32, false, clusters},
    {"%cluster_nctaid.z", always<1>, 32, false, clusters},
    {"%cluster_nctaid.w", always<0>, 32, false, clusters},
    {"%cluster_ctarank", always<0>, 32, false, clusters},
    {"%cluster_nctarank", always<1>, 32, false, clusters},
    {"%is_explicit_cluster", always<0>, 1, false, clusters},
    {"%clock", low_nanoseconds, 32, true},
    {"%clock_hi", high_nanoseconds, 32, true},
    {"%clock64", nanoseconds, 64, true},
    {"%globaltimer", nanoseconds, 64, true},
    {"%globaltimer_lo", low_nanoseconds, 32, true},
    {"%globaltimer_hi", high_nanoseconds, 32, true},
};

} // namespace

std::span<const SpecialRow> special_rows() { return rows; }

std::optional<std::size_t> special_row(std::string_view name) {
    if (name.empty() || name[0] != '%') return std::nullopt;
    const std::string_view stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
    const bool numbered = stem == "%envreg" || stem == "%pm" || stem == "%reserved_smem_offset_";
    if (numbered == (stem.size() == name.size()) && numbered) return std::nullopt;
    for (std::size_t row = 0; row < std::size(rows); ++row) {
        if (rows[row].name == (numbered ? stem : name)) return row;
    }
    return std::nullopt;
}

void fill(Warp& warp, const Special& special) {
    const SpecialRow& row = rows[special.row];
    Row& slot = warp.registers[special.slot];
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t value = row.value(warp, lane);
        if (row.bits == 64)
            Destination<std::uint64_t>(warp, special.slot).set(static_cast<int>(lane), value);
        else if (row.bits == 32)
            slot.word[lane] = static_cast<std::uint32_t>(value);
        else
            set_predicate(warp, special.slot, Mask{1} << lane, value != 0 ? all_lanes : 0);
    }
    warp.ready[special.slot] = all_lanes;
}

void read_clock(Warp& warp, const Instruction& i, Mask mask) {
    const SpecialRow& row = rows[i.detail];
    const std::uint64_t now = row.value(warp, 0); // all lanes read it at once
    if (row.bits == 64) {
        const Destination<std::uint64_t> out(warp, i.out);
        each_lane(mask, [&](int lane) { out.set(lane, now); });
    } else {
        const Destination<std::uint32_t> out(warp, i.out);
        each_lane(mask, [&](int lane) { out.set(lane, static_cast<std::uint32_t>(now)); });
    }
}

} // namespace tmemc::emulator
