// Runs and their cuts.
#include "match/cut.hpp"

#include "match/cost.hpp"

#include <algorithm>
#include <span>

namespace tmemc::match {

namespace {

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

/// The best cuts of one run.
class RunCutter {
  public:
    RunCutter(const Run& run, const Limits& limits, std::size_t count)
        : run_(run), shape_(*run.front().shape),
          widest_(std::min(shape_.max_num, limits.registers / shape_.registers)), count_(count),
          best_(run.size() + 1) {
        for (const Tile& tile : run)
            registers_.insert(registers_.end(), tile.registers.begin(),
                              tile.registers.begin() + shape_.registers);
        best_.back() = {Choice{}};
        for (std::size_t i = run.size(); i-- > 0;) best_[i] = best_from(i);
    }

    RunCuts cuts(const std::vector<int>& warps) const {
        RunCuts all;
        for (std::size_t rank = 0; rank < best_.front().size(); ++rank) all.push_back(cut(rank, warps));
        return all;
    }

  private:
    /// A cut of the tiles from some tile on: its first message, which of the cuts behind it goes on, and
    /// what all of it costs.
    struct Choice {
        int num = 0;
        std::size_t rest = 0; // into best_ of the tile behind the message
        int cost = 0;
        int messages = 0;
    };

    /// Cheapest first; of equally dear cuts, fewest messages first, then the widest first message.
    std::vector<Choice> best_from(std::size_t i) const {
        const auto before = [](const Choice& a, const Choice& b) {
            return a.cost != b.cost ? a.cost < b.cost : a.messages < b.messages;
        };
        std::vector<Choice> best;
        const int left = static_cast<int>(run_.size() - i);
        int num = 1;
        while (2 * num <= std::min(left, widest_)) num *= 2;
        for (; num > 0; num /= 2) {
            const std::vector<Choice>& behind = best_[i + static_cast<std::size_t>(num)];
            // Nothing is cheaper than a message without moves: most narrow ones need not be looked at.
            const int at_least = behind.front().cost + cost_of(shape_, {});
            if (best.size() == count_ && at_least > best.back().cost) continue;
            const int cost = cost_of(shape_, registers(i, num));
            for (std::size_t rest = 0; rest < behind.size(); ++rest) {
                const Choice all{num, rest, behind[rest].cost + cost, behind[rest].messages + 1};
                best.insert(std::upper_bound(best.begin(), best.end(), all, before), all);
                if (best.size() > count_) best.pop_back();
            }
        }
        return best;
    }

    std::vector<Message> cut(std::size_t rank, const std::vector<int>& warps) const {
        std::vector<Message> messages;
        for (std::size_t i = 0; i < run_.size();) {
            const Choice& choice = best_[i][rank];
            const Tile& first = run_[i];
            const auto vector = registers(i, choice.num);
            Message message{shape_.shape, choice.num, first.row, first.column};
            message.registers.assign(vector.begin(), vector.end());
            message.warps = warps;
            message.pack = first.pack;
            if (shape_.split) message.half_split = first.half_split;
            messages.push_back(std::move(message));
            i += static_cast<std::size_t>(choice.num);
            rank = choice.rest;
        }
        return messages;
    }

    std::span<const int> registers(std::size_t first, int num) const {
        const auto per_tile = static_cast<std::size_t>(shape_.registers);
        return std::span<const int>(registers_)
            .subspan(first * per_tile, static_cast<std::size_t>(num) * per_tile);
    }

    const Run& run_;
    const atlas::ShapeRow& shape_;
    int widest_; // tiles in one message
    std::size_t count_;
    std::vector<int> registers_;
    std::vector<std::vector<Choice>> best_; // by first tile
};

} // namespace

std::vector<RunCuts> cut(std::vector<Tile> tiles, const std::vector<int>& warps, const Limits& limits,
                         std::size_t count) {
    std::vector<RunCuts> all;
    for (const Run& run : runs_of(std::move(tiles))) all.push_back(RunCutter(run, limits, count).cuts(warps));
    return all;
}

} // namespace tmemc::match
