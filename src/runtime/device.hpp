// Where a program runs: one interface, two ends, the emulator and a GPU (gpu.hpp). A device loads a module,
// holds buffers and launches kernels. A failure is a DeviceError with the words to show: launch() returns it,
// because a kernel's fault is a result like another; what cannot go wrong on the emulator and can on a GPU
// (no memory left, no such kernel) is thrown as a DeviceFailure, which call() turns into a result too.
#pragma once

#include "base/diagnostics.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tmemc::runtime {

/// A failure of a device, classed by the exit status it leads to.
struct DeviceError {
    enum class Class { fault, timeout, unavailable }; // 4, 4, 3
    Class what{};
    std::string code; // "TM0703"
    std::string message;
    std::uint32_t ptx_line = 0; // 0: none
    std::vector<std::string> notes, helps;
};

/// One by its row of the catalogue, without notes and helps.
template <class... Arguments>
DeviceError device_error(DeviceError::Class what, const base::TypedKind<Arguments...>& kind,
                         const std::type_identity_t<Arguments>&... arguments) {
    return {.what = what,
            .code = std::string(kind.code),
            .message = fmt::format(fmt::runtime(kind.format), arguments...)};
}

class DeviceFailure : public std::exception {
  public:
    explicit DeviceFailure(DeviceError error) : error_(std::move(error)) {}
    [[nodiscard]] const DeviceError& error() const { return error_; }
    [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }

  private:
    DeviceError error_;
};

struct LaunchStatistics {
    std::uint64_t thread_instructions = 0; // emulator
    double seconds = 0;                    // of a GPU by its own clock
    std::string loading;                   // what the driver said of the module that it took
};

/// Seconds of each of several launches, by the GPU's own clock.
struct Timing {
    std::vector<double> cold; // the second-level cache holds nothing of the tensors
    std::vector<double> warm; // launched just before with the same tensors
};

/// A module as it is on its way to a device. The emulator takes the text, a GPU either.
struct Code {
    std::string name;  // of the file, or what would be its name
    std::string ptx;   // text, or
    std::string cubin; // machine code
};

using Address = std::uint64_t;

struct LaunchShape {
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t shared_bytes = 0; // of .extern .shared memory
};

class Device {
  public:
    virtual ~Device() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    /// Loads a module for launches of one of its kernels, or of any when none is named. Errors in what these
    /// reach come back as diagnostics against the PTX text.
    [[nodiscard]] virtual base::Diagnostics load(const Code& code, const std::string& kernel) = 0;
    [[nodiscard]] virtual Address allocate(std::uint64_t bytes) = 0;
    virtual void write(Address address, std::span<const std::byte> data) = 0;
    virtual void read(Address address, std::span<std::byte> data) = 0;
    /// Launches and waits. `parameters` are the values in declaration order, each with its size.
    [[nodiscard]] virtual std::optional<DeviceError>
    launch(const std::string& kernel, const LaunchShape& shape,
           std::span<const std::vector<std::byte>> parameters, LaunchStatistics& statistics) = 0;
    /// Launches a few times to warm up, then `repeats` times for each of Timing's two; only a GPU has a
    /// clock.
    [[nodiscard]] virtual std::optional<DeviceError> time(const std::string& kernel, const LaunchShape& shape,
                                                          std::span<const std::vector<std::byte>> parameters,
                                                          int repeats, Timing& timing);
};

struct EmulatorOptions {
    std::uint64_t max_steps = 0;
    std::uint64_t timeout_ms = 0;
    bool uninitialised_is_fault = true;
    bool strict_lanes = false;
    std::uint32_t threads = 0; // 0: as many as the machine has
};
[[nodiscard]] std::unique_ptr<Device> make_emulator(const EmulatorOptions& options = {});

} // namespace tmemc::runtime
