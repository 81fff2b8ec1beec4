// The emulator as a Device: parameters in their places, buffers, and faults in words.
#include "runtime/device.hpp"

#include <doctest/doctest.h>

#include <cstring>

using namespace tmemc::runtime;

namespace {

const std::string module_text =
    ".version 9.0\n.target sm_100a\n.address_size 64\n"
    ".visible .entry scale(.param .u32 factor, .param .u64 A, .param .u32 count)\n{\n"
    ".reg .b32 %r<6>; .reg .b64 %d<3>; .reg .pred %p;\n"
    "ld.param.u32 %r1, [factor]; ld.param.u64 %d1, [A]; ld.param.u32 %r2, [count];\n"
    "mov.u32 %r3, %tid.x; setp.ge.u32 %p, %r3, %r2; @%p ret; mul.wide.u32 %d2, %r3, 4;\n"
    "add.u64 %d1, %d1, %d2;\nld.global.u32 %r4, [%d1]; mul.lo.u32 %r4, %r4, %r1;\n"
    "st.global.u32 [%d1], %r4; ret;\n}\n";

template <class T>
std::vector<std::byte> bytes(T value) {
    std::vector<std::byte> result(sizeof value);
    std::memcpy(result.data(), &value, sizeof value);
    return result;
}

struct Setup {
    std::unique_ptr<Device> device;
    Address address = 0;
    std::vector<std::uint32_t> data{1, 2, 3, 4, 5};
    LaunchStatistics statistics;

    explicit Setup(const EmulatorOptions& options = {}) : device(make_emulator(options)) {
        REQUIRE(!device->load({"scale.ptx", module_text, {}}, {}).has_errors());
        address = device->allocate(20);
        device->write(address, std::as_bytes(std::span(data)));
    }
    std::optional<DeviceError> launch(const std::string& kernel, std::uint32_t count) {
        const std::vector<std::vector<std::byte>> parameters{bytes(std::uint32_t{10}), bytes(address),
                                                             bytes(count)};
        auto error = device->launch(kernel, {{1, 1, 1}, {32, 1, 1}}, parameters, statistics);
        device->read(address, std::as_writable_bytes(std::span(data)));
        return error;
    }
};

} // namespace

TEST_CASE("a launch on the emulator reads its parameters and changes its buffers") {
    Setup setup;
    CHECK(setup.device->name() == "emulator");
    CHECK(!setup.launch("scale", 4));
    CHECK(setup.data == std::vector<std::uint32_t>{10, 20, 30, 40, 5});
    CHECK(setup.statistics.thread_instructions == 5 * 32 + 28 + 6 * 4);
}

TEST_CASE("a fault on the emulator says what, where and in which instruction") {
    Setup setup;
    const auto error = setup.launch("scale", 6);
    REQUIRE(error.has_value());
    CHECK(error->what == DeviceError::Class::fault);
    CHECK(error->code == "TM0706");
    CHECK(error->ptx_line == 10);
    CHECK(error->notes ==
          std::vector<std::string>{"in `ld.global.u32 %r4, [%d1]`", "in CTA (0, 0, 0), warp 0, thread 5"});
}

TEST_CASE("a launch that does not fit its kernel is refused before it runs") {
    Setup setup;
    CHECK(setup.launch("shrink", 4)->code == "TM0702");
    const std::vector<std::vector<std::byte>> two{bytes(std::uint32_t{10}), bytes(setup.address)};
    const auto missing = setup.device->launch("scale", {{1, 1, 1}, {32, 1, 1}}, two, setup.statistics);
    CHECK(missing->message == "`scale` cannot be launched: it has 3 parameters, not 2");
    const std::vector<std::vector<std::byte>> narrow{bytes(std::uint32_t{1}), bytes(std::uint32_t{1}),
                                                     bytes(std::uint32_t{1})};
    const auto wrong = setup.device->launch("scale", {{1, 1, 1}, {32, 1, 1}}, narrow, setup.statistics);
    CHECK(wrong->message == "`scale` cannot be launched: its parameter `A` has 8 bytes, not 4");
}

TEST_CASE("a step limit is a time-out, and a module with a mistake is not loaded") {
    EmulatorOptions options;
    options.max_steps = 3;
    Setup setup(options);
    CHECK(setup.launch("scale", 4)->what == DeviceError::Class::timeout);
    CHECK(make_emulator()
              ->load({"x.ptx", ".version 9.0\n.target sm_100a\n.visible .entry k() { frob; }", {}}, {})
              .has_errors());
}
