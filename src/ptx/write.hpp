// Module to text. The same module gives the same bytes, always; the lines of every body statement are
// reported, so that what ptxas or the emulator says of a line can be traced back.
#pragma once

#include "ptx/module.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tmemc::ptx {

struct WriteOptions {
    bool comments = true;  // --no-comments leaves Comment and BlankLine statements out
    bool locations = true; // else .file and .loc are left out
};
struct Written {
    std::string text;
    /// lines[f][s]: the line (from 1) on which statement s of function f starts; a statement left out has the
    /// next one's.
    std::vector<std::vector<std::uint32_t>> lines;
};

[[nodiscard]] Written write(const Module& module, const WriteOptions& options = {});

} // namespace tmemc::ptx
