// The GPUs, asked for when they may be used and not before.
#include "cli/place.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>

namespace tmemc::cli {
namespace {

namespace catalogue = base::catalogue;
using runtime::DeviceError;

DeviceError no_such_gpu(int index, const runtime::Gpus& gpus) {
    const std::size_t count = gpus.list.size();
    DeviceError error =
        runtime::device_error(DeviceError::Class::unavailable, catalogue::no_such_gpu, index,
                              count == 1 ? "is 1, number 0" : fmt::format("are {}, counted from 0", count));
    error.helps.emplace_back("`tmemc run --list-devices` shows them");
    return error;
}

} // namespace

int report(const DeviceError& error, const base::Source& source, base::Span span, const Options& options) {
    base::Diagnostics diagnostics;
    for (const base::Kind* kind : base::all_kinds()) {
        if (kind->code != error.code) continue;
        base::Diagnostic diagnostic;
        diagnostic.kind = kind;
        diagnostic.span = span;
        diagnostic.message = error.message;
        diagnostic.notes = error.notes;
        diagnostic.helps = error.helps;
        diagnostics.list.push_back(std::move(diagnostic));
    }
    if (diagnostics.list.empty()) complain(error.message);
    show(diagnostics, source, options);
    return error.what == DeviceError::Class::unavailable ? exit_toolchain : exit_check;
}

runtime::GpuOptions gpu_options(const Options& options) {
    return {options.ptxas, options.ptxas_flags, options.timeout_ms};
}

Place::Place(const Options& options) : options_(options) {
    if (options.on == On::emulator) return;
    gpus_ = runtime::find_gpus();
    candidates_ = gpus_.list;
    if (options.on == On::gpu) {
        const auto index = static_cast<std::size_t>(options.gpu);
        if (gpus_.error)
            error_ = gpus_.error;
        else if (index >= gpus_.list.size())
            error_ = no_such_gpu(options.gpu, gpus_);
        else
            candidates_ = {gpus_.list[index]};
    }
    open_.resize(candidates_.size());
}

std::string Place::default_target() const {
    for (const runtime::GpuInfo& gpu : candidates_) {
        std::string target = runtime::native_target(gpu);
        if (!target.empty() && (runtime::has_tensor_memory(gpu) || options_.tmem != "hardware"))
            return target;
    }
    return {};
}

runtime::Gpu* Place::open(std::size_t candidate) {
    std::unique_ptr<runtime::Gpu>& gpu = open_[candidate];
    if (!gpu)
        gpu = std::make_unique<runtime::Gpu>(gpus_.driver, candidates_[candidate], gpu_options(options_));
    return gpu.get();
}

runtime::Gpu* Place::gpu_for(const runtime::Code& code) {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        std::optional<DeviceError> unfit = runtime::unfit(code, candidates_[i]);
        if (!unfit) return open(i);
        if (options_.on == On::gpu) throw runtime::DeviceFailure(std::move(*unfit));
    }
    if (code.cubin.empty() && options_.on != On::gpu) return nullptr;
    DeviceError error = gpus_.error ? *gpus_.error : *runtime::unfit(code, candidates_.front());
    if (!code.cubin.empty())
        error.helps = {
            "machine code runs on a GPU only; the .tmx or .ptx that it came from also on the emulator"};
    throw runtime::DeviceFailure(std::move(error));
}

std::unique_ptr<runtime::Device> Place::device_for(const runtime::Code& code) {
    runtime::Gpu* const gpu = gpu_for(code);
    return gpu != nullptr ? gpu->device() : emulator(options_);
}

int Place::leave(int status) const {
    for (const std::unique_ptr<runtime::Gpu>& gpu : open_) {
        if (!gpu || !gpu->lost()) continue;
        std::cout << std::flush;
        std::cerr << std::flush;
        std::_Exit(status);
    }
    return status;
}

int resolve_native(Options& options) {
    std::vector<std::string*> natives;
    if (options.target == "native") natives.push_back(&options.target);
    for (std::string& each : options.other_targets)
        if (each == "native") natives.push_back(&each);
    if (natives.empty()) return exit_ok;
    const runtime::Gpus gpus = runtime::find_gpus();
    const auto index = static_cast<std::size_t>(options.gpu);
    std::optional<DeviceError> error = gpus.error;
    if (!error && index >= gpus.list.size()) error = no_such_gpu(options.gpu, gpus);
    const std::string target = error ? std::string() : runtime::native_target(gpus.list[index]);
    if (!error && target.empty())
        error = runtime::device_error(DeviceError::Class::unavailable, catalogue::no_driver,
                                      runtime::to_string(gpus.list[index]) + ", is older than every target");
    if (error) {
        error->helps = {"-arch=native asks the driver for the GPU's target; -arch=sm_100a names one"};
        return report(*error, base::Source("-arch=native", ""), base::no_place, options);
    }
    for (std::string* const each : natives) *each = target;
    return exit_ok;
}

} // namespace tmemc::cli
