// launch.h as text. The build puts it between quotes (launch_text.cpp.in); the file itself is plain C, so
// that it can be read, formatted and compiled as such.
#pragma once

#include <string_view>

namespace tmemc::embed {

extern const std::string_view launch_text;

} // namespace tmemc::embed
