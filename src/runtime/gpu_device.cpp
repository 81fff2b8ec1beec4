// Loading, memory and launches, each by a few calls of the driver.
#include "runtime/gpu_device.hpp"

#include "runtime/gpu_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace tmemc::runtime {

namespace {

namespace catalogue = base::catalogue;

constexpr int most_dynamic_shared = 8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

} // namespace

Gpu::Gpu(std::shared_ptr<const Driver> driver, GpuInfo info, GpuOptions options)
    : info_(std::move(info)), options_(std::move(options)),
      context_(std::make_unique<Context>(std::move(driver), info_.index)) {}
Gpu::~Gpu() = default;

bool Gpu::lost() const { return context_->abandoned(); }

std::unique_ptr<Device> Gpu::device() { return std::make_unique<GpuDevice>(*this); }

GpuDevice::GpuDevice(Gpu& gpu) : gpu_(gpu), context_(*gpu.context_), driver_(context_.driver()) {
    if (gpu.lost())
        throw DeviceFailure(device_error(
            DeviceError::Class::unavailable, catalogue::no_driver,
            "a kernel before this one has faulted or still runs, and only a new process can use it again"));
    context_.enter(); // another GPU may have been in use
    stream_ = context_.stream();
    begin_ = context_.event();
    end_ = context_.event();
}

DeviceError GpuDevice::failure_of(const char* name, cuda::Result result, const std::string& doing) {
    const bool ended = cuda::ends_context(result);
    if (ended) context_.abandon();
    return ended && !kernel_.empty() ? fault_of(result) : driver_.error_of(name, result, doing);
}

DeviceError GpuDevice::fault_of(cuda::Result result) const {
    DeviceError fault = device_error(DeviceError::Class::fault, catalogue::kernel_failed, kernel_,
                                     to_string(gpu_.info()), driver_.text_of(result));
    fault.helps = {"--on=emulator says which instruction of which thread it is",
                   "compute-sanitizer does too: compute-sanitizer tmemc run ..."};
    return fault;
}

base::Diagnostics GpuDevice::load(const Code& code, const std::string&) {
    if (auto error = unfit(code, gpu_.info())) throw DeviceFailure(std::move(*error));
    Image image = image_of(code, gpu_.info(), gpu_.options_);
    if (image.diagnostics.has_errors()) return std::move(image.diagnostics);
    LoadLog log;
    try {
        module_ = context_.load(image.bytes, code.name, log);
    } catch (const DeviceFailure&) {
        base::Diagnostics said = image.text ? diagnostics_of(log.errors, code) : base::Diagnostics{};
        if (!said.has_errors()) throw;
        return said;
    }
    code_name_ = code.name;
    loading_ = log.information;
    if (!image.text) kernels_ = toolchain::read_cubin(image.bytes).kernels;
    return {};
}

Address GpuDevice::allocate(std::uint64_t bytes) {
    buffers_.push_back(context_.allocate(bytes));
    return buffers_.back().get();
}

void GpuDevice::write(Address address, std::span<const std::byte> data) {
    if (data.empty()) return;
    must(fmt::format("copying {} bytes to the GPU", data.size()), driver_.cuMemcpyHtoD, address,
         static_cast<const void*>(data.data()), data.size());
}

void GpuDevice::read(Address address, std::span<std::byte> data) {
    if (data.empty()) return;
    must(fmt::format("copying {} bytes from the GPU", data.size()), driver_.cuMemcpyDtoH,
         static_cast<void*>(data.data()), address, data.size());
}

cuda::Function GpuDevice::function(const std::string& kernel, const LaunchShape& shape) {
    cuda::Function function = nullptr;
    must(fmt::format("looking for kernel `{}` in `{}`", kernel, code_name_), driver_.cuModuleGetFunction,
         &function, module_.get(), kernel.c_str());
    if (shape.shared_bytes > 0) // with the kernel's static bytes it may be more than the 48 KiB for all
        must(fmt::format("giving `{}` {} bytes of shared memory", kernel, shape.shared_bytes),
             driver_.cuFuncSetAttribute, function, most_dynamic_shared, static_cast<int>(shape.shared_bytes));
    return function;
}

