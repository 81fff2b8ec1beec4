// The files of the page as text; the build puts them between quotes (page_text.cpp.in).
#pragma once

#include <string_view>

namespace tmemc::inspect {

extern const std::string_view page_html, page_css, page_script;

} // namespace tmemc::inspect
