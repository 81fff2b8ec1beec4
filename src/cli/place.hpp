// Where a program runs: --on=auto, emulator or gpu[:N]. `gpu` is that GPU or an error, exit status 3; `auto`
// is the first GPU that can run the code at hand, else the emulator. A program that names no target, with the
// command line naming none either, is compiled for the GPU it will run on, when that can run it at all: a GPU
// without tensor memory needs --tmem=software for that.
#pragma once

#include "cli/session.hpp"
#include "runtime/gpu.hpp"

#include <memory>
#include <optional>
#include <string>

namespace tmemc::cli {

/// Says a device's error at a place of the source and returns the exit status it leads to.
int report(const runtime::DeviceError& error, const base::Source& source, base::Span span,
           const Options& options);

[[nodiscard]] runtime::GpuOptions gpu_options(const Options& options);

class Place {
  public:
    explicit Place(const Options& options);

    /// What speaks against running anything here, if something does.
    [[nodiscard]] const std::optional<runtime::DeviceError>& error() const { return error_; }
    /// For code that names no target; empty: the usual one.
    [[nodiscard]] std::string default_target() const;
    /// Where this code runs: a GPU, or null for the emulator. Throws a DeviceFailure when the code fits no
    /// GPU and must not run on the emulator.
    [[nodiscard]] runtime::Gpu* gpu_for(const runtime::Code& code);
    /// A fresh device, there.
    [[nodiscard]] std::unique_ptr<runtime::Device> device_for(const runtime::Code& code);
    /// Why there is no GPU, under `auto` too.
    [[nodiscard]] const runtime::Gpus& gpus() const { return gpus_; }
    /// To be called last: when a kernel does not end, nor would the process, and this leaves it at once.
    int leave(int status) const;

  private:
    const Options& options_;
    runtime::Gpus gpus_;
    std::vector<runtime::GpuInfo> candidates_;
    std::vector<std::unique_ptr<runtime::Gpu>> open_; // of the candidates, as far as they are in use
    std::optional<runtime::DeviceError> error_;

    [[nodiscard]] runtime::Gpu* open(std::size_t candidate);
};

/// Puts the GPU's target in the place of -arch=native; exit_ok, or the status after a complaint.
[[nodiscard]] int resolve_native(Options& options);

} // namespace tmemc::cli
