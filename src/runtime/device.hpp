// Where a program runs: one interface, two ends, the emulator and (when an issue brings it) the CUDA driver.
// A device loads a module, holds buffers and launches kernels; a failure is a DeviceError with the words to
// show.
#pragma once

#include "base/diagnostics.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tmemc::runtime {

/// A failure of a device, classed by the exit status it leads to.
struct DeviceError {
    enum class Class { fault, timeout, unavailable }; // 4, 4, 3
    Class what{};
    std::string code; // "TM0703"
    std::string message;
    std::uint32_t ptx_line = 0; // 0: none
    std::vector<std::string> notes;
};

struct LaunchStatistics {
    std::uint64_t thread_instructions = 0; // emulator
    double seconds = 0;
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
    /// Loads a module (PTX text for the emulator) for launches of one of its kernels, or of any when none is
    /// named. Errors in what these reach come back as diagnostics against that text.
    [[nodiscard]] virtual base::Diagnostics load(const std::string& ptx_name, const std::string& ptx,
                                                 const std::string& kernel) = 0;
    [[nodiscard]] virtual Address allocate(std::uint64_t bytes) = 0;
    virtual void write(Address address, std::span<const std::byte> data) = 0;
    virtual void read(Address address, std::span<std::byte> data) = 0;
    /// Launches and waits. `parameters` are the values in declaration order, each with its size.
    [[nodiscard]] virtual std::optional<DeviceError>
    launch(const std::string& kernel, const LaunchShape& shape,
           std::span<const std::vector<std::byte>> parameters, LaunchStatistics& statistics) = 0;
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
