// Text to module, the writer's inverse: read(write(m)) == m up to comments and blank lines. Reads by recursive descent
// (not Spirit: PTX is a line language with one-token lookahead, and the emulator wants it in microseconds).
// Whatever is not understood is named with its line, never skipped.
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "ptx/module.hpp"

#include <cstdint>
#include <vector>

namespace tmemc::ptx {

struct ReadResult {
    Module module;
    std::vector<std::vector<std::uint32_t>> lines; // as in Written: the line of each body statement
    base::Diagnostics diagnostics;
};

[[nodiscard]] ReadResult read(const base::Source& source);

} // namespace tmemc::ptx
