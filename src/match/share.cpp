// Both ways of sharing, then their costs.
#include "match/share.hpp"

#include "atlas/costs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tmemc::match {

namespace {

using Warps = std::vector<int>;

void append(std::vector<Message>& all, std::vector<Message> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<Message> by_tile(const WarpTiles& tiles, const Limits& limits) {
    std::vector<std::pair<Tile, int>> owned;
    for (int warp = 0; warp < 4; ++warp)
        for (const Tile& tile : tiles[static_cast<std::size_t>(warp)]) owned.emplace_back(tile, warp);
    std::sort(owned.begin(), owned.end());
    std::map<Warps, std::vector<Tile>> groups;
    for (std::size_t i = 0; i < owned.size();) {
        const Tile& tile = owned[i].first;
        Warps warps;
        for (; i < owned.size() && owned[i].first == tile; ++i) warps.push_back(owned[i].second);
        groups[warps].push_back(tile);
    }
    std::vector<Message> messages;
    for (auto& [warps, group] : groups) append(messages, cut(std::move(group), warps, limits));
    return messages;
}

std::vector<Message> by_class(const WarpTiles& tiles, const Limits& limits) {
    std::map<std::vector<Tile>, Warps> classes;
    for (int warp = 0; warp < 4; ++warp)
        if (!tiles[static_cast<std::size_t>(warp)].empty())
            classes[tiles[static_cast<std::size_t>(warp)]].push_back(warp);
    std::vector<Message> messages;
    for (const auto& [list, warps] : classes) append(messages, cut(list, warps, limits));
    return messages;
}

} // namespace

int cost_of(const std::vector<Message>& messages) {
    std::array<int, 4> busy{};
    std::set<Warps> branches;
    for (const Message& message : messages) {
        for (int warp : message.warps) busy[static_cast<std::size_t>(warp)] += cost_of(message);
        if (message.warps.size() < busy.size()) branches.insert(message.warps);
    }
    return *std::max_element(busy.begin(), busy.end()) +
           atlas::branch_cost * static_cast<int>(branches.size());
}

std::vector<Message> share(WarpTiles tiles, const Limits& limits) {
    for (std::vector<Tile>& list : tiles) std::sort(list.begin(), list.end());
    std::vector<Message> messages = by_tile(tiles, limits);
    const bool all_share = std::all_of(messages.begin(), messages.end(),
                                       [&](const Message& m) { return m.warps == messages.front().warps; });
    if (!all_share) {
        std::vector<Message> other = by_class(tiles, limits);
        const auto rank = [](const std::vector<Message>& plan) {
            return std::make_tuple(cost_of(plan), plan.size());
        };
        if (rank(other) < rank(messages)) messages = std::move(other);
    }
    const auto before = [](const Message& a, const Message& b) {
        return std::tie(a.row, a.column, a.warps, a.registers) <
               std::tie(b.row, b.column, b.warps, b.registers);
    };
    std::stable_sort(messages.begin(), messages.end(), before);
    return messages;
}

} // namespace tmemc::match
