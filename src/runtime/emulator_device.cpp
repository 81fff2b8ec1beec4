// The emulator as a Device: it keeps the loaded module and global memory, lays parameters out as the kernel's
// signature says, and turns a Fault into words with the place where it happened.
#include "runtime/device.hpp"

#include "base/invariant.hpp"
#include "emulator/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::runtime {

namespace {

namespace catalogue = base::catalogue;

emulator::Limits limits_of(const EmulatorOptions& options) {
    emulator::Limits limits;
    limits.max_steps = options.max_steps;
    limits.timeout = std::chrono::milliseconds(options.timeout_ms);
    limits.uninitialised_is_fault = options.uninitialised_is_fault;
    limits.strict_lanes = options.strict_lanes;
    limits.threads = options.threads;
    return limits;
}

emulator::Dimensions dimensions(const std::array<std::uint32_t, 3>& d) { return {d[0], d[1], d[2]}; }

std::string place(const emulator::Fault& fault) {
    std::string text =
        fmt::format("CTA ({}, {}, {}), warp {}", fault.cta.x, fault.cta.y, fault.cta.z, fault.warp);
    if (fault.thread) text += fmt::format(", thread {}", *fault.thread);
    if (fault.lane) text += fmt::format(", lane {}", *fault.lane);
    if (fault.column) text += fmt::format(", column {}", *fault.column);
    return text;
}

DeviceError error_of(const emulator::Fault& fault) {
    const bool timeout =
        fault.kind->code == catalogue::time_limit.code || fault.kind->code == catalogue::step_limit.code;
    DeviceError error{.what = timeout ? DeviceError::Class::timeout : DeviceError::Class::fault,
                      .code = std::string(fault.kind->code),
                      .message = fault.message,
                      .ptx_line = fault.line};
    if (fault.kind->code == catalogue::bad_launch.code) return error; // nothing has run
    if (!fault.instruction.empty()) error.notes.push_back(fmt::format("in `{}`", fault.instruction));
    error.notes.push_back("in " + place(fault));
    if (fault.source)
        error.notes.push_back(
            fmt::format("from {}:{}:{}", fault.source->file, fault.source->line, fault.source->column));
    return error;
}

class Emulator final : public Device {
  public:
    explicit Emulator(const EmulatorOptions& options) : limits_(limits_of(options)) {}

    [[nodiscard]] std::string name() const override { return "emulator"; }

    [[nodiscard]] base::Diagnostics load(const Code& code, const std::string& kernel) override {
        base::invariant(code.cubin.empty(), "the emulator reads PTX, not machine code");
        emulator::LoadResult loaded = emulator::load(base::Source(code.name, code.ptx), kernel);
        executable_ = std::move(loaded.executable);
        kernels_ = std::move(loaded.kernels);
        return std::move(loaded.diagnostics);
    }

    [[nodiscard]] Address allocate(std::uint64_t bytes) override { return memory_.allocate(bytes); }
    void write(Address address, std::span<const std::byte> data) override { memory_.write(address, data); }
    void read(Address address, std::span<std::byte> data) override { memory_.read(address, data); }

    [[nodiscard]] std::optional<DeviceError> launch(const std::string& kernel, const LaunchShape& shape,
                                                    std::span<const std::vector<std::byte>> parameters,
                                                    LaunchStatistics& statistics) override {
        base::invariant(executable_ != nullptr, "a launch on the emulator without a module");
        emulator::Launch launch{
            kernel, dimensions(shape.grid), dimensions(shape.block), {}, shape.shared_bytes};
        if (auto error = pack(kernel, parameters, launch.parameters)) return error;
        const emulator::Outcome outcome = emulator::run(*executable_, memory_, launch, limits_);
        statistics = {outcome.thread_instructions, outcome.seconds};
        if (outcome.fault) return error_of(*outcome.fault);
        return std::nullopt;
    }

  private:
    static DeviceError mismatch(const std::string& kernel, const std::string& why) {
        return device_error(DeviceError::Class::fault, catalogue::bad_launch, kernel, why);
    }

    // The parameter block, each value at its place; an unknown kernel is left for run() to name.
    std::optional<DeviceError> pack(const std::string& kernel, std::span<const std::vector<std::byte>> values,
                                    std::vector<std::byte>& block) const {
        const auto signature =
            std::find_if(kernels_.begin(), kernels_.end(), [&](auto& k) { return k.name == kernel; });
        if (signature == kernels_.end()) return std::nullopt;
        const auto& parameters = signature->parameters;
        if (parameters.size() != values.size()) {
            return mismatch(kernel,
                            fmt::format("it has {} parameters, not {}", parameters.size(), values.size()));
        }
        block.resize(signature->parameter_bytes);
        for (std::size_t p = 0; p < values.size(); ++p) {
            if (parameters[p].bytes != values[p].size()) {
                return mismatch(kernel,
                                fmt::format("its parameter `{}` has {} bytes, not {}", parameters[p].name,
                                            parameters[p].bytes, values[p].size()));
            }
            std::copy(values[p].begin(), values[p].end(), block.begin() + parameters[p].offset);
        }
        return std::nullopt;
    }

    emulator::Limits limits_;
    emulator::GlobalMemory memory_;
    std::shared_ptr<const emulator::Executable> executable_;
    std::vector<emulator::KernelSignature> kernels_;
};

} // namespace

std::optional<DeviceError> Device::time(const std::string&, const LaunchShape&,
                                        std::span<const std::vector<std::byte>>, int, Timing&) {
    DeviceError error = device_error(DeviceError::Class::unavailable, catalogue::no_clock, name());
    error.helps = {"-v says how many instructions the emulator executed"};
    return error;
}

std::unique_ptr<Device> make_emulator(const EmulatorOptions& options) {
    return std::make_unique<Emulator>(options);
}

} // namespace tmemc::runtime
