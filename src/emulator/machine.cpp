// load() and run(): what may be loaded and launched, and what may not.
#include "emulator/machine.hpp"

#include "emulator/cta.hpp"
#include "emulator/decode.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

constexpr std::uint64_t largest_shared =
    std::uint64_t{227} * 1024; // CUDA C++ Programming Guide, compute capability 10.0

Fault launch_fault(const Launch& launch, std::string why) {
    Fault fault{.kind = &catalogue::bad_launch};
    fault.message = fmt::format(fmt::runtime(catalogue::bad_launch.format), launch.kernel, why);
    return fault;
}

std::string text(const Dimensions& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

// Why the kernel cannot be launched so; empty when it can.
std::string mismatch(const Kernel& kernel, const Launch& launch) {
    const KernelSignature& signature = kernel.signature;
    const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
    if (threads == 0 || threads > 1024)
        return fmt::format("a CTA has 1 to 1024 threads, not {}", text(launch.block));
    if (launch.grid.x == 0 || launch.grid.y == 0 || launch.grid.z == 0) {
        return fmt::format("a grid of {} has no CTA", text(launch.grid));
    }
    constexpr std::uint32_t most_x = 0x7fffffff, most_y = 0xffff; // and z
    if (launch.grid.x > most_x || launch.grid.y > most_y || launch.grid.z > most_y) {
        return fmt::format("a grid has at most {}, {} and {} CTAs, not {}", most_x, most_y, most_y,
                           text(launch.grid));
    }
    if (signature.clusters) return "its CTAs work in clusters, and the emulator's clusters have one CTA each";
    if (signature.required_threads && *signature.required_threads != launch.block) {
        return fmt::format("it needs CTAs of {} threads (.reqntid), not {}",
                           text(*signature.required_threads), text(launch.block));
    }
    if (signature.max_threads && threads > *signature.max_threads)
        return fmt::format("a CTA has at most {} threads (.maxntid), not {}", *signature.max_threads,
                           threads);
    if (signature.parameter_bytes != launch.parameters.size()) {
        return fmt::format("its parameters have {} bytes, not {}", signature.parameter_bytes,
                           launch.parameters.size());
    }
    if (const std::uint64_t bytes = std::uint64_t{kernel.shared_bytes} + launch.shared_bytes;
        bytes > largest_shared) {
        return fmt::format("a CTA has at most {} bytes of shared memory, not {}", largest_shared, bytes);
    }
    return {};
}

/// The module's variables, unless the memory has them from a launch before this one.
void map_variables(const ModuleImage& image, GlobalMemory& memory) {
    for (const auto& [name, variable] : image.variables) {
        std::uint64_t offset = 0;
        if (variable.space != Space::global || variable.bytes.empty() ||
            memory.find(variable.address, 1, offset) != nullptr)
            continue;
        memory.map(variable.address, variable.bytes.size());
        memory.write(variable.address, variable.bytes);
    }
}

std::vector<std::vector<std::pair<std::uint32_t, ptx::Location>>> locations_of(const ptx::Module& module) {
    std::vector<std::vector<std::pair<std::uint32_t, ptx::Location>>> all(module.functions.size());
    for (std::size_t f = 0; f < all.size(); ++f)
        for (std::uint32_t s = 0; s < module.functions[f].body.size(); ++s)
            if (const auto* location = std::get_if<ptx::Location>(&module.functions[f].body[s]))
                all[f].emplace_back(s, *location);
    return all;
}

LoadResult decode(const base::Source& ptx, const ptx::ReadResult& read, CpuLevel level,
                  std::string_view only = {}) {
    LoadResult result;
    result.diagnostics = read.diagnostics;
    if (result.diagnostics.has_errors()) return result;
    auto executable = std::make_shared<Executable>(Executable{ptx,
                                                              read.lines,
                                                              read.spans,
                                                              {},
                                                              module_image(read, result.diagnostics),
                                                              read.module.files,
                                                              locations_of(read.module)});
    for (std::size_t f = 0; f < read.module.functions.size(); ++f) {
        const ptx::Function& function = read.module.functions[f];
        if (!function.entry || function.prototype || (!only.empty() && function.name != only)) continue;
        executable->kernels.push_back(
            Decoding(read, executable->image, f, level, result.diagnostics).kernel());
        result.kernels.push_back(executable->kernels.back().signature);
    }
    if (!result.diagnostics.has_errors()) result.executable = std::move(executable);
    return result;
}

} // namespace

LoadResult load(const base::Source& ptx, std::string_view kernel) {
    return decode(ptx, ptx::read(ptx), cpu_level(), kernel);
}

LoadResult load(const base::Source& ptx, CpuLevel level) { return decode(ptx, ptx::read(ptx), level); }

LoadResult load(const base::Source& ptx, const ptx::ReadResult& read) {
    return decode(ptx, read, cpu_level());
}

Outcome run(const Executable& executable, GlobalMemory& memory, const Launch& launch, const Limits& limits) {
    Outcome outcome;
    const auto begin = std::chrono::steady_clock::now();
    const auto kernel = std::find_if(executable.kernels.begin(), executable.kernels.end(),
                                     [&](const Kernel& k) { return k.signature.name == launch.kernel; });
    if (kernel == executable.kernels.end()) {
        outcome.fault = launch_fault(launch, "the module has no kernel of this name");
        return outcome;
    }
    if (std::string why = mismatch(*kernel, launch); !why.empty()) {
        outcome.fault = launch_fault(launch, std::move(why));
        return outcome;
    }
    map_variables(executable.image, memory);
    Run state{.executable = &executable,
              .kernel = &*kernel,
              .launch = &launch,
              .limits = limits,
              .global = &memory,
              .deadline = begin + limits.timeout};
    GridResult result = run_grid(state);
    outcome.fault = std::move(result.fault);
    outcome.thread_instructions = result.thread_instructions;
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return outcome;
}

} // namespace tmemc::emulator
