// The ways of the copies between global memory and fragments, for people, a line each, with the lines of 128
// bytes that each way touches (lower/global_path.hpp says how they are counted):
//
//     epilogue.tmx:10: X <- A: staged through 32768 bytes of shared memory, 16-byte accesses; touches 256
//     lines of 128 bytes, direct 2048
//
// The turns of a loop that say the same share the line of the first of them. The same is in the JSON, without
// the reason.
#pragma once

#include "base/source.hpp"
#include "lower/lower.hpp"
#include "sema/program.hpp"

#include <string>

namespace tmemc::inspect {

/// `trace` is that of `program`.
[[nodiscard]] std::string globals_text(const base::Source& source, const sema::Program& program,
                                       const lower::Trace& trace);

} // namespace tmemc::inspect
