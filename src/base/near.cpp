// Edit distance with swaps of neighbours (optimal string alignment): one row of the table per letter of `a`,
// of which the last three suffice.
#include "base/near.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tmemc::base {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_but_for_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

} // namespace

int edit_distance(std::string_view a, std::string_view b) {
    std::vector<int> two_up, up, row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        two_up = std::exchange(up, std::exchange(row, std::vector<int>(b.size() + 1)));
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int change = up[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({up[j] + 1, row[j - 1] + 1, change});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], two_up[j - 2] + 1);
        }
    }
    return row.back();
}

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
    const int limit = static_cast<int>(name.size() / 3);
    std::string found;
    int best = limit + 1;
    for (const std::string& candidate : candidates) {
        const int distance = equal_but_for_case(name, candidate) ? 0 : edit_distance(name, candidate);
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

} // namespace tmemc::base
