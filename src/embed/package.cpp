// The signature is taken from the first build, shared memory from the cubins.
#include "embed/package.hpp"

#include "base/invariant.hpp"

#include "toolchain/cubin.hpp"

#include <algorithm>
#include <filesystem>

namespace tmemc::embed {
namespace {

std::uint64_t shared_bytes(const std::string& kernel, const toolchain::Cubin& cubin) {
    for (const toolchain::CubinKernel& each : cubin.kernels)
        if (each.name == kernel) return each.shared_bytes;
    return 0;
}

/// For the whole grid of each kernel; nothing when no kernel needs any.
std::vector<std::uint64_t> scratch_bytes(const Build& build) {
    std::vector<std::uint64_t> all;
    for (std::size_t k = 0; k < build.program.kernels.size(); ++k) {
        const sema::Kernel& kernel = build.program.kernels[k];
        if (kernel.function) continue;
        std::uint64_t bytes = build.trace.kernels[k].cells.scratch_bytes();
        for (const std::int64_t extent : kernel.grid) bytes *= static_cast<std::uint64_t>(extent);
        all.push_back(bytes);
    }
    if (std::all_of(all.begin(), all.end(), [](std::uint64_t bytes) { return bytes == 0; })) all.clear();
    return all;
}

} // namespace

toolchain::Chip chip_of(const Image& image) {
    const std::optional<toolchain::Chip> chip = toolchain::chip_named(image.target);
    base::invariant(chip.has_value(), "an image is for a target that has a name");
    return *chip;
}

std::size_t launchable(const sema::Program& program) {
    return static_cast<std::size_t>(std::count_if(program.kernels.begin(), program.kernels.end(),
                                                  [](const sema::Kernel& each) { return !each.function; }));
}

Package package(const std::string& path, const std::vector<Build>& builds) {
    Package made;
    made.source = path == "-" ? "stdin" : std::filesystem::path(path).filename().string();
    const Build& first = builds.front();
    for (std::size_t k = 0; k < first.program.kernels.size(); ++k) {
        const sema::Kernel& kernel = first.program.kernels[k];
        if (kernel.function) continue;
        made.kernels.push_back({kernel.name, kernel.parameters, kernel.grid, kernel.threads(),
                                first.space.kernels[k].columns, 0});
    }
    for (const Build& build : builds) {
        made.images.push_back(
            {build.program.target, build.ptx, build.cubin, build.trace.software, scratch_bytes(build)});
        const toolchain::Cubin cubin = toolchain::read_cubin(build.cubin);
        for (Kernel& kernel : made.kernels)
            kernel.shared_bytes = std::max(kernel.shared_bytes, shared_bytes(kernel.name, cubin));
    }
    return made;
}

} // namespace tmemc::embed
