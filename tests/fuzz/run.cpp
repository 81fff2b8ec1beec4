// Fuzz target: any bytes as PTX, loaded, and each of its kernels launched on buffers of zeros, with little
// time and few steps. Whatever the text, the machine refuses it, runs it or raises a fault.
#include "fuzz.hpp"

#include "emulator/machine.hpp"

#include <cstring>

using namespace tmemc;
using namespace tmemc::emulator;

namespace {

constexpr std::uint32_t buffer_bytes = 4096;

void launch(const Executable& executable, const KernelSignature& kernel, bool strict) {
    GlobalMemory memory;
    Launch launch{kernel.name, {1, 1, 1}, {64, 1, 1}, std::vector<std::byte>(kernel.parameter_bytes)};
    if (kernel.required_threads) launch.block = *kernel.required_threads;
    if (launch.block.x > 256 || launch.block.y > 4 || launch.block.z > 4) return;
    launch.shared_bytes = 1024;
    for (const KernelParameter& parameter : kernel.parameters) {
        if (parameter.bytes != 8) continue;
        const std::uint64_t address = memory.allocate(buffer_bytes);
        memory.write(address, std::vector<std::byte>(buffer_bytes));
        std::memcpy(launch.parameters.data() + parameter.offset, &address, sizeof address);
    }
    Limits limits;
    limits.max_steps = 5000;
    limits.timeout = std::chrono::milliseconds(500);
    limits.uninitialised_is_fault = strict;
    limits.hazards_are_faults = strict;
    static_cast<void>(run(executable, memory, launch, limits));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const LoadResult loaded = load(base::Source("fuzz.ptx", text));
    fuzz::demand((loaded.executable == nullptr) == loaded.diagnostics.has_errors(),
                 "what is not refused is executable");
    if (loaded.executable == nullptr) return 0;
    for (const KernelSignature& kernel : loaded.kernels)
        for (const bool strict : {true, false}) launch(*loaded.executable, kernel, strict);
    return 0;
}
