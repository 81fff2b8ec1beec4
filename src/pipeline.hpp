// The compiler in one sentence: text becomes a tree, a checked program, messages, a schedule, columns, PTX,
// and a cubin. Each step takes a value and returns a new one; a Compilation keeps them all, so that every
// verb of the command line is a question to one value. Not here: running what was compiled (runtime, trial)
// and showing it (inspect).
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "grammar/parse.hpp"
#include "lower/lower.hpp"
#include "match/match.hpp"
#include "order/order.hpp"
#include "ptx/write.hpp"
#include "sema/check.hpp"
#include "space/space.hpp"
#include "toolchain/ptxas.hpp"
#include "verify/verify.hpp"

#include <cstdint>

namespace tmemc {

struct CompileOptions {
    sema::Options check;
    match::Options match;
    order::Options order;
    ptx::WriteOptions text{true, false}; // comments, and no line information
};

/// Every stage's value. Those behind the first stage that found an error are empty.
struct Compilation {
    base::Diagnostics diagnostics; // of all stages, in their order
    grammar::ast::Module tree;
    std::vector<std::string> lost_names; // in statements that could not be read
    sema::Program program;
    match::Plan plan;
    order::Schedule schedule;
    space::Space space;
    sema::Program fused; // what is lowered: the program, and reductions that its loads do on their way
    ptx::Module module;
    lower::Trace trace;
    ptx::Written ptx;
    [[nodiscard]] bool ok() const { return !diagnostics.has_errors(); }
};

/// Text to tree; the rest stays empty.
[[nodiscard]] Compilation parse(const base::Source& source);
/// Text to PTX.
[[nodiscard]] Compilation compile(const base::Source& source, const CompileOptions& options = {});

/// The PTX text against the program; a mismatch is a bug in tmemc.
[[nodiscard]] verify::VerifyResult verify_text(const Compilation& compilation);

/// Errors: functions that the text cannot offer, because they take fragments. In a text to be assembled they
/// do no harm, unless there is nothing else in it.
[[nodiscard]] base::Diagnostics fragments_in_ptx(const Compilation& compilation, bool assembled);

struct Assembly {
    toolchain::Assembled assembled;
    base::Diagnostics diagnostics; // against the source: ptxas's messages at the statements they came from
};
/// How ptxas is called for it: its target, whether it has kernels, and several of those side by side.
[[nodiscard]] toolchain::PtxasOptions ptxas_options(const Compilation& compilation, const std::string& path,
                                                    const std::vector<std::string>& flags);
/// PTX to cubin, by ptxas.
[[nodiscard]] Assembly assemble(const Compilation& compilation, const toolchain::PtxasOptions& options);

/// The first kernel, or where there is none the first function; null when there is neither.
[[nodiscard]] const sema::Kernel* first_kernel(const sema::Program& program);

/// The statement that line `line` of the PTX text came from, or the kernel's name; base::no_place for a
/// line of no kernel.
[[nodiscard]] base::Span span_of_ptx_line(const Compilation& compilation, std::uint32_t line);

} // namespace tmemc
