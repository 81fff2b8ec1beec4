// Lists of rows and columns, and how they are cut.
#include "lower/staged_layout.hpp"

#include <algorithm>
#include <set>

namespace tmemc::lower {
namespace {

constexpr int lanes = atlas::lanes_per_warp, swizzled_chunks = 8; // 8 chunks are the 32 banks

/// The values that are set, ascending.
std::vector<int> values(const std::vector<bool>& set) {
    std::vector<int> list;
    for (std::size_t i = 0; i < set.size(); ++i)
        if (set[i]) list.push_back(static_cast<int>(i));
    return list;
}

int place_of(const std::vector<int>& list, int value) {
    return static_cast<int>(std::lower_bound(list.begin(), list.end(), value) - list.begin());
}

/// Where a window may not reach across: ends of the region, gaps between columns.
std::set<int> borders(const WarpTiles& tiles, int from, int to) {
    std::set<int> places;
    for (const WarpTile& tile : tiles) {
        const std::vector<int>& cols = tile.cols;
        const int first = place_of(cols, from), last = place_of(cols, to);
        if (first == last) continue;
        places.insert({first, last});
        for (int i = first + 1; i < last; ++i)
            if (cols[static_cast<std::size_t>(i)] != cols[static_cast<std::size_t>(i) - 1] + 1)
                places.insert(i);
    }
    return places;
}

} // namespace

std::uint32_t swizzled(int row, int byte, int row_bytes) {
    const int chunks = std::min(std::max(row_bytes / chunk_bytes, 1), swizzled_chunks);
    const int changes = row / (swizzled_chunks / chunks) % chunks;
    return static_cast<std::uint32_t>(row * row_bytes + (byte ^ (changes * chunk_bytes)));
}

std::variant<WarpTiles, int> warp_tiles(const layout::SlotMap& slots, bool every_copy) {
    const auto cells = static_cast<std::size_t>(slots.rows) * static_cast<std::size_t>(slots.cols);
    std::array<std::vector<bool>, warps> held, rows, cols;
    for (std::size_t w = 0; w < warps; ++w) {
        held[w].resize(cells);
        rows[w].resize(static_cast<std::size_t>(slots.rows));
        cols[w].resize(static_cast<std::size_t>(slots.cols));
    }
    for (std::size_t element = 0; element < cells; ++element)
        for (int copy = 0; copy < (every_copy ? slots.copies : 1); ++copy) {
            const std::size_t at = element * static_cast<std::size_t>(slots.copies);
            const std::size_t warp = slots.places[at + static_cast<std::size_t>(copy)].thread / lanes;
            held[warp][element] = true;
            rows[warp][element / static_cast<std::size_t>(slots.cols)] = true;
            cols[warp][element % static_cast<std::size_t>(slots.cols)] = true;
        }
    WarpTiles tiles;
    for (std::size_t w = 0; w < warps; ++w) {
        tiles[w] = {values(rows[w]), values(cols[w])};
        const auto count = static_cast<std::size_t>(std::count(held[w].begin(), held[w].end(), true));
        if (count != tiles[w].rows.size() * tiles[w].cols.size()) return static_cast<int>(w);
    }
    return tiles;
}

int staged_rows(const WarpTiles& tiles) {
    std::size_t rows = 1;
    for (const WarpTile& tile : tiles)
        while (rows < tile.rows.size()) rows *= 2;
    return static_cast<int>(rows);
}

std::vector<Window> windows(const WarpTiles& tiles, int from, int to, int most) {
    std::vector<Window> list;
    const std::set<int> ends = borders(tiles, from, to);
    for (auto end = ends.begin(); end != ends.end() && std::next(end) != ends.end(); ++end) {
        std::bitset<warps> in;
        for (std::size_t w = 0; w < warps; ++w)
            in[w] = place_of(tiles[w].cols, from) <= *end && *std::next(end) <= place_of(tiles[w].cols, to);
        if (in.none()) continue;
        for (int first = *end; first < *std::next(end);) {
            int count = 1;
            while (2 * count <= most && first % (2 * count) == 0 && first + 2 * count <= *std::next(end))
                count *= 2;
            list.push_back({first, count, in});
            first += count;
        }
    }
    return list;
}

} // namespace tmemc::lower
