// Strings.
#include "inspect/svg.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tmemc::inspect {
namespace {

constexpr std::string_view style = R"(<style>
svg{background:#fff;color:#111;font:11px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
text{fill:currentColor;white-space:pre}
.h{font-size:14px;font-weight:bold}
.a{text-anchor:end;opacity:.75}
.g{fill:none;stroke:#777;stroke-width:.5}
.e{fill:none;stroke:#b00020;stroke-width:2}
.w0,.b0{fill:#d3e5ff}.w1,.b1{fill:#ffe2b0}.w2,.b2{fill:#ecd9ff}.w3,.b3{fill:#cdf0d0}.b4{fill:#ffd6d9}.b5{fill:#d2eff2}
.i{stroke:currentColor;stroke-width:1;stroke-dasharray:4 2}
.s{fill-opacity:.6}
.o{fill:#b00020;fill-opacity:.12}
@media(prefers-color-scheme:dark){svg{background:#14161a;color:#f2f2f2}
.w0,.b0{fill:#12355e}.w1,.b1{fill:#503600}.w2,.b2{fill:#44206a}.w3,.b3{fill:#123f1b}.b4{fill:#5c1a22}.b5{fill:#0f4046}
.e{stroke:#ff8a94}.o{fill:#ff8a94}}
</style>
)";

} // namespace

std::string xml(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const base::CodePoint point = base::first_code_point(text);
        const std::string_view bytes = text.substr(0, point.bytes);
        text.remove_prefix(point.bytes);
        if (!point.valid || (point.value < 0x20 && point.value != '\t') || point.value == 0xfffe ||
            point.value == 0xffff)
            out += '?';
        else if (bytes == "&")
            out += "&amp;";
        else if (bytes == "<")
            out += "&lt;";
        else if (bytes == ">")
            out += "&gt;";
        else if (bytes == "\"")
            out += "&quot;";
        else
            out += bytes;
    }
    return out;
}

std::string svg_file(int width, int height, std::string_view title, const std::string& body) {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                       "height=\"{1}\" role=\"img\">\n<title>{2}</title>\n{3}{4}</svg>\n",
                       width, height, xml(title), style, body);
}

std::string svg_text(std::string_view kind, int x, int y, std::string_view text) {
    return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", kind, x, y, xml(text));
}

std::string svg_cells(int x, int y, int width, std::size_t chars, const std::vector<std::string>& texts) {
    constexpr std::size_t together = 4; // cells that trust the font's width
    fmt::memory_buffer out;
    const auto into = std::back_inserter(out);
    fmt::format_to(into, "<text xml:space=\"preserve\" y=\"{}\">", y);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i % together == 0)
            fmt::format_to(into, "{}<tspan x=\"{}\">", i == 0 ? "" : "</tspan>",
                           x + 3 + static_cast<int>(i) * width);
        const bool last = i % together == together - 1 || i + 1 == texts.size();
        if (last)
            fmt::format_to(into, "{}", texts[i]);
        else
            fmt::format_to(into, "{:<{}}", texts[i], chars + 1);
    }
    fmt::format_to(into, "{}</text>\n", texts.empty() ? "" : "</tspan>");
    return fmt::to_string(out);
}

std::string svg_grid(int x, int y, int width, int columns, int rows) {
    std::string path = fmt::format("<path class=\"g\" d=\"M{} {}", x, y);
    for (int column = 0; column <= columns; ++column)
        path += fmt::format("v{0}m{1} -{0}", rows * svg_row, width);
    path += fmt::format("M{} {}", x, y);
    for (int row = 0; row <= rows; ++row) path += fmt::format("h{0}m-{0} {1}", columns * width, svg_row);
    return path + "\"/>\n";
}

} // namespace tmemc::inspect
