// The files of the page as text; the build puts them between quotes (page_text.cpp.in). Scripts are one by
// one, since compilers need not take a literal of more than 65,536 characters.
#pragma once

#include <array>
#include <string_view>

namespace tmemc::inspect {

extern const std::string_view page_html, page_css;
extern const std::array<std::string_view, 8> page_scripts; // in the order in which they are to stand

} // namespace tmemc::inspect