/// The driver reads as many bytes as the kernel declares, so a wrong list of parameters must not get there.
std::optional<DeviceError> GpuDevice::mismatch(const std::string& kernel, Parameters parameters) const {
    const auto known = std::find_if(kernels_.begin(), kernels_.end(),
                                    [&](const toolchain::CubinKernel& each) { return each.name == kernel; });
    if (known == kernels_.end()) return std::nullopt;
    const auto wrong = [&](const std::string& why) {
        return device_error(DeviceError::Class::fault, catalogue::bad_launch, kernel, why);
    };
    const auto& declared = known->parameters;
    if (declared.size() != parameters.size())
        return wrong(fmt::format("it has {} parameters, not {}", declared.size(), parameters.size()));
    for (std::size_t p = 0; p < declared.size(); ++p)
        if (declared[p].bytes != parameters[p].size())
            return wrong(fmt::format("its parameter {} has {} bytes, not {}", p, declared[p].bytes,
                                     parameters[p].size()));
    return std::nullopt;
}

std::optional<DeviceError> GpuDevice::wait(const std::string& kernel) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point last = Clock::now() + std::chrono::milliseconds(gpu_.options_.timeout_ms);
    cuda::Result result = cuda::not_ready;
    std::chrono::microseconds pause(20);
    while (gpu_.options_.timeout_ms != 0 && result == cuda::not_ready) {
        result = driver_.cuStreamQuery.function(stream_.get());
        if (result != cuda::not_ready) break;
        if (Clock::now() > last) {
            context_.abandon();
            return device_error(DeviceError::Class::timeout, catalogue::kernel_hangs, kernel,
                                to_string(gpu_.info()), static_cast<double>(gpu_.options_.timeout_ms) / 1000);
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(2 * pause, std::chrono::microseconds(5000));
    }
    if (gpu_.options_.timeout_ms == 0) result = driver_.cuStreamSynchronize.function(stream_.get());
    if (result == cuda::success) return std::nullopt;
    context_.abandon(); // whatever it is
    return fault_of(result);
}

void GpuDevice::enqueue(cuda::Function function, const std::string& kernel, const LaunchShape& shape,
                        Parameters parameters) {
    std::vector<void*> values; // the driver reads them and has no const
    values.reserve(parameters.size());
    for (const std::vector<std::byte>& each : parameters)
        values.push_back(const_cast<std::byte*>(each.data()));
    const auto& [gx, gy, gz] = shape.grid;
    const auto& [bx, by, bz] = shape.block;
    must(fmt::format(
             "launching `{}` with a grid of {}x{}x{}, a block of {}x{}x{} and {} bytes of shared memory",
             kernel, gx, gy, gz, bx, by, bz, shape.shared_bytes),
         driver_.cuLaunchKernel, function, gx, gy, gz, bx, by, bz, shape.shared_bytes, stream_.get(),
         values.data(), static_cast<void**>(nullptr));
}

std::optional<DeviceError> GpuDevice::once(cuda::Function function, const std::string& kernel,
                                           const LaunchShape& shape, Parameters parameters, double& seconds) {
    const std::string doing = fmt::format("launching `{}`", kernel);
    kernel_ = kernel;
    must(doing, driver_.cuEventRecord, begin_.get(), stream_.get());
    enqueue(function, kernel, shape, parameters);
    must(doing, driver_.cuEventRecord, end_.get(), stream_.get());
    if (auto error = wait(kernel)) return error;
    float milliseconds = 0;
    must("reading the GPU's clock", driver_.cuEventElapsedTime, &milliseconds, begin_.get(), end_.get());
    seconds = static_cast<double>(milliseconds) / 1000;
    return std::nullopt;
}

std::optional<DeviceError> GpuDevice::launch(const std::string& kernel, const LaunchShape& shape,
                                             Parameters parameters, LaunchStatistics& statistics) {
    statistics.loading = loading_;
    if (auto error = mismatch(kernel, parameters)) return error;
    try {
        return once(function(kernel, shape), kernel, shape, parameters, statistics.seconds);
    } catch (const DeviceFailure& failure) {
        return failure.error();
    }
}

} // namespace tmemc::runtime
