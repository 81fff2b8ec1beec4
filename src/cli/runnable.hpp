// What `run` runs: a kernel as PTX or machine code, with its signature. A .tmx file is compiled, and its
// kernel says what types the arguments have; a .ptx or .cubin file is taken as it is, and there the arguments
// say it (A=zeros:f16[128,8]).
#pragma once

#include "cli/place.hpp"
#include "cli/session.hpp"
#include "runtime/call.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmemc::cli {

struct Runnable {
    base::Source source;
    runtime::Code code;
    runtime::Signature signature;
    std::optional<Compilation> compiled; // of a .tmx

    /// True of PTX and machine code that was not compiled here.
    [[nodiscard]] bool is_ptx() const { return !compiled; }
    /// Where line `line` of the PTX came from in the source.
    [[nodiscard]] base::Span span_of_ptx_line(std::uint32_t line) const;
};

/// Reads, compiles (for the place, when no target is named) and chooses the kernel. Complains and is absent
/// when that fails, with the exit status in `status`.
[[nodiscard]] std::optional<Runnable> prepare(const Options& options, const Place& place, int& status);

/// "; did you mean `x`?", or what there is when nothing is near.
[[nodiscard]] std::string hint(const std::string& name, const std::vector<std::string>& known);

} // namespace tmemc::cli
