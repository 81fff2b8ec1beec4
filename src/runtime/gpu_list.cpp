// What GPUs there are, and what runs on them.
#include "runtime/gpu.hpp"

#include "ptx/targets.hpp"
#include "runtime/gpu_code.hpp"
#include "toolchain/chip.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::runtime {

namespace {

namespace catalogue = base::catalogue;

GpuInfo info_of(const Driver& driver, int index) {
    const std::string doing = fmt::format("asking what GPU {} is", index);
    GpuInfo info;
    info.index = index;
    cuda::DeviceId device = 0;
    driver.must(doing, driver.cuDeviceGet, &device, index);
    std::vector<char> name(256);
    driver.must(doing, driver.cuDeviceGetName, name.data(), static_cast<int>(name.size()) - 1, device);
    info.name = name.data();
    std::size_t bytes = 0;
    driver.must(doing, driver.cuDeviceTotalMem, &bytes, device);
    info.memory = bytes;
    const auto attribute = [&](int which) {
        int value = 0;
        driver.must(doing, driver.cuDeviceGetAttribute, &value, which, device);
        return value;
    };
    info.capability = 10 * attribute(cuda::capability_major) + attribute(cuda::capability_minor);
    info.multiprocessors = attribute(cuda::multiprocessors);
    info.l2_bytes = static_cast<std::uint64_t>(attribute(cuda::l2_bytes));
    return info;
}

/// The row of the GPU's own target, `a` before `f`; null where there is no tensor memory.
const ptx::TargetRow* tensor_target(int capability) {
    for (const ptx::TargetRow& row : ptx::target_rows())
        if (row.capability == capability && row.tensor_memory) return &row;
    return nullptr;
}

} // namespace

Gpus find_gpus() {
    Gpus gpus;
    try {
        gpus.driver = open_driver();
        const Driver& driver = *gpus.driver;
        int count = 0;
        driver.must("asking for its version", driver.cuDriverGetVersion, &gpus.version);
        driver.must("counting GPUs", driver.cuDeviceGetCount, &count);
        for (int index = 0; index < count; ++index) gpus.list.push_back(info_of(driver, index));
        if (count == 0) {
            gpus.error =
                device_error(DeviceError::Class::unavailable, catalogue::no_driver, "the driver has none");
            gpus.error->helps = {"--on=emulator runs the same program without a GPU"};
        }
    } catch (const DeviceFailure& failure) {
        gpus.error = failure.error();
    }
    return gpus;
}

bool has_tensor_memory(const GpuInfo& gpu) { return tensor_target(gpu.capability) != nullptr; }

std::vector<std::string> tensor_targets() { return ptx::target_names(true); }

std::string native_target(const GpuInfo& gpu) {
    const ptx::TargetRow* const row = tensor_target(gpu.capability);
    if (row != nullptr) return std::string(row->name);
    std::string_view latest;
    for (const ptx::TargetRow& plain : ptx::target_rows()) // in the order of capabilities
        if (plain.capability <= gpu.capability && plain.name.back() >= '0' && plain.name.back() <= '9')
            latest = plain.name;
    return std::string(latest);
}

std::string cuda_version_text(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string to_string(const GpuInfo& gpu) { return fmt::format("GPU {}, {}", gpu.index, gpu.name); }

std::optional<DeviceError> unfit(const Code& code, const GpuInfo& gpu) {
    std::string error;
    const std::optional<toolchain::Chip> chip = chip_of(code, error);
    if (!chip)
        return device_error(DeviceError::Class::unavailable, catalogue::code_for_no_chip, code.name, error);
    const bool runs = code.cubin.empty() ? toolchain::ptx_runs(*chip, gpu.capability)
                                         : toolchain::machine_code_runs(*chip, gpu.capability);
    if (runs) return std::nullopt;
    DeviceError other =
        device_error(DeviceError::Class::unavailable, catalogue::code_for_other_chip, code.name,
                     toolchain::to_string(*chip), to_string(gpu), toolchain::capability_text(gpu.capability));
    if (native_target(gpu).empty())
        other.helps.emplace_back("no target is for a GPU this old; run with --on=emulator");
    else if (chip->suffix != 0 && !has_tensor_memory(gpu))
        other.helps.emplace_back(
            "this GPU has no tensor memory; compile with -arch=native --tmem=software, or "
            "run with --on=emulator");
    else
        other.helps.push_back(fmt::format("compile it for {} (-arch=native)", native_target(gpu)));
    return other;
}

} // namespace tmemc::runtime
