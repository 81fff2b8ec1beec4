// The frame filled in. JSON inside of a page must not end its element, so `<` is written as an escape.
#include "inspect/page.hpp"

#include "base/invariant.hpp"
#include "inspect/page_text.hpp"

#include <fmt/core.h>

namespace tmemc::inspect {
namespace {

/// `text` in the place of `mark`, which `page` has once.
void fill(std::string& page, std::string_view mark, std::string_view text) {
    const std::size_t at = page.find(mark);
    if (at == std::string::npos) throw base::InternalError(fmt::format("the page has no mark {}", mark));
    page.replace(at, mark.size(), text);
}

std::string without_tags(const std::string& json) {
    std::string out;
    out.reserve(json.size());
    for (const char c : json) {
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

} // namespace

std::string page(const PageInput& input) {
    std::string made(page_html);
    fill(made, "<!--style-->", page_css);
    std::string script;
    for (const std::string_view each : page_scripts) script += std::string(each) + '\n';
    fill(made, "<!--script-->", script);
    fill(made, "<!--data-->", without_tags(page_data(input)));
    return made;
}

} // namespace tmemc::inspect
