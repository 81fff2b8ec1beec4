// The ways of sharing as groups of warps, every group cut run by run, and the cheapest results kept.
#include "match/share.hpp"

#include "atlas/limits.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tmemc::match {

namespace {

using Warps = std::vector<int>;
using Tiles = std::vector<Tile>;

/// Warps that share messages, and the tiles that they move together.
struct Group {
    Warps warps;
    Tiles tiles;
    bool operator==(const Group&) const = default;
};
using Groups = std::vector<Group>; // ascending by warps; together each warp's tiles

const Tiles& of_warp(const WarpTiles& tiles, int warp) { return tiles[static_cast<std::size_t>(warp)]; }

Groups by_tile(const WarpTiles& tiles) {
    std::map<Tile, Warps> owners;
    for (int warp = 0; warp < atlas::warps_per_group; ++warp)
        for (const Tile& tile : of_warp(tiles, warp)) owners[tile].push_back(warp);
    std::map<Warps, Tiles> shared;
    for (const auto& [tile, warps] : owners) shared[warps].push_back(tile);
    Groups groups;
    for (auto& [warps, list] : shared) groups.push_back({warps, std::move(list)});
    return groups;
}

Groups by_class(const WarpTiles& tiles) {
    Groups groups;
    for (int warp = 0; warp < atlas::warps_per_group; ++warp) {
        const Tiles& list = of_warp(tiles, warp);
        if (list.empty()) continue;
        const auto same = std::find_if(groups.begin(), groups.end(),
                                       [&list](const Group& group) { return group.tiles == list; });
        if (same != groups.end())
            same->warps.push_back(warp);
        else
            groups.push_back({{warp}, list});
    }
    std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.warps < b.warps; });
    return groups;
}

Groups alone(const WarpTiles& tiles) {
    Groups groups;
    for (int warp = 0; warp < atlas::warps_per_group; ++warp)
        if (!of_warp(tiles, warp).empty()) groups.push_back({{warp}, of_warp(tiles, warp)});
    return groups;
}

/// The cheapest plans seen; of equals the one that came first.
class Cheapest {
  public:
    explicit Cheapest(std::size_t count) : count_(count) {}

    void offer(std::vector<Message> plan) {
        Entry entry{cost_of(plan).total(), std::move(plan)};
        const auto before = [](const Entry& a, const Entry& b) {
            return std::make_tuple(a.cost, a.messages.size()) < std::make_tuple(b.cost, b.messages.size());
        };
        const auto at = std::upper_bound(best_.begin(), best_.end(), entry, before);
        if (at == best_.end() && best_.size() == count_) return;
        in_order(entry.messages);
        best_.insert(at, std::move(entry));
        if (best_.size() > count_) best_.pop_back();
    }

    std::vector<std::vector<Message>> take() {
        std::vector<std::vector<Message>> plans;
        plans.reserve(best_.size());
        for (Entry& entry : best_) plans.push_back(std::move(entry.messages));
        return plans;
    }

  private:
    struct Entry {
        int cost = 0;
        std::vector<Message> messages;
    };

    static void in_order(std::vector<Message>& messages) {
        const auto before = [](const Message& a, const Message& b) {
            return std::tie(a.row, a.column, a.warps, a.registers) <
                   std::tie(b.row, b.column, b.warps, b.registers);
        };
        std::stable_sort(messages.begin(), messages.end(), before);
    }

    std::size_t count_;
    std::vector<Entry> best_;
};

/// Offers every run's best cut, and with one of the runs cut otherwise.
void offer_cuts(Cheapest& cheapest, const Groups& groups, const Limits& limits, std::size_t count) {
    std::vector<RunCuts> runs;
    for (const Group& group : groups) {
        std::vector<RunCuts> more = cut(group.tiles, group.warps, limits, count);
        std::move(more.begin(), more.end(), std::back_inserter(runs));
    }
    const auto plan = [&runs](std::size_t other, std::size_t rank) {
        std::vector<Message> messages;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const std::vector<Message>& chosen = runs[i][i == other ? rank : 0];
            messages.insert(messages.end(), chosen.begin(), chosen.end());
        }
        return messages;
    };
    cheapest.offer(plan(0, 0));
    for (std::size_t other = 0; other < runs.size(); ++other)
        for (std::size_t rank = 1; rank < runs[other].size(); ++rank) cheapest.offer(plan(other, rank));
}

} // namespace

std::vector<std::vector<Message>> share(WarpTiles tiles, const Limits& limits, std::size_t count) {
    for (Tiles& list : tiles) std::sort(list.begin(), list.end());
    std::vector<Groups> ways; // different groups have different messages
    const auto add = [&ways](Groups groups) {
        if (std::find(ways.begin(), ways.end(), groups) == ways.end()) ways.push_back(std::move(groups));
    };
    Groups classes = by_class(tiles);
    if (classes.size() > 1) add(by_tile(tiles)); // in a single class, every tile has the same owners
    add(std::move(classes));
    if (count > 1) add(alone(tiles)); // never cheaper than class by class
    Cheapest cheapest(count);
    for (const Groups& groups : ways) offer_cuts(cheapest, groups, limits, count);
    return cheapest.take();
}

} // namespace tmemc::match
