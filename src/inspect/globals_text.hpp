// The ways of the copies between global memory and fragments, for people, a line each, with the lines of 128
// bytes that each way touches (lower/global_path.hpp says how they are counted):
//
//     epilogue.tmx:10: X <- A: staged through 32768 bytes of shared memory, 16-byte accesses; touches 256
//     lines of 128 bytes, direct 2048 lines
//
// The turns of a loop that say the same share the line of the first of them. What an expression loads, as in
// `X * cols(Bias)`, is called what it is called there. The same is in the JSON, without the reason.
#pragma once

#include "base/source.hpp"
#include "lower/lower.hpp"
#include "sema/program.hpp"

#include <string>
#include <vector>

namespace tmemc::inspect {

struct CopyLine {
    std::size_t statement = 0; // of the kernel; the first turn's
    std::string text;          // with its newline
};

/// `trace` is that of `kernel`.
[[nodiscard]] std::vector<CopyLine> global_lines(const base::Source& source, const sema::Kernel& kernel,
                                                 const lower::KernelTrace& trace);

} // namespace tmemc::inspect
