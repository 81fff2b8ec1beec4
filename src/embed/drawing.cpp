// Which rows and columns are shown, and the table of them.
#include "embed/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::embed {
namespace {

/// 0, 1, 2, 4, 8, ... and the last.
std::vector<int> shown(int count) {
    std::vector<int> list{0};
    for (int i = 1; i < count - 1; i *= 2) list.push_back(i);
    if (count > 1) list.push_back(count - 1);
    return list;
}

template <class Map, class Text>
std::vector<std::string> table(const Map& map, Text text) {
    const std::vector<int> cols = shown(map.cols);
    std::size_t width = 0;
    std::vector<std::vector<std::string>> places;
    for (const int row : shown(map.rows)) {
        std::vector<std::string>& line = places.emplace_back();
        for (const int col : cols) {
            line.push_back(text(map.at(row, col)));
            width = std::max(width, line.back().size() + 2);
        }
    }
    std::vector<std::string> lines;
    std::string& head = lines.emplace_back("row \\ col");
    for (const int col : cols) head += fmt::format("{:>{}}", col, width);
    for (std::size_t i = 0; i < places.size(); ++i) {
        std::string line = fmt::format("{:>9}", shown(map.rows)[i]);
        for (const std::string& each : places[i]) line += fmt::format("{:>{}}", each, width);
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace

std::vector<std::string> drawing(const layout::SlotMap& map) {
    return table(map, [&](const layout::Slot& slot) {
        return fmt::format("{}.{}", slot.thread, slot.reg * (32 / map.bits) + slot.bit / map.bits);
    });
}

std::vector<std::string> drawing(const layout::CellMap& map) {
    return table(map, [](const layout::Cell& cell) {
        return cell.bit == 0 ? fmt::format("{}.{}", cell.lane, cell.column)
                             : fmt::format("{}.{}+{}", cell.lane, cell.column, cell.bit);
    });
}

} // namespace tmemc::embed
