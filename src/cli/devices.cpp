// run --list-devices: the emulator and the GPUs, a line each, as --on= names them.
#include "cli/devices.hpp"
#include "toolchain/chip.hpp"

#include <fmt/format.h>

namespace tmemc::cli {

std::string gpu_line(const runtime::GpuInfo& gpu) {
    const std::string target = runtime::native_target(gpu);
    return fmt::format("{}, compute capability {} ({}), {} multiprocessors, {:.1f} GiB, {}", gpu.name,
                       toolchain::capability_text(gpu.capability), target.empty() ? "too old" : target,
                       gpu.multiprocessors, static_cast<double>(gpu.memory) / (1 << 30),
                       runtime::has_tensor_memory(gpu) ? "tensor memory" : "no tensor memory");
}

int list_devices() {
    std::string text = "emulator  every target, no GPU needed\n";
    const runtime::Gpus gpus = runtime::find_gpus();
    for (const runtime::GpuInfo& gpu : gpus.list)
        text += fmt::format("{:<10}{}\n", fmt::format("gpu:{}", gpu.index), gpu_line(gpu));
    if (gpus.error) text += fmt::format("gpu       none: {}\n", gpus.error->message);
    return put(text) ? exit_ok : exit_usage;
}

} // namespace tmemc::cli
