// Row by row: who holds which columns, and whether everybody who wants the result gets them all.
#include "sema/row_fold.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::sema {

namespace {

constexpr int warp_threads = 32;

/// What a thread holds of a row.
struct Share {
    std::vector<int> columns; // ascending
    std::vector<RegisterSlot> slots;
};
using Shares = std::map<int, Share>; // by thread

Shares shares_of(const layout::SlotMap& map, const Region& over, int row) {
    Shares shares;
    for (int col = 0; col < over.cols; ++col)
        for (int k = 0; k < map.copies; ++k) {
            const layout::Slot& slot = map.at(over.row + row, over.col + col, k);
            Share& share = shares[slot.thread];
            if (!share.columns.empty() && share.columns.back() == col) continue; // a copy in the same thread
            share.columns.push_back(col);
            share.slots.push_back({slot.reg, slot.bit});
        }
    for (auto& [thread, share] : shares)
        std::sort(share.slots.begin(), share.slots.end(), [](const RegisterSlot& a, const RegisterSlot& b) {
            return std::pair(a.reg, a.bit) < std::pair(b.reg, b.bit);
        });
    return shares;
}

bool disjoint(const Share& a, const Share& b) {
    return std::none_of(a.columns.begin(), a.columns.end(), [&](int column) {
        return std::binary_search(b.columns.begin(), b.columns.end(), column);
    });
}

/// The bits of the thread number that lead to the rest of the row.
std::vector<int> exchanges_of(const Shares& shares, int thread) {
    std::vector<int> distances;
    for (int distance = 1; distance < layout::max_threads; distance *= 2) {
        const auto other = shares.find(thread ^ distance);
        if (other != shares.end() && disjoint(shares.at(thread), other->second))
            distances.push_back(distance);
    }
    return distances;
}

/// How many columns come together in `thread`; -1 when one comes twice.
int gathered(const Shares& shares, int thread, const std::vector<int>& exchanges) {
    std::vector<int> columns;
    for (std::size_t number = 0; number < std::size_t{1} << exchanges.size(); ++number) {
        int from = thread;
        for (std::size_t bit = 0; bit < exchanges.size(); ++bit)
            if ((number >> bit & 1) != 0) from ^= exchanges[bit];
        const auto share = shares.find(from);
        if (share == shares.end()) continue;
        columns.insert(columns.end(), share->second.columns.begin(), share->second.columns.end());
    }
    std::sort(columns.begin(), columns.end());
    const bool twice = std::adjacent_find(columns.begin(), columns.end()) != columns.end();
    return twice ? -1 : static_cast<int>(columns.size());
}

std::string threads_of(const Shares& shares) {
    std::string text;
    std::size_t named = 0;
    for (const auto& [thread, share] : shares) {
        const bool last = ++named == shares.size();
        if (named > 4 && !last) continue;
        text += named == 1 ? "" : named > 5 ? ", ... and " : last ? " and " : ", ";
        text += std::to_string(thread);
    }
    return (shares.size() == 1 ? "thread " : "threads ") + text;
}

class Folding {
  public:
    Folding(const layout::SlotMap& map, const Region& over, const layout::SlotMap& target,
            const Region& target_region)
        : map_(map), over_(over), target_(target), target_region_(target_region) {}

    std::variant<RowFold, Scattered> fold() {
        for (int row = 0; row < over_.rows; ++row)
            if (auto reason = add(row)) return Scattered{std::move(*reason)};
        return std::move(fold_);
    }

  private:
    std::optional<std::string> add(int row) {
        const Shares shares = shares_of(map_, over_, row);
        const std::string held = fmt::format("row {} is held by {}", over_.row + row, threads_of(shares));
        for (int k = 0; k < target_.copies; ++k) {
            const layout::Slot& to = target_.at(target_region_.row + row, target_region_.col, k);
            const auto share = shares.find(to.thread);
            if (share == shares.end()) return fmt::format("{}, and wanted in thread {}", held, to.thread);
            const auto exchanges = exchanges_of(shares, to.thread);
            if (!exchanges.empty() && exchanges.back() >= warp_threads)
                return held + ", in more than one warp";
            if (std::exchange(first_, false)) fold_.exchanges = exchanges;
            for (const int distance : exchanges)
                if (!wanted_in(row, {static_cast<std::uint16_t>(to.thread ^ distance), to.reg, to.bit}))
                    return fmt::format("{}, and wanted in thread {} alone", held, to.thread);
            if (exchanges != fold_.exchanges || gathered(shares, to.thread, exchanges) != over_.cols)
                return held + ", whose numbers do not differ in whole bits, as for other rows";
            const auto [known, fresh] = fold_.elements.try_emplace({to.reg, to.bit}, share->second.slots);
            if (known->second != share->second.slots)
                return fmt::format("{}, and thread {} holds its part in other registers than threads of "
                                   "other rows",
                                   held, to.thread);
        }
        return std::nullopt;
    }

    /// Threads exchange what they compute for one register of the target.
    bool wanted_in(int row, const layout::Slot& slot) const {
        for (int k = 0; k < target_.copies; ++k)
            if (target_.at(target_region_.row + row, target_region_.col, k) == slot) return true;
        return false;
    }

    const layout::SlotMap& map_;
    const Region& over_;
    const layout::SlotMap& target_;
    const Region& target_region_;
    RowFold fold_;
    bool first_ = true;
};

} // namespace

std::variant<RowFold, Scattered> row_fold(const layout::SlotMap& map, const Region& over,
                                          const layout::SlotMap& target, const Region& target_region) {
    return Folding(map, over, target, target_region).fold();
}

} // namespace tmemc::sema
