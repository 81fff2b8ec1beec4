// Lines to text. Trailing comments of neighbours stand in one column, two blanks behind the longest code that
// has one:
//
//     frag X: f16[128, 8];     // a neighbour without a comment counts for nothing
//     copy X <- A;
//     copy_async T <- X;       // ends where a blank line, a comment on its own or another block begins
//
#include "grammar/format_steps.hpp"

#include "base/display.hpp"

#include <algorithm>

namespace tmemc::grammar {

namespace {

bool begins_run(const Line& line, const Line& before) {
    return line.blank_line || line.only_comment || before.only_comment || line.depth != before.depth;
}

std::size_t code_end(const Line& line) { return line.indent + columns(line.code); }

} // namespace

std::size_t columns(std::string_view text) {
    std::size_t width = 0;
    for (const base::Glyph& glyph : base::glyphs(text)) width += glyph.width;
    return width;
}

std::string joined(const std::vector<Line>& lines) {
    std::string text;
    for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
        std::size_t column = 0;
        for (end = begin; end < lines.size() && (end == begin || !begins_run(lines[end], lines[end - 1]));
             ++end)
            if (!lines[end].comment.empty()) column = std::max(column, code_end(lines[end]) + 2);
        for (std::size_t i = begin; i < end; ++i) {
            const Line& line = lines[i];
            if (line.blank_line) text += '\n';
            text.append(line.indent, ' ').append(line.code);
            if (!line.comment.empty()) text.append(column - code_end(line), ' ').append(line.comment);
            text += '\n';
        }
    }
    return text;
}

} // namespace tmemc::grammar
