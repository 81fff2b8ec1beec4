// explain: the page of a diagnostic, and with --list all codes. Pages are Markdown and printed as they are;
// on a terminal the title and the words `wrong:` and `right:` stand out.
#include "cli/session.hpp"

#include "explain/explain.hpp"

#include <fmt/format.h>

namespace tmemc::cli {
namespace {

std::string highlighted(std::string_view text) {
    std::string shown;
    bool program = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (line.substr(0, 3) == "```") program = !program;
        const char* const style = program                     ? ""
                                  : line.substr(0, 2) == "# " ? "\x1b[1m"
                                  : line == "wrong:"          ? "\x1b[1;31m"
                                  : line == "right:"          ? "\x1b[1;32m"
                                                              : "";
        shown += fmt::format("{}{}{}\n", style, line, *style == '\0' ? "" : "\x1b[0m");
    }
    return shown;
}

std::string no_page(const std::string& word) {
    const explain::Page* const near = explain::nearest(word);
    return fmt::format("there is no diagnostic `{}`; {}", word,
                       near == nullptr
                           ? "explain --list has all of them"
                           : fmt::format("did you mean {}, \"{}\"?", near->code, title(*near).subject));
}

} // namespace

int explain(const Options& options) {
    if (options.list != options.inputs.empty()) {
        complain("explain takes a code, such as TM0301, or --list");
        return exit_usage;
    }
    if (options.list) {
        const bool json = options.format == "json";
        return put(json ? explain::list_json() : explain::list_text()) ? exit_ok : exit_usage;
    }
    const explain::Page* const page = explain::find(options.inputs.front());
    if (page == nullptr) {
        complain(no_page(options.inputs.front()));
        return exit_usage;
    }
    if (options.format == "json") return put(explain::page_json(*page)) ? exit_ok : exit_usage;
    return put(options.color ? highlighted(page->text) : std::string(page->text)) ? exit_ok : exit_usage;
}

} // namespace tmemc::cli
