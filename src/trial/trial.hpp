// `test` blocks: fill tensors, run kernels, compare with what the block expects, evaluated on the host. A block is run
// statement by statement in the order written; the first thing that fails ends it and says where and by how much.
#pragma once

#include "base/diagnostics.hpp"
#include "runtime/device.hpp"
#include "sema/program.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::trial {

/// One kernel, compiled on its own.
struct Compiled {
    std::optional<sema::Kernel> kernel; // absent when there are errors
    std::string ptx;
    base::Diagnostics diagnostics;
};

struct FileContents {
    std::optional<std::string> bytes; // absent: `error` says why
    std::string error;
};

struct Options {
    std::function<Compiled(const std::string& kernel)> compile;
    std::function<std::unique_ptr<runtime::Device>()> device;
    /// Reads a file named in npy("...").
    std::function<FileContents(const std::string& path)> read_file;
};

struct Verdict {
    enum class Outcome { passed, failed, skipped };
    std::string title;
    base::Span span; // of what failed, else of the block
    Outcome outcome{};
    std::vector<std::string> messages; // why
    base::Diagnostics diagnostics;     // mistakes in the block itself (unknown tensor, unknown generator)
};

[[nodiscard]] std::vector<Verdict> run_tests(const sema::Program& program, const Options& options);

} // namespace tmemc::trial
