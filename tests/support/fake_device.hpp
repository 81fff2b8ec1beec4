// A device in memory whose kernels are lambdas: what a test of the runtime launches instead of PTX. A kernel
// gets the parameters as they were packed and may read and write the device's memory; it may also answer with
// a DeviceError. Addresses start away from zero, so that a forgotten pointer shows.
#pragma once

#include "runtime/device.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tmemc::testing {

class FakeDevice : public runtime::Device {
  public:
    using Parameters = std::span<const std::vector<std::byte>>;
    using Kernel = std::function<std::optional<runtime::DeviceError>(FakeDevice&, Parameters)>;

    std::map<std::string, Kernel> kernels;
    base::Diagnostics load_diagnostics; // what load() answers
    std::vector<std::string> log;       // "load roundtrip.ptx", "launch roundtrip grid 1 1 1 block 128 1 1"

    std::string name() const override { return "fake"; }

    base::Diagnostics load(const runtime::Code& code, const std::string&) override {
        log.push_back("load " + code.name);
        return load_diagnostics;
    }

    runtime::Address allocate(std::uint64_t bytes) override {
        const runtime::Address address = first + memory_.size();
        memory_.resize(memory_.size() + (bytes + 255) / 256 * 256, std::byte{0xcd});
        return address;
    }
    void write(runtime::Address address, std::span<const std::byte> data) override {
        std::copy(data.begin(), data.end(), at(address, data.size()));
    }
    void read(runtime::Address address, std::span<std::byte> data) override {
        std::copy_n(at(address, data.size()), data.size(), data.begin());
    }

    std::optional<runtime::DeviceError> launch(const std::string& kernel, const runtime::LaunchShape& shape,
                                               Parameters parameters,
                                               runtime::LaunchStatistics& statistics) override {
        log.push_back("launch " + kernel + " grid" + words(shape.grid) + " block" + words(shape.block));
        statistics.thread_instructions = 1;
        return kernels.at(kernel)(*this, parameters);
    }

    /// The elements behind a tensor parameter, as the kernel would load and store them.
    template <class Element>
    Element load_element(const std::vector<std::byte>& pointer, std::size_t index) {
        Element element{};
        std::memcpy(&element, at(address_of(pointer) + index * sizeof element, sizeof element),
                    sizeof element);
        return element;
    }
    template <class Element>
    void store_element(const std::vector<std::byte>& pointer, std::size_t index, Element element) {
        std::memcpy(at(address_of(pointer) + index * sizeof element, sizeof element), &element,
                    sizeof element);
    }

  private:
    static constexpr runtime::Address first = 0x1000;
    std::vector<std::byte> memory_;

    std::byte* at(runtime::Address address, std::size_t size) {
        if (address < first || address - first + size > memory_.size())
            throw std::out_of_range("fake device");
        return memory_.data() + (address - first);
    }
    static runtime::Address address_of(const std::vector<std::byte>& pointer) {
        runtime::Address address = 0;
        if (pointer.size() != sizeof address) throw std::invalid_argument("a pointer has eight bytes");
        std::memcpy(&address, pointer.data(), sizeof address);
        return address;
    }
    static std::string words(const std::array<std::uint32_t, 3>& numbers) {
        std::string text;
        for (const std::uint32_t number : numbers) text += " " + std::to_string(number);
        return text;
    }
};

} // namespace tmemc::testing
