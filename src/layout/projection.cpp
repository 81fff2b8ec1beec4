// Digits of the rows, digits of the columns, and what becomes of each.
#include "layout/projection.hpp"

#include <algorithm>
#include <cstdlib>

namespace tmemc::layout {

namespace {

struct Split {
    std::vector<Digit> rows, columns; // most significant first
};

/// The least significant digits count the columns; one that counts both is split.
std::optional<Split> split(const std::vector<Digit>& shard, std::int64_t cols) {
    Split result;
    const std::vector<Digit> ascending(shard.rbegin(), shard.rend());
    for (const Digit& digit : ascending) {
        if (cols % digit.extent == 0) {
            result.columns.push_back(digit);
            cols /= digit.extent;
            continue;
        }
        if (digit.extent % cols != 0) return std::nullopt;
        if (cols > 1) result.columns.push_back({cols, digit.stride, digit.axis});
        result.rows.push_back({digit.extent / cols, digit.stride * cols, digit.axis});
        cols = 1;
    }
    std::reverse(result.rows.begin(), result.rows.end());
    std::reverse(result.columns.begin(), result.columns.end());
    return result;
}

/// Register slots side by side, in the order that they had.
void close_gaps(std::vector<Digit>& digits) {
    std::vector<Digit*> slots;
    for (Digit& digit : digits)
        if (digit.axis == Axis::m) slots.push_back(&digit);
    std::stable_sort(slots.begin(), slots.end(), [](const Digit* a, const Digit* b) {
        return std::abs(a->stride) < std::abs(b->stride);
    });
    std::int64_t next = 1;
    for (Digit* slot : slots) {
        slot->stride = next;
        next *= slot->extent;
    }
}

} // namespace

std::optional<Layout> projected(const Layout& tile, std::int64_t cols, Coordinates kept) {
    auto parts = split(tile.shard, cols);
    if (!parts) return std::nullopt;
    const bool rows = kept == Coordinates::rows;
    Layout result;
    result.shard = rows ? std::move(parts->rows) : std::move(parts->columns);
    close_gaps(result.shard);
    if (result.shard.empty()) result.shard.push_back({1, 0, Axis::m});
    const std::vector<Digit>& others = rows ? parts->columns : parts->rows;
    for (const std::vector<Digit>* digits : {&others, &tile.replica})
        for (const Digit& digit : *digits)
            if (digit.axis != Axis::m && digit.extent > 1) result.replica.push_back(digit);
    result.offset = tile.offset;
    result.offset[Axis::m] = 0;
    return result;
}

} // namespace tmemc::layout
