// `test` blocks: fill tensors, run kernels, compare with what the block expects, evaluated on the host. A
// block is checked with the file that it stands in (check.hpp); then its kernels are compiled and it is run
// statement by statement in the order written. The first thing that fails ends it and says where and by how
// much.
//
//     test "round trip" {
//       A = random(seed: 1);        assigned to the parameter A of the kernels run later
//       run roundtrip;              every tensor and scalar that it reads must have a value
//       expect B == A;              by bits; also `B[r, c] ~= A[c, r] rtol 1e-3`, `fault TM0703`, `error
//       TM0301`
//     }
//
// Not here: compiling (the caller's), devices and comparison (src/runtime).
#pragma once

#include "base/diagnostics.hpp"
#include "runtime/device.hpp"
#include "runtime/spec.hpp"
#include "sema/program.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::trial {

/// One kernel, compiled on its own.
struct Compiled {
    std::optional<sema::Kernel> kernel; // absent when there are errors, or no kernel of that name
    std::string ptx;
    std::uint64_t scratch_bytes = 0; // of runtime::Signature
    base::Diagnostics diagnostics;
};

struct Options {
    std::function<Compiled(const std::string& kernel)> compile;
    /// A device for one launch of this code, which is expected to end with a fault or not; null when there is
    /// none, which skips the block.
    std::function<std::unique_ptr<runtime::Device>(const runtime::Code& code, bool faulty)> device;
    /// Reads a file named in npy("...").
    runtime::FileReader read_file;
};

struct Verdict {
    enum class Outcome { passed, failed, skipped };
    std::string title;
    base::Span span; // of what failed, else of the block
    Outcome outcome{};
    std::vector<std::string> messages; // why; one may have several lines
    base::Diagnostics diagnostics;     // values that cannot be had, mistakes in a kernel that it runs
    bool device_failed = false;        // skipped, because the device that there is would not do
};

/// One verdict per block, in their order. Of `program` the tests and the constants are used; check() has
/// found nothing in it.
[[nodiscard]] std::vector<Verdict> run_tests(const sema::Program& program, const Options& options);

} // namespace tmemc::trial
