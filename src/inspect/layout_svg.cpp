// Two grids of text over coloured rectangles.
#include "inspect/layout_svg.hpp"

#include "inspect/layout_text.hpp"
#include "inspect/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tmemc::inspect {
namespace {

constexpr int margin = 12, axis = 64; // left of a view: what its rows are
constexpr int head = 58;              // above a view: titles, and what its columns are
constexpr int side_by_side = 1400;    // two views that are no wider together stand so

/// Cells with their texts and warps; -1: nobody's.
struct Grid {
    std::string title;
    std::vector<std::string> row_names, column_names;
    std::vector<std::vector<std::string>> texts;
    std::vector<std::vector<int>> warps;
    std::size_t chars = 1; // of the longest text
    [[nodiscard]] int columns() const { return static_cast<int>(column_names.size()); }
    [[nodiscard]] int rows() const { return static_cast<int>(row_names.size()); }
    /// Of a cell: so many characters and one more, a whole number of pixels.
    [[nodiscard]] int cell() const {
        return static_cast<int>(std::ceil(svg_char * static_cast<double>(chars + 1)));
    }
    [[nodiscard]] int width() const { return axis + columns() * cell(); }
    [[nodiscard]] int height() const { return head + rows() * svg_row; }
};

Grid empty_grid(std::string title, int rows, int columns) {
    Grid grid;
    grid.title = std::move(title);
    const auto high = static_cast<std::size_t>(rows), wide = static_cast<std::size_t>(columns);
    grid.texts.assign(high, std::vector<std::string>(wide));
    grid.warps.assign(high, std::vector<int>(wide, -1));
    return grid;
}

Grid tensor_view(const LayoutObject& object) {
    Grid grid = empty_grid(object.buffer ? "tensor: which lane and column have element (row, column)"
                                         : "tensor: which thread and register hold element (row, column)",
                           object.rows, object.cols);
    for (std::size_t i = 0; i < object.places.size(); i += static_cast<std::size_t>(object.copies)) {
        const ElementPlace& at = object.places[i];
        const auto row = static_cast<std::size_t>(at.row), col = static_cast<std::size_t>(at.col);
        std::string text =
            fmt::format("{}{}:{}{}", object.buffer ? 'l' : 't', at.unit, object.buffer ? 'c' : 'r', at.slot);
        if (at.bit != 0) text += fmt::format("+{}", at.bit);
        if (object.copies > 1) text += fmt::format("x{}", object.copies);
        grid.chars = std::max(grid.chars, text.size());
        grid.texts[row][col] = std::move(text);
        grid.warps[row][col] = LayoutObject::warp(at.unit);
    }
    for (int row = 0; row < object.rows; ++row) grid.row_names.push_back(fmt::format("row {}", row));
    for (int col = 0; col < object.cols; ++col) grid.column_names.push_back(fmt::format("{}", col));
    return grid;
}

Grid hardware_view(const LayoutObject& object) {
    constexpr int units = 128;
    Grid grid = empty_grid(object.buffer ? "hardware: which elements each lane and column have"
                                         : "hardware: which elements each thread's registers hold",
                           units, object.words);
    // Texts of the elements in one word stand side by side, so each gets the room of the longest.
    const bool vector = object.shape.size() == 1;
    const auto text_of = [&](int row, int col) {
        return vector ? fmt::format("{}", row) : fmt::format("{},{}", row, col);
    };
    const std::size_t each = text_of(object.rows - 1, object.cols - 1).size();
    const int bits = base::bits(object.dtype);
    for (const ElementPlace& at : object.places) {
        const auto unit = static_cast<std::size_t>(at.unit),
                   slot = static_cast<std::size_t>(at.slot - object.column);
        std::string& text = grid.texts[unit][slot];
        const std::size_t before = static_cast<std::size_t>(at.bit / bits) * (each + 1);
        const std::string element = text_of(at.row, at.col);
        if (text.size() < before + element.size()) text.resize(before + element.size(), ' ');
        text.replace(before, element.size(), element);
        grid.chars = std::max(grid.chars, text.size());
        grid.warps[unit][slot] = LayoutObject::warp(at.unit);
    }
    for (int unit = 0; unit < units; ++unit)
        grid.row_names.push_back(fmt::format("w{} {}{}", unit / 32, object.buffer ? 'l' : 't', unit));
    for (int slot = 0; slot < object.words; ++slot) {
        grid.column_names.push_back(fmt::format("{}{}", object.buffer ? 'c' : 'r', object.column + slot));
        grid.chars = std::max(grid.chars, grid.column_names.back().size());
    }
    return grid;
}

/// Rectangles of cells of one warp: runs in a row, and as many rows as are alike.
std::string colors(const Grid& grid, int x, int y) {
    std::array<std::string, 4> paths;
    for (int row = 0; row < grid.rows();) {
        const std::vector<int>& warps = grid.warps[static_cast<std::size_t>(row)];
        int alike = 1;
        while (row + alike < grid.rows() &&
               grid.warps[static_cast<std::size_t>(row) + static_cast<std::size_t>(alike)] == warps)
            ++alike;
        for (int first = 0; first < grid.columns();) {
            const int warp = warps[static_cast<std::size_t>(first)];
            int last = first;
            while (last < grid.columns() && warps[static_cast<std::size_t>(last)] == warp) ++last;
            if (warp >= 0)
                paths.at(static_cast<std::size_t>(warp)) +=
                    fmt::format("M{} {}h{}v{}h-{}z", x + first * grid.cell(), y + row * svg_row,
                                (last - first) * grid.cell(), alike * svg_row, (last - first) * grid.cell());
            first = last;
        }
        row += alike;
    }
    std::string text;
    for (std::size_t warp = 0; warp < paths.size(); ++warp)
        if (!paths[warp].empty())
            text += fmt::format("<path class=\"w{0}\" d=\"{1}\"><title>warp {0}</title></path>\n", warp,
                                paths[warp]);
    return text;
}

std::string drawn(const Grid& grid, int x, int y) {
    const int left = x + axis, top = y + head;
    std::string text = "<g>\n" + svg_text("n", left, y + 32, grid.title) + colors(grid, left, top) +
                       svg_grid(left, top, grid.cell(), grid.columns(), grid.rows()) +
                       svg_cells(left, top - 4, grid.cell(), grid.chars, grid.column_names);
    for (int row = 0; row < grid.rows(); ++row) {
        const auto r = static_cast<std::size_t>(row);
        text += svg_text("a", left - 4, top + row * svg_row + 12, grid.row_names[r]) +
                svg_cells(left, top + row * svg_row + 12, grid.cell(), grid.chars, grid.texts[r]);
    }
    return text + "</g>\n";
}

} // namespace

