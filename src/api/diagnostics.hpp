// The compiler's diagnostics as values that need no Source: places have lines and columns, and each
// diagnostic carries its own rendering, as people and as editors read it.
#pragma once

#include "api/tmemc.hpp"
#include "base/diagnostics.hpp"

#include <vector>

namespace tmemc::api {

void append(std::vector<Diagnostic>& to, const base::Diagnostics& found, const base::Source& source);

} // namespace tmemc::api
