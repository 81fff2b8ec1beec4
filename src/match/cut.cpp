// Runs, their cuts and what they cost.
#include "match/cut.hpp"

#include "atlas/costs.hpp"

#include <algorithm>
#include <limits>
#include <span>

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

int cost_of(const atlas::ShapeRow& shape, std::span<const int> vector) {
    return (shape.split ? atlas::split_cost : atlas::message_cost) + atlas::move_cost * moves(vector);
}

/// Tiles that one message can move when it moves enough of them.
using Run = std::vector<Tile>;

/// Puts tiles side by side, the successor with the next register first.
std::vector<Run> runs_of(std::vector<Tile> tiles) {
    std::sort(tiles.begin(), tiles.end());
    std::vector<bool> taken(tiles.size(), false);
    std::vector<Run> runs;
    const auto successor = [&](const Tile& last) -> std::optional<std::size_t> {
        Tile wanted = last;
        wanted.column += column_factor(last.pack) * last.shape->columns;
        wanted.registers = {};
        const int next = last.registers[static_cast<std::size_t>(last.shape->registers - 1)] + 1;
        std::optional<std::size_t> found;
        for (auto at = std::lower_bound(tiles.begin(), tiles.end(), wanted); at != tiles.end(); ++at) {
            Tile place = *at;
            place.registers = {};
            if (place != wanted) break;
            const auto index = static_cast<std::size_t>(at - tiles.begin());
            if (taken[index]) continue;
            if (!found || at->registers[0] == next) found = index;
        }
        return found;
    };
    for (std::size_t first = 0; first < tiles.size(); ++first) {
        if (taken[first]) continue;
        runs.emplace_back();
        for (std::optional<std::size_t> at = first; at; at = successor(tiles[*at])) {
            taken[*at] = true;
            runs.back().push_back(tiles[*at]);
        }
    }
    return runs;
}

/// The best cut of one run.
class RunCutter {
  public:
    RunCutter(const Run& run, const Limits& limits)
        : run_(run), shape_(*run.front().shape),
          widest_(std::min(shape_.max_num, limits.registers / shape_.registers)), best_(run.size() + 1) {
        for (const Tile& tile : run)
            registers_.insert(registers_.end(), tile.registers.begin(),
                              tile.registers.begin() + shape_.registers);
        for (std::size_t i = run.size(); i-- > 0;) best_[i] = best_from(i);
    }

    void append(std::vector<Message>& messages, const std::vector<int>& warps) const {
        for (std::size_t i = 0; i < run_.size(); i += static_cast<std::size_t>(best_[i].num)) {
            const Tile& first = run_[i];
            const auto vector = registers(i, best_[i].num);
            Message message{shape_.shape, best_[i].num, first.row, first.column};
            message.registers.assign(vector.begin(), vector.end());
            message.warps = warps;
            message.pack = first.pack;
            if (shape_.split) message.half_split = first.half_split;
            messages.push_back(std::move(message));
        }
    }

  private:
    /// The first message of the best cut of the tiles from some tile on, and what all of that cut costs.
    struct Choice {
        int num = 0;
        int cost = 0;
        int messages = 0;
    };

    Choice best_from(std::size_t i) const {
        Choice best{0, std::numeric_limits<int>::max(), 0};
        const int left = static_cast<int>(run_.size() - i);
        int num = 1;
        while (2 * num <= std::min(left, widest_)) num *= 2;
        for (; num > 0; num /= 2) {
            const Choice& rest = best_[i + static_cast<std::size_t>(num)];
            const Choice all{num, rest.cost + cost_of(shape_, registers(i, num)), rest.messages + 1};
            if (all.cost < best.cost || (all.cost == best.cost && all.messages < best.messages)) best = all;
        }
        return best;
    }

    std::span<const int> registers(std::size_t first, int num) const {
        const auto per_tile = static_cast<std::size_t>(shape_.registers);
        return std::span<const int>(registers_)
            .subspan(first * per_tile, static_cast<std::size_t>(num) * per_tile);
    }

    const Run& run_;
    const atlas::ShapeRow& shape_;
    int widest_; // tiles in one message
    std::vector<int> registers_;
    std::vector<Choice> best_; // by first tile
};

} // namespace

int cost_of(const Message& message) { return cost_of(atlas::row(message.shape), message.registers); }

std::vector<Message> cut(std::vector<Tile> tiles, const std::vector<int>& warps, const Limits& limits) {
    std::vector<Message> messages;
    for (const Run& run : runs_of(std::move(tiles))) RunCutter(run, limits).append(messages, warps);
    return messages;
}

} // namespace tmemc::match
