// The Device of a Gpu: a module, the buffers allocated for it and a stream. All goes away with it, unless the
// GPU had a fault: then nothing can be given back and the process is to end. Not here: what the driver is
// asked (driver.hpp), or which code fits (gpu_code.hpp).
#pragma once

#include "runtime/driver_context.hpp"
#include "runtime/gpu.hpp"
#include "toolchain/cubin.hpp"

namespace tmemc::runtime {

class GpuDevice final : public Device {
  public:
    explicit GpuDevice(Gpu& gpu);

    [[nodiscard]] std::string name() const override { return gpu_.info().name; }
    [[nodiscard]] base::Diagnostics load(const Code& code, const std::string& kernel) override;
    [[nodiscard]] Address allocate(std::uint64_t bytes) override;
    void write(Address address, std::span<const std::byte> data) override;
    void read(Address address, std::span<std::byte> data) override;
    [[nodiscard]] std::optional<DeviceError> launch(const std::string& kernel, const LaunchShape& shape,
                                                    std::span<const std::vector<std::byte>> parameters,
                                                    LaunchStatistics& statistics) override;
    [[nodiscard]] std::optional<DeviceError> time(const std::string& kernel, const LaunchShape& shape,
                                                  std::span<const std::vector<std::byte>> parameters,
                                                  int repeats, Timing& timing) override;

  private:
    using Parameters = std::span<const std::vector<std::byte>>;

    Gpu& gpu_;
    Context& context_;
    const Driver& driver_;
    Handle<cuda::Stream> stream_;
    Handle<cuda::Event> begin_, end_;
    Handle<cuda::Module> module_;
    std::string code_name_;
    std::string loading_;                         // what the driver said of it
    std::string kernel_;                          // launched last; empty: none yet
    std::vector<toolchain::CubinKernel> kernels_; // of machine code, with the sizes of their parameters
    std::vector<Handle<cuda::Pointer>> buffers_;

    /// Driver::must(), which a fault of the kernel launched may get to before wait() does: it throws that.
    template <class... Entered, class... Arguments>
    void must(const std::string& doing, const cuda::Entry<Entered...>& entry, Arguments... arguments) {
        const cuda::Result result = entry.function(arguments...);
        if (result != cuda::success) throw DeviceFailure(failure_of(entry.name, result, doing));
    }
    /// The error of a call that ended with `result`; abandons the context when that is of no more use.
    [[nodiscard]] DeviceError failure_of(const char* name, cuda::Result result, const std::string& doing);
    [[nodiscard]] DeviceError fault_of(cuda::Result result) const;
    [[nodiscard]] cuda::Function function(const std::string& kernel, const LaunchShape& shape);
    [[nodiscard]] std::optional<DeviceError> mismatch(const std::string& kernel, Parameters parameters) const;
    /// Puts a launch behind what the stream has to do already.
    void enqueue(cuda::Function function, const std::string& kernel, const LaunchShape& shape,
                 Parameters parameters);
    /// Launches between the two events and waits; `seconds` is the time between them.
    [[nodiscard]] std::optional<DeviceError> once(cuda::Function function, const std::string& kernel,
                                                  const LaunchShape& shape, Parameters parameters,
                                                  double& seconds);
    /// Waits for the stream, as long as a launch may take.
    [[nodiscard]] std::optional<DeviceError> wait(const std::string& kernel);
};

} // namespace tmemc::runtime
