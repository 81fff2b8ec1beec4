// Edit distance with swaps of neighbours (optimal string alignment): one row of the table per letter of `a`,
// of which the last three suffice; a row that is beyond the limit everywhere ends it.
#include "base/near.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace tmemc::base {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::size_t longest_mistyped = 64; // the table grows with the square of the length
constexpr int no_limit = std::numeric_limits<int>::max();

/// The distance, or some number above the limit when it is above it.
int distance_within(std::string_view a, std::string_view b, int limit) {
    const std::size_t difference = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
    if (difference > static_cast<std::size_t>(limit)) return no_limit;
    std::vector<int> two_up(b.size() + 1), up(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(two_up, up);
        std::swap(up, row);
        int least = row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int change = up[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({up[j] + 1, row[j - 1] + 1, change});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], two_up[j - 2] + 1);
            least = std::min(least, row[j]);
        }
        const bool may_swap = *std::min_element(up.begin(), up.end()) + 1 <= limit;
        if (least > limit && !may_swap) return no_limit;
    }
    return row.back();
}

bool equal_but_for_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

} // namespace

int edit_distance(std::string_view a, std::string_view b) { return distance_within(a, b, no_limit); }

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
    if (name.size() > longest_mistyped) return {};
    const int limit = static_cast<int>(name.size() / 3);
    std::string found;
    int best = limit + 1;
    for (const std::string& candidate : candidates) {
        const int distance =
            equal_but_for_case(name, candidate) ? 0 : distance_within(name, candidate, best - 1);
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

} // namespace tmemc::base
