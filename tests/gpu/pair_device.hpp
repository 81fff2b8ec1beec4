// Two devices as one: everything is done on both, and what comes out must be the same. A test block that runs
// on such a device judges the GPU by the emulator and by its own expectations at once. Where a kernel uses
// instructions that PTX leaves to the machine (.approx), a number may differ by 2^-16 of itself or, when it
// was narrowed afterwards, by one step of its format.
#pragma once

#include "runtime/call.hpp"
#include "runtime/compare.hpp"
#include "runtime/device.hpp"
#include "runtime/element.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tmemc::tests {

struct Agreement {
    int launches = 0, approximate = 0; // kernels with .approx among them
    std::int64_t elements = 0,
                 apart = 0; // compared; of approximate kernels, those that differ within the bound
    std::vector<std::string> differences;
};

class PairDevice final : public runtime::Device {
  public:
    /// `formals` are those of the kernel that will be launched.
    PairDevice(std::unique_ptr<runtime::Device> gpu, std::unique_ptr<runtime::Device> emulator,
               std::vector<runtime::Formal> formals, Agreement& agreement)
        : gpu_(std::move(gpu)), emulator_(std::move(emulator)), agreement_(agreement) {
        for (runtime::Formal& formal : formals)
            if (!formal.is_scalar()) tensors_.push_back(std::move(formal)); // in the order of allocation
    }

    std::string name() const override { return gpu_->name() + " beside the emulator"; }

    base::Diagnostics load(const runtime::Code& code, const std::string& kernel) override {
        approximate_ = code.ptx.find(".approx") != std::string::npos;
        base::Diagnostics refused = emulator_->load(code, kernel);
        return refused.has_errors() ? refused : gpu_->load(code, kernel);
    }
    runtime::Address allocate(std::uint64_t bytes) override {
        const runtime::Address address = gpu_->allocate(bytes);
        const Twin twin{emulator_->allocate(bytes), twins_.size()};
        twins_[address] = twin;
        return address;
    }
    void write(runtime::Address address, std::span<const std::byte> data) override {
        gpu_->write(address, data);
        emulator_->write(twins_.at(address).address, data);
    }
    void read(runtime::Address address, std::span<std::byte> data) override {
        gpu_->read(address, data);
        const Twin& twin = twins_.at(address);
        std::vector<std::byte> other(data.size());
        emulator_->read(twin.address, other);
        compare(tensors_.at(twin.number), {data.begin(), data.end()}, std::move(other));
    }
    std::optional<runtime::DeviceError> launch(const std::string& kernel, const runtime::LaunchShape& shape,
                                               std::span<const std::vector<std::byte>> parameters,
                                               runtime::LaunchStatistics& statistics) override {
        ++agreement_.launches;
        agreement_.approximate += approximate_ ? 1 : 0;
        if (auto error = gpu_->launch(kernel, shape, parameters, statistics)) return error;
        std::vector<std::vector<std::byte>> own(parameters.begin(), parameters.end());
        for (std::vector<std::byte>& each : own) {
            runtime::Address address = 0;
            if (each.size() != sizeof address) continue;
            std::memcpy(&address, each.data(), sizeof address);
            if (const auto twin = twins_.find(address); twin != twins_.end())
                std::memcpy(each.data(), &twin->second.address, sizeof address);
        }
        return emulator_->launch(kernel, shape, own, statistics);
    }

  private:
    struct Twin {
        runtime::Address address = 0; // on the emulator
        std::size_t number = 0;
    };
    std::unique_ptr<runtime::Device> gpu_, emulator_;
    std::vector<runtime::Formal> tensors_;
    std::map<runtime::Address, Twin> twins_;
    Agreement& agreement_;
    bool approximate_ = false;

    static double step(base::Dtype dtype) {
        switch (dtype) {
        case base::Dtype::f16: return 0x1p-10;
        case base::Dtype::bf16: return 0x1p-7;
        case base::Dtype::f8e4m3: return 0x1p-3;
        case base::Dtype::f8e5m2: return 0x1p-2;
        default: return 0x1p-16;
        }
    }

    void compare(const runtime::Formal& formal, std::vector<std::byte> got, std::vector<std::byte> wanted) {
        const auto elements = static_cast<std::int64_t>(got.size()) / base::bytes(formal.dtype);
        const runtime::Array actual{formal.dtype, {elements}, std::move(got)};
        const runtime::Array expected{formal.dtype, {elements}, std::move(wanted)};
        const runtime::Comparison exact = runtime::compare(actual, expected);
        agreement_.elements += elements;
        if (exact.different == 0) return;
        if (approximate_ && runtime::is_floating(formal.dtype)) {
            agreement_.apart += exact.different;
            const runtime::Tolerance near{step(formal.dtype), 0x1p-16};
            if (runtime::compare(actual, expected, near).different == 0) return;
        }
        agreement_.differences.push_back(runtime::describe(formal.name, exact, formal.dtype));
    }
};

} // namespace tmemc::tests
