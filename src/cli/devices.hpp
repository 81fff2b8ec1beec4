// What there is to run on, as lines of text: `run --list-devices` prints the emulator and each GPU, `doctor`
// the GPUs. The numbers are the driver's own; whether there is tensor memory follows from the compute
// capability. Not here: choosing one (runnable.hpp).
#pragma once

#include "cli/place.hpp"

#include <string>

namespace tmemc::cli {

/// "NVIDIA H200, compute capability 9.0 (sm_90), 132 multiprocessors, 139.8 GiB, no tensor memory"
[[nodiscard]] std::string gpu_line(const runtime::GpuInfo& gpu);

} // namespace tmemc::cli
