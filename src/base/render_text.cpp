// Text for people. The first line is the one that editors read; below it stand the place itself, the labels
// in the order in which they were given (on the same line of the source: below the same line), the notes and
// the helps.
#include "base/render.hpp"

#include "base/display.hpp"
#include "base/excerpt.hpp"

#include <fmt/core.h>

namespace tmemc::base {

namespace {

// "Select Graphic Rendition" codes of ECMA-48.
constexpr std::string_view bold = "1", red = "1;31", magenta = "1;35", blue = "1;34", cyan = "1;36",
                           green = "1;32";

/// Colours text when asked to.
struct Painter {
    bool on = false;
    [[nodiscard]] std::string operator()(std::string_view color, std::string_view text) const {
        return on ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : std::string(text);
    }
};

struct SeverityStyle {
    std::string_view word, color;
};
SeverityStyle style_of(Severity severity) {
    switch (severity) {
    case Severity::error: return {"error", red};
    case Severity::warning: return {"warning", magenta};
    case Severity::note: return {"note", cyan};
    }
    return {"error", red};
}

/// "epilogue.tmx:9:3: ", "epilogue.tmx: " for the file as a whole, "tmemc: " for no file at all.
std::string location(const Diagnostic& diagnostic, const Source& source) {
    const std::string name = source.name().empty() ? "tmemc" : printable(source.name());
    if (diagnostic.span == no_place || source.name().empty()) return name + ": ";
    const Position position = source.position(diagnostic.span.begin);
    return fmt::format("{}:{}:{}: ", name, position.line, position.column);
}

/// " [-Wspill]", or " [-Werror=spill]" once it is an error: what to type to be rid of it.
std::string flag(const Diagnostic& diagnostic) {
    if (diagnostic.kind->flag.empty()) return "";
    return fmt::format(" [-W{}{}]", diagnostic.severity == Severity::error ? "error=" : "",
                       diagnostic.kind->flag);
}

/// "  note: ..."; further lines of the text stand below its first.
std::string remark(std::string_view word, std::string_view color, std::string_view text,
                   const Painter& paint) {
    std::string out = "  " + paint(color, fmt::format("{}:", word)) + " ";
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        out += printable(text.substr(0, end)) + "\n        ";
        text.remove_prefix(end + 1);
    }
    return out + printable(text) + "\n";
}

} // namespace

std::string render_text(const Diagnostic& diagnostic, const Source& source, const TextOptions& options) {
    const Painter paint{options.color};
    const auto [word, color] = style_of(diagnostic.severity);
    std::string out = paint(bold, location(diagnostic, source)) +
                      paint(color, fmt::format("{}[{}]:", word, diagnostic.kind->code)) + " " +
                      paint(bold, printable(diagnostic.message)) + flag(diagnostic) + "\n";

    std::uint32_t line_above = 0; // the line of the source that the next underline may stand below
    const auto show = [&](Span span, char mark, std::string_view mark_color, std::string_view text) {
        const Excerpt part = excerpt(source, span, mark);
        if (part.line != line_above || !part.whole) out += part.code + "\n";
        const std::size_t blanks = part.underline.find(mark);
        out +=
            part.gutter + part.underline.substr(0, blanks) +
            paint(mark_color, part.underline.substr(blanks) + (text.empty() ? "" : " ") + printable(text)) +
            "\n";
        line_above = part.whole ? part.line : 0;
    };
    if (diagnostic.span != no_place && !source.text().empty()) show(diagnostic.span, '^', color, "");
    for (const Label& label : diagnostic.labels) {
        if (label.span == no_place || source.text().empty())
            out += remark("note", cyan, label.text, paint);
        else
            show(label.span, '-', blue, label.text);
    }
    for (const std::string& note : diagnostic.notes) out += remark("note", cyan, note, paint);
    if (diagnostic.picture) out += picture_text(*diagnostic.picture, options.color ? std::string(color) : "");
    for (const std::string& help : diagnostic.helps) out += remark("help", green, help, paint);
    return out;
}

} // namespace tmemc::base
