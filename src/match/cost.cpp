// Prices and sums.
#include "match/cost.hpp"

#include "atlas/costs.hpp"
#include "atlas/limits.hpp"

#include <algorithm>
#include <set>

namespace tmemc::match {

namespace {

/// Registers that ptxas must move into the vector's order.
int moves(std::span<const int> vector) {
    const int size = static_cast<int>(vector.size());
    const int block = std::min(size, atlas::vector_block);
    const auto at = [vector](int i) { return vector[static_cast<std::size_t>(i)]; };
    for (int i = 0; i < size; ++i) {
        const bool in_place = i % block == 0 ? at(i) % block == 0 : at(i) == at(i - 1) + 1;
        if (!in_place) return size;
    }
    return 0;
}

int issue_cost(const atlas::ShapeRow& shape) { return shape.split ? atlas::split_cost : atlas::message_cost; }

void add(Part& part, int count, int price) {
    part.count += count;
    part.cost += count * price;
}

} // namespace

int cost_of(const atlas::ShapeRow& shape, std::span<const int> vector) {
    return issue_cost(shape) + atlas::move_cost * moves(vector);
}

int cost_of(const Message& message) { return cost_of(atlas::row(message.shape), message.registers); }

Cost cost_of(const std::vector<Message>& messages) {
    std::array<Cost, atlas::warps_per_group> warps;
    std::set<std::vector<int>> sets; // of warps that are not all
    for (const Message& message : messages) {
        for (int warp : message.warps) {
            Cost& cost = warps[static_cast<std::size_t>(warp)];
            cost.warp = warp;
            add(cost.messages, 1, issue_cost(atlas::row(message.shape)));
            add(cost.moves, moves(message.registers), atlas::move_cost);
        }
        if (message.warps.size() < warps.size()) sets.insert(message.warps);
    }
    Cost busiest = *std::max_element(warps.begin(), warps.end(),
                                     [](const Cost& a, const Cost& b) { return a.total() < b.total(); });
    add(busiest.branches, static_cast<int>(sets.size()), atlas::branch_cost);
    return busiest;
}

} // namespace tmemc::match
