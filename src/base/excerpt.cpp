// Everything is counted in columns of the screen; display.cpp says which glyph stands in which.
#include "base/excerpt.hpp"

#include "base/display.hpp"

#include <algorithm>
#include <fmt/core.h>

namespace tmemc::base {

namespace {

constexpr std::size_t widest = 160;     // columns of source shown in one line
constexpr std::size_t lead = 40;        // of them left of the mark when a line is cut
constexpr std::string_view cut = "..."; // stands for what was cut

struct Columns { // half open
    std::size_t begin = 0, end = 0;
};

std::size_t width(const std::vector<Glyph>& line) {
    return line.empty() ? 0 : line.back().column + line.back().width;
}

/// The column of the first glyph at or after byte `offset`, else the end of the line.
std::size_t column_from(const std::vector<Glyph>& line, std::size_t offset) {
    const auto found =
        std::find_if(line.begin(), line.end(), [offset](const Glyph& each) { return each.offset >= offset; });
    return found == line.end() ? width(line) : found->column;
}

/// The columns of the bytes begin..end of the line, at least one column wide.
Columns columns_of(const std::vector<Glyph>& line, std::size_t begin, std::size_t end) {
    const Columns columns{column_from(line, begin), column_from(line, end)};
    return {columns.begin, std::max(columns.end, columns.begin + 1)};
}

/// What is shown of a line so that `marked` is in it. It begins where a glyph begins, so that no glyph is
/// halved.
Columns window_around(const std::vector<Glyph>& line, Columns marked) {
    const std::size_t total = width(line);
    if (total <= widest) return {0, std::max(total, marked.end)};
    const std::size_t shown = widest - 2 * cut.size();
    const std::size_t wanted = std::min(marked.begin - std::min(marked.begin, lead), total - shown);
    const auto first =
        std::find_if(line.begin(), line.end(), [wanted](const Glyph& each) { return each.column >= wanted; });
    return {first->column, first->column + shown};
}

std::string shown_in(const std::vector<Glyph>& line, Columns window) {
    std::string text(window.begin > 0 ? cut : "");
    for (const Glyph& glyph : line)
        if (glyph.column >= window.begin && glyph.column + glyph.width <= window.end) text += glyph.text;
    if (width(line) > window.end) text += cut;
    return text;
}

std::string_view without_trailing_blanks(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

} // namespace

Excerpt excerpt(const Source& source, Span span, char mark) {
    const std::uint32_t number = source.position(span.begin).line;
    const std::string_view text = source.line(number);
    const std::vector<Glyph> line = glyphs(text);
    const std::size_t line_begin = source.line_begin(number);
    const std::size_t begin = std::max<std::size_t>(span.begin, line_begin) - line_begin;
    const bool goes_on = source.position(span.end).line != number;
    const std::size_t end =
        goes_on ? without_trailing_blanks(text).size() : std::max(span.end, span.begin) - line_begin;

    const Columns marked = columns_of(line, begin, end);
    const Columns window = window_around(line, marked);
    const std::size_t indent = marked.begin - window.begin + (window.begin > 0 ? cut.size() : 0);
    const std::size_t marks = std::min(marked.end, std::max(window.end, marked.begin + 1)) - marked.begin;

    Excerpt result;
    result.line = number;
    const std::string margin = fmt::format("{:>5}", number);
    result.code = without_trailing_blanks(fmt::format("{} | {}", margin, shown_in(line, window)));
    result.gutter = std::string(margin.size(), ' ') + " | ";
    result.underline = std::string(indent, ' ') + std::string(marks, mark);
    result.whole = window.begin == 0 && window.end >= width(line);
    return result;
}

} // namespace tmemc::base
