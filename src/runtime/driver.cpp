// From a library's name to a table of functions.
#include "runtime/driver.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>
#include <utility>

namespace tmemc::runtime {

namespace {

namespace catalogue = base::catalogue;

DeviceError no_driver(const std::string& why) {
    DeviceError error = device_error(DeviceError::Class::unavailable, catalogue::no_driver, why);
    error.helps = {"--on=emulator runs the same program without a GPU"};
    return error;
}

/// $TMEMC_CUDA_DRIVER, or the driver's own names: of Linux, of an installation without its links, of WSL.
std::vector<std::string> places() {
    const char* const given = std::getenv("TMEMC_CUDA_DRIVER");
    if (given != nullptr && *given != '\0') return {given};
    return {"libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"};
}

/// Finds the row's function; its name is put into `missing` when it is not there.
template <class... Parameters>
void bind(void* library, cuda::Entry<Parameters...>& entry, std::string& missing) {
    void* const address = ::dlsym(library, entry.symbol);
    entry.function = reinterpret_cast<cuda::Result (*)(Parameters...)>(address);
    if (address == nullptr && missing.empty()) missing = entry.symbol;
}

} // namespace

std::string Driver::text_of(cuda::Result result) const {
    const char *name = nullptr, *meaning = nullptr;
    if (cuGetErrorName.function(result, &name) != cuda::success || name == nullptr)
        return fmt::format("result {}", result);
    if (cuGetErrorString.function(result, &meaning) != cuda::success || meaning == nullptr)
        return fmt::format("{} ({})", name, result);
    return fmt::format("{} ({}: {})", name, result, meaning);
}

DeviceError Driver::error_of(const char* name, cuda::Result result, const std::string& doing) const {
    DeviceError error =
        device_error(DeviceError::Class::unavailable, catalogue::driver_call, name, text_of(result), doing);
    std::size_t available = 0, all = 0;
    if (result == cuda::out_of_memory && cuMemGetInfo.function(&available, &all) == cuda::success)
        error.notes.push_back(fmt::format("{} of the GPU's {} bytes are free", available, all));
    return error;
}

std::shared_ptr<const Driver> open_driver() {
    DeviceError none;
    void* library = nullptr;
    auto driver = std::make_shared<Driver>();
    std::vector<std::string> reasons;
    for (const std::string& place : places()) {
        library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        driver->path = place;
        if (library != nullptr) break;
        reasons.push_back(fmt::format("tried {}", ::dlerror()));
    }
    if (library == nullptr) {
        none = no_driver("the CUDA driver cannot be opened");
        none.notes = std::move(reasons);
        none.helps.insert(none.helps.begin(), "libcuda comes with NVIDIA's driver; $TMEMC_CUDA_DRIVER names "
                                              "one that lies elsewhere");
        throw DeviceFailure(std::move(none));
    }
    std::string missing;
#define TMEMC_DRIVER_ENTRY(member, symbol, ...) bind(library, driver->member, missing);
#include "runtime/driver_entries.def"
#undef TMEMC_DRIVER_ENTRY
    if (!missing.empty()) throw DeviceFailure(no_driver(fmt::format("`{}` lacks {}", driver->path, missing)));
    if (const cuda::Result result = driver->cuInit.function(0); result != cuda::success)
        throw DeviceFailure(no_driver(fmt::format("cuInit failed with {}", driver->text_of(result))));
    return driver;
}

} // namespace tmemc::runtime
