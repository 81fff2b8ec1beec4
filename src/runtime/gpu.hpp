// GPUs as Devices, by the CUDA driver. A Gpu is one of them with its context open; devices made from it are
// for one module each, as the emulator's are, and give back what they allocated. PTX is assembled for the GPU
// by ptxas where one is found, which is then the same machine code that `build` writes, and else by the
// driver's own compiler. Code for another chip is refused before the driver sees it:
//
//     error[TM0607]: `k.cubin` is for sm_100a, and GPU 0, NVIDIA H200, is of compute capability 9.0
//       help: compile it for sm_90
//
// A kernel that ends with a fault takes the context with it, for the whole process, and one that does not end
// in time stays on the GPU until the process is gone: the Gpu is lost then, and gives no more devices. Not
// here: the driver's functions (driver.hpp), timing (gpu_timing.cpp).
#pragma once

#include "runtime/driver.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::runtime {

class Context;

struct GpuInfo {
    int index = 0; // of --on=gpu:N
    std::string name;
    int capability = 0; // times 10
    int multiprocessors = 0;
    std::uint64_t memory = 0, l2_bytes = 0;
    bool operator==(const GpuInfo&) const = default;
};

struct Gpus {
    std::shared_ptr<const Driver> driver; // null: `error` says why
    int version = 0;                      // of CUDA, that the driver is for: 13000 is 13.0
    std::vector<GpuInfo> list;
    std::optional<DeviceError> error; // also when the list is empty
};
[[nodiscard]] Gpus find_gpus();

[[nodiscard]] bool has_tensor_memory(const GpuInfo& gpu);
/// The targets that have it.
[[nodiscard]] std::vector<std::string> tensor_targets();
/// What -arch=native means: "sm_100a", or "sm_90" where there is no tensor memory; of a chip that has no
/// target here, the latest before it; empty for one older than all.
[[nodiscard]] std::string native_target(const GpuInfo& gpu);
/// "13.0" of 13000.
[[nodiscard]] std::string cuda_version_text(int version);
/// "GPU 0, NVIDIA H200"
[[nodiscard]] std::string to_string(const GpuInfo& gpu);
/// Why `code` cannot run on the GPU, if it cannot: TM0607, or that a cubin is none.
[[nodiscard]] std::optional<DeviceError> unfit(const Code& code, const GpuInfo& gpu);

struct GpuOptions {
    std::string ptxas; // --ptxas
    std::vector<std::string> ptxas_flags;
    std::uint64_t timeout_ms = 0; // of a launch; 0: none
};

class Gpu {
  public:
    /// Throws a DeviceFailure when the GPU cannot be opened.
    Gpu(std::shared_ptr<const Driver> driver, GpuInfo info, GpuOptions options);
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    [[nodiscard]] const GpuInfo& info() const { return info_; }
    /// For one module; the device before, of this or another Gpu, must be gone, and the Gpu outlives it.
    [[nodiscard]] std::unique_ptr<Device> device();
    /// A kernel has faulted or runs on for ever: the process must end without its destructors.
    [[nodiscard]] bool lost() const;

  private:
    friend class GpuDevice;
    GpuInfo info_;
    GpuOptions options_;
    std::unique_ptr<Context> context_;
};

} // namespace tmemc::runtime
