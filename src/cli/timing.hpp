// What --time shows: the median of several launches on a GPU, the fastest and the slowest, with the
// second-level cache emptied before each and with it as the launch before left it, and the bytes per second
// that these come to. The bytes are those of the tensors: an `in` is read once, an `out` written once, an
// `inout` both. PTX of other origin does not say which are which, and each tensor counts once.
#pragma once

#include "runtime/call.hpp"
#include "runtime/gpu.hpp"

#include <cstdint>
#include <string>

namespace tmemc::cli {

struct Measured {
    std::string kernel;
    runtime::GpuInfo gpu;
    int driver = 0; // 13000 is CUDA 13.0
    int repeats = 0;
    std::uint64_t bytes = 0;
    runtime::Timing timing;
};

/// The bytes that a launch moves at least.
[[nodiscard]] std::uint64_t traffic(const runtime::Signature& signature, bool directions_unknown);
[[nodiscard]] std::string timing_text(const Measured& measured);
/// {"schema": 1, "kernel", "device", "driver", "repeats", "bytes", "cold": {"median_s", "min_s", "max_s",
/// "bytes_per_s"}, "warm": the same}
[[nodiscard]] std::string timing_json(const Measured& measured);

} // namespace tmemc::cli
