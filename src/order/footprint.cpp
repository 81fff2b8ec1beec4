// A region's places are marked on a grid, element by element, and read off as runs.
#include "order/footprint.hpp"

#include <algorithm>

namespace tmemc::order {

namespace {

std::array<std::size_t, 5> key_of(std::size_t image, const sema::Region& region) {
    const auto number = [](int n) { return static_cast<std::size_t>(n); };
    return {image, number(region.row), number(region.col), number(region.rows), number(region.cols)};
}

/// A grid of places, none of them marked, and the number of a place on it.
std::vector<bool> grid(int lines, int width) {
    std::vector<bool> places;
    places.resize(static_cast<std::size_t>(lines) * static_cast<std::size_t>(width));
    return places;
}
std::size_t at(int line, int width, int place) {
    return static_cast<std::size_t>(line) * static_cast<std::size_t>(width) + static_cast<std::size_t>(place);
}

Footprint runs_of(const std::vector<bool>& marked, int lines, int width) {
    Footprint runs;
    for (int line = 0; line < lines; ++line) {
        const auto begin = marked.begin() + std::ptrdiff_t{line} * width, end = begin + width;
        for (auto first = std::find(begin, end, true); first != end;) {
            const auto last = std::find(first, end, false);
            runs.push_back({line, static_cast<int>(first - begin), static_cast<int>(last - begin)});
            first = std::find(last, end, true);
        }
    }
    return runs;
}

/// `line_of` and `index_of` say where a place of the map lies on a grid of `lines` lines.
template <class Place, class Line, class Index>
Footprint footprint(const layout::TileMap<Place>& map, const sema::Region& region, int lines, Line line_of,
                    Index index_of) {
    std::vector<bool> marked = grid(lines, map.words);
    for (int row = region.row; row < region.row + region.rows; ++row)
        for (int col = region.col; col < region.col + region.cols; ++col)
            for (int copy = 0; copy < map.copies; ++copy) {
                const Place& place = map.at(row, col, copy);
                marked[at(line_of(place), map.words, index_of(place))] = true;
            }
    return runs_of(marked, lines, map.words);
}

/// The cells of a replicated buffer that lie in lanes of a warp which loads their element.
Footprint loaded(const layout::CellMap& cells, const layout::SlotMap& slots, const sema::Region& from,
                 const sema::Region& to) {
    std::vector<bool> marked = grid(slabs, cells.words);
    for (int row = 0; row < from.rows; ++row)
        for (int col = 0; col < from.cols; ++col)
            for (int copy = 0; copy < cells.copies; ++copy) {
                const layout::Cell& cell = cells.at(from.row + row, from.col + col, copy);
                for (int k = 0; k < slots.copies; ++k)
                    if (slots.at(to.row + row, to.col + col, k).thread / 32 == cell.lane / 32)
                        marked[at(cell.lane / slab_lanes, cells.words, cell.column)] = true;
            }
    return runs_of(marked, slabs, cells.words);
}

} // namespace

Footprint Footprints::cells_of(std::size_t buffer) {
    const sema::Buffer& all = kernel_.buffers[buffer];
    sema::TmemCopy copy;
    copy.op = sema::TmemCopy::Op::st; // of every copy of an element
    copy.buffer.object = buffer;
    copy.buffer.rows = all.rows;
    copy.buffer.cols = all.cols;
    return cells(copy);
}

Footprint Footprints::cells(const sema::TmemCopy& copy) {
    const sema::Region& region = copy.buffer;
    const sema::Buffer& buffer = kernel_.buffers[region.object];
    const bool chosen = copy.op == sema::TmemCopy::Op::ld && kernel_.cells(buffer).copies > 1;
    Footprint in_group =
        chosen ? loaded(kernel_.cells(buffer), kernel_.slots(kernel_.fragments[copy.fragment.object]), region,
                        copy.fragment)
               : of_region(region);
    for (Run& run : in_group) {
        run.first += buffer.offset;
        run.last += buffer.offset;
    }
    return in_group;
}

const Footprint& Footprints::of_region(const sema::Region& region) {
    const sema::Buffer& buffer = kernel_.buffers[region.object];
    const auto [place, is_new] = cells_.try_emplace(key_of(buffer.image, region));
    if (is_new)
        place->second = footprint(
            kernel_.cells(buffer), region, slabs, [](const layout::Cell& c) { return c.lane / slab_lanes; },
            [](const layout::Cell& c) { return int{c.column}; });
    return place->second;
}

const Footprint& Footprints::registers(const sema::Region& region) {
    const sema::Fragment& fragment = kernel_.fragments[region.object];
    const auto [place, is_new] = registers_.try_emplace(key_of(fragment.image, region));
    if (is_new)
        place->second = footprint(
            kernel_.slots(fragment), region, warps, [](const layout::Slot& s) { return s.thread / 32; },
            [](const layout::Slot& s) { return int{s.reg}; });
    return place->second;
}

Footprint common(const Footprint& a, const Footprint& b) {
    Footprint both;
    for (const Run& x : a)
        for (const Run& y : b) {
            const int first = std::max(x.first, y.first), last = std::min(x.last, y.last);
            if (x.line == y.line && first < last) both.push_back({x.line, first, last});
        }
    return both;
}

} // namespace tmemc::order
