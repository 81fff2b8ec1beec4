// Retain and release, and the one call with a table of options.
#include "runtime/driver_context.hpp"

#include <fmt/format.h>

#include <array>

namespace tmemc::runtime {

namespace {

// CUjit_option: buffers for the logs, and how large they are.
constexpr int information_buffer = 3, information_bytes = 4, error_buffer = 5, error_bytes = 6;
constexpr std::size_t log_bytes = 16384;

/// Up to its zero, less the line breaks at the end.
std::string text_of(const std::vector<char>& buffer) {
    std::string text(buffer.data());
    text.erase(text.find_last_not_of(" \r\n") + 1);
    return text;
}

} // namespace

Context::Context(std::shared_ptr<const Driver> driver, int device)
    : driver_(std::move(driver)), doing_(fmt::format("opening GPU {}", device)) {
    driver_->must(doing_, driver_->cuDeviceGet, &device_, device);
    driver_->must(doing_, driver_->cuDevicePrimaryCtxRetain, &context_, device_);
}

Context::~Context() {
    if (!abandoned_) driver_->cuDevicePrimaryCtxRelease.function(device_);
}

void Context::enter() const { driver_->must(doing_, driver_->cuCtxSetCurrent, context_); }

Handle<cuda::Pointer> Context::allocate(std::uint64_t bytes) const {
    cuda::Pointer pointer = 0; // of nothing at all there is no allocation, and any address will do
    driver_->must(fmt::format("allocating {} bytes", bytes), driver_->cuMemAlloc, &pointer,
                  bytes == 0 ? std::size_t{1} : static_cast<std::size_t>(bytes));
    return own(driver_->cuMemFree, pointer);
}

Handle<cuda::Stream> Context::stream() const {
    constexpr unsigned in_step = 0; // with cuMemcpyHtoD, which may return before its bytes have arrived
    cuda::Stream stream = nullptr;
    driver_->must("making a stream", driver_->cuStreamCreate, &stream, in_step);
    return own(driver_->cuStreamDestroy, stream);
}

Handle<cuda::Event> Context::event() const {
    cuda::Event event = nullptr;
    driver_->must("making an event", driver_->cuEventCreate, &event, 0U);
    return own(driver_->cuEventDestroy, event);
}

Handle<cuda::Module> Context::load(const std::string& image, const std::string& name, LoadLog& log) const {
    std::vector<char> information(log_bytes), errors(log_bytes);
    std::array<int, 4> options{information_buffer, information_bytes, error_buffer, error_bytes};
    // A number travels in the place of a pointer.
    const auto size = reinterpret_cast<void*>(log_bytes); // NOLINT(performance-no-int-to-ptr)
    std::array<void*, 4> values{information.data(), size, errors.data(), size};
    cuda::Module module = nullptr;
    const cuda::Result result = driver_->cuModuleLoadDataEx.function(
        &module, image.c_str(), static_cast<unsigned>(options.size()), options.data(), values.data());
    log = {text_of(information), text_of(errors)};
    if (result == cuda::success) return own(driver_->cuModuleUnload, module);
    DeviceError error =
        driver_->error_of(driver_->cuModuleLoadDataEx.name, result, fmt::format("loading `{}`", name));
    if (!log.errors.empty()) error.notes.push_back("the driver says: " + log.errors);
    if (!log.information.empty()) error.notes.push_back("and: " + log.information);
    throw DeviceFailure(std::move(error));
}

} // namespace tmemc::runtime
