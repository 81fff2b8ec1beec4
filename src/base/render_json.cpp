// JSON for editors: one object a line, shaped like Diagnostic of the Language Server Protocol (3.17, section
// "Diagnostic"), with `file` beside it. There a position is a line and a number of UTF-16 units, both from 0,
// so a character beyond U+FFFF counts twice.
#include "base/render.hpp"

#include "base/utf8.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tmemc::base {

namespace {

using Json = nlohmann::ordered_json;

std::uint32_t utf16_units(std::string_view text) {
    std::uint32_t units = 0;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        units += point.value > 0xffff ? 2 : 1;
        text.remove_prefix(point.bytes);
    }
    return units;
}

Json position(const Source& source, std::uint32_t offset) {
    const std::uint32_t line = source.position(offset).line;
    const std::uint32_t begin = source.line_begin(line);
    return {{"line", line - 1}, {"character", utf16_units(source.text({begin, std::max(offset, begin)}))}};
}

Json range(const Source& source, Span span) {
    if (span == no_place) span = {0, 0};
    return {{"start", position(source, span.begin)},
            {"end", position(source, std::max(span.begin, span.end))}};
}

Json drawn(const Picture& picture) {
    const auto row = [](const Picture::Row& each) -> Json {
        return {{"label", each.label}, {"cells", each.cells}};
    };
    return {{"title", picture.title},
            {"heads", picture.heads},
            {"rows", Json::array({row(picture.wanted), row(picture.found)})}};
}

/// The name as a URI reference (RFC 3986): a full path with its scheme, a relative one as it is.
std::string uri(std::string_view name) {
    std::string text = name.starts_with('/') ? "file://" : "";
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        const bool plain = letter || std::string_view("-._~/").find(c) != std::string_view::npos;
        text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return text;
}

/// LSP: 1 error, 2 warning, 3 information.
int level(Severity severity) { return static_cast<int>(severity) + 1; }

std::string line_of(const Json& object) {
    return object.dump(-1, ' ', false, Json::error_handler_t::replace); // bytes that are no UTF-8: U+FFFD
}

} // namespace

std::string render_json(const Diagnostic& diagnostic, const Source& source) {
    Json related = Json::array();
    for (const Label& label : diagnostic.labels)
        related.push_back({{"location", {{"uri", uri(source.name())}, {"range", range(source, label.span)}}},
                           {"message", label.text}});
    Json object{
        {"file", source.name()},
        {"range", range(source, diagnostic.span)},
        {"severity", level(diagnostic.severity)},
        {"code", diagnostic.kind->code},
        {"source", "tmemc"},
        {"message", diagnostic.message},
        {"relatedInformation", std::move(related)},
        {"data",
         {{"name", diagnostic.kind->name}, {"notes", diagnostic.notes}, {"helps", diagnostic.helps}}}};
    if (!diagnostic.kind->flag.empty()) object["data"]["flag"] = diagnostic.kind->flag;
    if (diagnostic.picture) object["data"]["picture"] = drawn(*diagnostic.picture);
    return line_of(object);
}

std::string render_json(Severity severity, const std::string& sentence,
                        const std::vector<std::string>& notes) {
    const Json begin{{"line", 0}, {"character", 0}};
    return line_of({{"file", ""},
                    {"range", {{"start", begin}, {"end", begin}}},
                    {"severity", level(severity)},
                    {"source", "tmemc"},
                    {"message", sentence},
                    {"relatedInformation", Json::array()},
                    {"data", {{"name", "command_line"}, {"notes", notes}, {"helps", Json::array()}}}});
}

} // namespace tmemc::base
