// The special registers. Threads are numbered with x running fastest; 32 of them are a warp.
#include "emulator/special.hpp"

namespace tmemc::emulator {

namespace {

const Dimensions& block(const Warp& warp) { return warp.cta->run->launch->block; }
const Dimensions& grid(const Warp& warp) { return warp.cta->run->launch->grid; }
std::uint32_t thread(const Warp& warp, std::uint32_t lane) { return warp.index * 32 + lane; }

constexpr SpecialRow rows[] = {
    {"%tid.x", [](const Warp& w, std::uint32_t lane) { return thread(w, lane) % block(w).x; }},
    {"%tid.y", [](const Warp& w, std::uint32_t lane) { return thread(w, lane) / block(w).x % block(w).y; }},
    {"%tid.z", [](const Warp& w, std::uint32_t lane) { return thread(w, lane) / block(w).x / block(w).y; }},
    {"%ntid.x", [](const Warp& w, std::uint32_t) { return block(w).x; }},
    {"%ntid.y", [](const Warp& w, std::uint32_t) { return block(w).y; }},
    {"%ntid.z", [](const Warp& w, std::uint32_t) { return block(w).z; }},
    {"%ctaid.x", [](const Warp& w, std::uint32_t) { return w.cta->id.x; }},
    {"%ctaid.y", [](const Warp& w, std::uint32_t) { return w.cta->id.y; }},
    {"%ctaid.z", [](const Warp& w, std::uint32_t) { return w.cta->id.z; }},
    {"%nctaid.x", [](const Warp& w, std::uint32_t) { return grid(w).x; }},
    {"%nctaid.y", [](const Warp& w, std::uint32_t) { return grid(w).y; }},
    {"%nctaid.z", [](const Warp& w, std::uint32_t) { return grid(w).z; }},
    {"%laneid", [](const Warp&, std::uint32_t lane) { return lane; }},
    {"%warpid", [](const Warp& w, std::uint32_t) { return w.index; }},
    {"%nwarpid",
     [](const Warp& w, std::uint32_t) { return static_cast<std::uint32_t>(w.cta->warps.size()); }},
    {"%lanemask_eq", [](const Warp&, std::uint32_t lane) { return 1u << lane; }},
    {"%lanemask_lt", [](const Warp&, std::uint32_t lane) { return (1u << lane) - 1; }},
    {"%lanemask_le", [](const Warp&, std::uint32_t lane) { return (2u << lane) - 1; }},
    {"%lanemask_gt", [](const Warp&, std::uint32_t lane) { return ~((2u << lane) - 1); }},
    {"%lanemask_ge", [](const Warp&, std::uint32_t lane) { return ~((1u << lane) - 1); }},
};

} // namespace

std::span<const SpecialRow> special_rows() { return rows; }

std::optional<std::size_t> special_row(std::string_view name) {
    for (std::size_t row = 0; row < std::size(rows); ++row) {
        if (rows[row].name == name) return row;
    }
    return std::nullopt;
}

} // namespace tmemc::emulator
