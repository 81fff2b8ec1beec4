// Text to module, the writer's inverse: read(write(m)) == m up to comments and blank lines. Reads by
// recursive descent (not Spirit: PTX is a line language with one-token lookahead, and the emulator wants it
// in microseconds). Whatever is not understood is named with its line, never skipped; after a mistake reading
// goes on at the next statement, so one run names them all. A name is a register when it is declared as one
// or begins with `%`, else a symbol; that it is declared at all is the business of whoever gives it a
// meaning.
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
    std::vector<std::vector<base::Span>> spans;    // the text of each body statement, its semicolon left out
    std::vector<base::Span> variables, functions;  // of the module's, what names and declares them
    base::Diagnostics diagnostics;
};

[[nodiscard]] ReadResult read(const base::Source& source);

} // namespace tmemc::ptx