std::string layout_svg(const LayoutModel& model) {
    std::string body;
    int width = 400, y = margin;
    for (const LayoutObject& object : model.objects) {
        const Grid tensor = tensor_view(object), hardware = hardware_view(object);
        const bool beside = tensor.width() + hardware.width() + 2 * margin <= side_by_side;
        body += fmt::format("<g><title>{}</title>\n", xml(title_of(object))) +
                svg_text("h", margin, y + 14, title_of(object)) +
                svg_text("n", margin, y + 32, extent_of(model, object)) + drawn(tensor, margin, y + 24) +
                (beside ? drawn(hardware, margin + tensor.width() + margin, y + 24)
                        : drawn(hardware, margin, y + 24 + tensor.height())) +
                "</g>\n";
        width = std::max(width, beside ? tensor.width() + hardware.width() + 3 * margin
                                       : std::max(tensor.width(), hardware.width()) + 2 * margin);
        width = std::max(width,
                         2 * margin + static_cast<int>(8.6 * static_cast<double>(title_of(object).size())));
        y += 48 +
             (beside ? std::max(tensor.height(), hardware.height()) : tensor.height() + hardware.height());
    }
    return svg_file(width, y + margin, fmt::format("`{}`: where its elements live", model.kernel), body);
}

} // namespace tmemc::inspect
