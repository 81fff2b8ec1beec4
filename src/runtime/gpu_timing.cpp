// How long a kernel takes on a GPU: events of its own clock on both sides of each launch, half a microsecond
// fine. A few launches come first, because the first pays for what is then in place, clocks among it. Then
//
//     cold   before each launch a buffer of twice the second-level cache is written over
//     warm   a launch that is not timed goes directly before, over the same tensors
//
// so that in both the GPU is at work when the launch is put behind, and its way there is not timed. They
// differ by what fits in that cache: 60 MB on an H200, so that a kernel over gigabytes shows no difference,
// and one over a few megabytes runs several times faster warm.
#include "runtime/gpu_device.hpp"

#include <algorithm>

namespace tmemc::runtime {

namespace {

constexpr int warm_up = 3;
constexpr std::uint64_t least_flushed = std::uint64_t{64} << 20;

} // namespace

std::optional<DeviceError> GpuDevice::time(const std::string& kernel, const LaunchShape& shape,
                                           Parameters parameters, int repeats, Timing& timing) {
    const cuda::Function launched = function(kernel, shape);
    const std::uint64_t flushed = std::max(2 * gpu_.info().l2_bytes, least_flushed);
    const Handle<cuda::Pointer> other = context_.allocate(flushed);
    double seconds = 0;
    for (int turn = 0; turn < warm_up; ++turn)
        if (auto error = once(launched, kernel, shape, parameters, seconds)) return error;
    for (int turn = 0; turn < repeats; ++turn) {
        must("emptying the second-level cache", driver_.cuMemsetD8Async, other.get(),
             static_cast<unsigned char>(turn), static_cast<std::size_t>(flushed), stream_.get());
        if (auto error = once(launched, kernel, shape, parameters, seconds)) return error;
        timing.cold.push_back(seconds);
    }
    for (int turn = 0; turn < repeats; ++turn) {
        enqueue(launched, kernel, shape, parameters);
        if (auto error = once(launched, kernel, shape, parameters, seconds)) return error;
        timing.warm.push_back(seconds);
    }
    return std::nullopt;
}

} // namespace tmemc::runtime
