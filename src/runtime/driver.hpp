// The CUDA driver, opened while the program runs: nothing of CUDA is needed to build tmemc, and a machine
// without a GPU runs the same executable. libcuda's functions are rows of driver_entries.def; each becomes a
// member of Driver with the types that its row gives,
//
//     driver.must("allocating 512 bytes", driver.cuMemAlloc, &pointer, 512);
//
// which throws a DeviceFailure that names the call, the result and what was being done:
//
//     cuMemAlloc failed with CUDA_ERROR_OUT_OF_MEMORY (2: out of memory) while allocating 512 bytes
//
// The library is $TMEMC_CUDA_DRIVER, taken at its word, or the first of the usual names that can be opened.
// It stays open for good: libcuda keeps threads of its own. Not here: who owns what (driver_context.hpp).
#pragma once

#include "runtime/device.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tmemc::runtime {

namespace cuda {

using Result = int;
using DeviceId = int;
using Pointer = unsigned long long; // CUdeviceptr
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;

/// Results that mean more than failure (CUresult).
constexpr Result success = 0, out_of_memory = 2, not_ready = 600;
/// A kernel's fault, which any call after the launch may bring and every later one does: an illegal address,
/// a launch that took too long, an assertion, and from 714 on the errors of the hardware.
constexpr bool ends_context(Result result) {
    return result == 700 || result == 702 || result == 710 || (result >= 714 && result <= 719);
}

/// What a device can be asked for (CUdevice_attribute).
constexpr int multiprocessors = 16, l2_bytes = 38, capability_major = 75, capability_minor = 76;

template <class... Parameters>
struct Entry {
    const char* name;   // as the documentation has it
    const char* symbol; // as the library has it
    Result (*function)(Parameters...) = nullptr;
};

} // namespace cuda

struct Driver {
    std::string path; // of the library, as it was opened
#define TMEMC_DRIVER_ENTRY(member, symbol, ...) Entry<__VA_ARGS__> member{#member, symbol};
    // The rows name types of namespace cuda.
    template <class... Parameters>
    using Entry = cuda::Entry<Parameters...>;
    using Result = cuda::Result;
    using DeviceId = cuda::DeviceId;
    using Pointer = cuda::Pointer;
    using Context = cuda::Context;
    using Module = cuda::Module;
    using Function = cuda::Function;
    using Stream = cuda::Stream;
    using Event = cuda::Event;
#include "runtime/driver_entries.def"
#undef TMEMC_DRIVER_ENTRY

    /// "CUDA_ERROR_OUT_OF_MEMORY (2: out of memory)"
    [[nodiscard]] std::string text_of(cuda::Result result) const;
    /// The error of a call that ended with `result`, of class unavailable.
    [[nodiscard]] DeviceError error_of(const char* name, cuda::Result result, const std::string& doing) const;

    /// Calls, and throws the DeviceFailure of error_of() unless the call succeeds.
    template <class... Parameters, class... Arguments>
    void must(const std::string& doing, const cuda::Entry<Parameters...>& entry,
              Arguments... arguments) const {
        const cuda::Result result = entry.function(arguments...);
        if (result != cuda::success) throw DeviceFailure(error_of(entry.name, result, doing));
    }
};

/// The driver, ready for use; throws a DeviceFailure that says what was tried when there is none.
[[nodiscard]] std::shared_ptr<const Driver> open_driver();

} // namespace tmemc::runtime
