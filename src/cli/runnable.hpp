// What `run` runs: a kernel as PTX with its signature. A .tmx file is compiled, and its kernel says what
// types the arguments have; a .ptx file is taken as it is, and there the arguments say it
// (A=zeros:f16[128,8]).
#pragma once

#include "cli/session.hpp"
#include "runtime/call.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmemc::cli {

struct Runnable {
    base::Source source;
    std::string ptx;
    runtime::Signature signature;
    std::optional<Compilation> compiled; // of a .tmx

    [[nodiscard]] bool is_ptx() const { return !compiled; }
    /// Where line `line` of the PTX came from in the source.
    [[nodiscard]] base::Span span_of_ptx_line(std::uint32_t line) const;
};

/// Reads, compiles and chooses the kernel. Complains and is absent when that fails, with the exit status in
/// `status`.
[[nodiscard]] std::optional<Runnable> prepare(const Options& options, int& status);

/// "; did you mean `x`?", or what there is when nothing is near.
[[nodiscard]] std::string hint(const std::string& name, const std::vector<std::string>& known);

} // namespace tmemc::cli
