// Both drawings are the same table. Widths are those of a terminal (display.hpp); in the SVG a letter of the
// fixed-width font is `letter` units wide.
#include "base/picture.hpp"

#include "base/display.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tmemc::base {

namespace {

constexpr std::size_t widest_label = 24, widest_line = 80, indent = 6, between = 3;

std::size_t width(const std::string& text) {
    const std::vector<Glyph> shown = glyphs(text);
    return shown.empty() ? 0 : shown.back().column + shown.back().width;
}

/// At most `most` columns of it.
std::string clipped(const std::string& text, std::size_t most) {
    std::string kept;
    for (const Glyph& glyph : glyphs(text)) {
        if (glyph.column + glyph.width > most - 3 && width(text) > most) return kept + "...";
        kept += glyph.text;
    }
    return kept;
}

struct Table {
    std::array<std::vector<std::string>, 3> lines; // each a label and its cells
    std::vector<std::size_t> widths;
};

Table table_of(const Picture& picture) {
    Table table;
    const auto fill = [](std::vector<std::string>& line, const std::string& label,
                         const std::vector<std::string>& cells) {
        line.push_back(clipped(label, widest_label));
        for (const std::string& cell : cells) line.push_back(printable(cell));
    };
    fill(table.lines[0], picture.title, picture.heads);
    fill(table.lines[1], picture.wanted.label, picture.wanted.cells);
    fill(table.lines[2], picture.found.label, picture.found.cells);
    table.widths.resize(picture.heads.size() + 1);
    for (const std::vector<std::string>& line : table.lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            table.widths[i] = std::max(table.widths[i], width(line[i]));
    return table;
}

std::size_t width(const Table& table) {
    std::size_t sum = indent;
    for (const std::size_t each : table.widths) sum += each + between;
    return sum - between;
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text)
        out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return out;
}

constexpr std::size_t letter = 9, line_height = 34, margin = 16, padding = 12;
constexpr std::size_t caption_letters = 88; // of a line of the caption

/// Cut between words.
std::vector<std::string> wrapped(const std::string& text) {
    std::vector<std::string> lines{""};
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!lines.back().empty() && width(lines.back()) + 1 + width(word) > caption_letters)
            lines.emplace_back();
        lines.back() += (lines.back().empty() ? "" : " ") + word;
        begin = end + 1;
    }
    return lines;
}

constexpr std::string_view style = R"(<style>
  svg { --paper: #ffffff; --ink: #1a1a1a; --line: #8a8a8a; --want: #cfe3ff; --find: #ffd9c7; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #16181c; --ink: #ececec; --line: #80868f; --want: #1f4272; --find: #7a3a1c; }
  }
  text { font: 15px ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); }
  rect { fill: var(--paper); stroke: var(--line); }
  .paper { stroke: none; } .label { font-weight: bold; }
  rect.want { fill: var(--want); } rect.find { fill: var(--find); }
</style>
)";

} // namespace

Picture two_places(std::string title, const std::string& unit, int count, const PicturePlace& wanted,
                   const PicturePlace& found) {
    constexpr int shown = 4;
    const int low = std::min(wanted.number, found.number), high = std::max(wanted.number, found.number);
    Picture picture{std::move(title), {}, {wanted.label, {}}, {found.label, {}}};
    const auto column = [&](int number) {
        picture.heads.push_back(fmt::format("{} {}", unit, number));
        picture.wanted.cells.push_back(number == wanted.number ? wanted.text : "");
        picture.found.cells.push_back(number == found.number ? found.text : "");
    };
    if (high - low < shown) {
        const int first = std::max(0, std::min(low, count - shown));
        for (int number = first; number < std::min(count, first + shown); ++number) column(number);
    } else {
        column(low);
        picture.heads.emplace_back("...");
        picture.wanted.cells.emplace_back();
        picture.found.cells.emplace_back();
        column(high);
    }
    if (width(table_of(picture)) <= widest_line) return picture;
    picture.heads.clear(); // long words: the columns that matter alone
    picture.wanted.cells.clear();
    picture.found.cells.clear();
    column(low);
    if (high != low) column(high);
    return picture;
}

std::string picture_text(const Picture& picture, const std::string& color) {
    const Table table = table_of(picture);
    std::string out;
    for (std::size_t row = 0; row < table.lines.size(); ++row) {
        std::string line(indent - 1, ' ');
        for (std::size_t i = 0; i < table.lines[row].size(); ++i) {
            const std::string& text = table.lines[row][i];
            const bool painted = row > 0 && i > 0 && !text.empty() && !color.empty();
            line += i == 0 ? " " : " | ";
            line += painted ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : text;
            line += std::string(table.widths[i] - width(text), ' ');
        }
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
}

std::string picture_svg(const Picture& picture, const std::string& caption) {
    const Table table = table_of(picture);
    const std::vector<std::string> below = wrapped(printable(caption));
    std::size_t total = 2 * margin, longest = 0;
    for (const std::size_t each : table.widths) total += each * letter + 2 * padding;
    for (const std::string& line : below) longest = std::max(longest, width(line) * letter);
    const std::size_t wide = std::max(total, longest + 2 * margin);
    const std::size_t high = 2 * margin + 3 * line_height + (below.size() + 1) * 22;

    std::string out = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
                                  "width=\"{0}\" height=\"{1}\" role=\"img\">\n<title>{2}</title>\n",
                                  wide, high, escaped(printable(caption)));
    out += style;
    out += fmt::format("<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n", wide, high);
    for (std::size_t row = 0; row < table.lines.size(); ++row) {
        std::size_t x = margin;
        const std::size_t y = margin + row * line_height;
        for (std::size_t i = 0; i < table.lines[row].size(); ++i) {
            const std::string& text = table.lines[row][i];
            const std::size_t cell = table.widths[i] * letter + 2 * padding;
            const std::string_view kind = row == 0 || i == 0 ? "label" : row == 1 ? "want" : "find";
            const std::string_view filled = text.empty() ? "" : kind;
            out += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", filled, x,
                               y, cell, line_height);
            if (!text.empty())
                out += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>", kind, x + padding,
                                   y + 22, escaped(text));
            out += "\n";
            x += cell;
        }
    }
    for (std::size_t i = 0; i < below.size(); ++i)
        out += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", margin,
                           2 * margin + 3 * line_height + (i + 1) * 22 - 8, escaped(below[i]));
    return out + "</svg>\n";
}

} // namespace tmemc::base
