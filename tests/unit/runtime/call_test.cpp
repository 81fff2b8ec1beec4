// One launch on a device in memory: what the kernel receives, and what comes back.
#include "runtime/call.hpp"

#include "base/invariant.hpp"
#include "fake_device.hpp"

#include <doctest/doctest.h>

using namespace tmemc;
using base::Dtype;
using runtime::Array;
using runtime::Formal;
using testing::FakeDevice;

namespace {

Array counted(Dtype dtype, std::vector<std::int64_t> shape) {
    Array array = runtime::make_array(dtype, std::move(shape));
    for (std::int64_t i = 0; i < array.elements(); ++i) array.set(i, static_cast<std::uint32_t>(i + 1));
    return array;
}

const Formal in_a{"A", Dtype::u16, {2, 3}, true, false};
const Formal out_b{"B", Dtype::u16, {2, 3}, false, true};
const Formal scale{"scale", Dtype::u8, {}, true, false};

} // namespace

TEST_CASE("a kernel gets pointers and scalars in order and its results come back") {
    FakeDevice device;
    device.kernels["scaled"] = [](FakeDevice& memory,
                                  FakeDevice::Parameters p) -> std::optional<runtime::DeviceError> {
        REQUIRE(p.size() == 3);
        REQUIRE(p[1].size() == 1); // a u8 by value
        const auto factor = std::to_integer<std::uint16_t>(p[1][0]);
        for (std::size_t i = 0; i < 6; ++i) {
            const auto value = memory.load_element<std::uint16_t>(p[0], i);
            memory.store_element<std::uint16_t>(p[2], i, static_cast<std::uint16_t>(value * factor));
        }
        return {};
    };
    std::map<std::string, Array> values{{"A", counted(Dtype::u16, {2, 3})},
                                        {"scale", counted(Dtype::u8, {})}};
    values["scale"].set(0, 7);
    const runtime::CallResult result =
        call(device, {"scaled", {in_a, scale, out_b}, {4, 2, 1}, {256, 1, 1}}, values);
    CHECK_FALSE(result.error);
    CHECK(result.statistics.thread_instructions == 1);
    for (std::uint32_t i = 0; i < 6; ++i) CHECK(values["B"].get(i) == 7 * (i + 1));
    CHECK(values["B"].shape == out_b.shape);
    CHECK(values["A"] == counted(Dtype::u16, {2, 3}));
    CHECK(device.log == std::vector<std::string>{"launch scaled grid 4 2 1 block 256 1 1"});
}

TEST_CASE("out tensors start as zeros, whatever the memory and the name held before") {
    FakeDevice device; // fills fresh memory with 0xcd
    device.kernels["idle"] = [](FakeDevice&, FakeDevice::Parameters) {
        return std::optional<runtime::DeviceError>();
    };
    std::map<std::string, Array> values{{"B", counted(Dtype::u16, {2, 3})}};
    REQUIRE_FALSE(call(device, {"idle", {out_b}}, values).error);
    CHECK(values["B"] == runtime::make_array(Dtype::u16, {2, 3}));
}

TEST_CASE("an inout tensor goes in and comes out") {
    FakeDevice device;
    device.kernels["bump"] = [](FakeDevice& memory, FakeDevice::Parameters p) {
        memory.store_element<std::uint16_t>(
            p[0], 5, static_cast<std::uint16_t>(memory.load_element<std::uint16_t>(p[0], 5) + 100));
        return std::optional<runtime::DeviceError>();
    };
    std::map<std::string, Array> values{{"A", counted(Dtype::u16, {2, 3})}};
    Formal both = in_a;
    both.out = true;
    REQUIRE_FALSE(call(device, {"bump", {both}}, values).error);
    CHECK(values["A"].get(4) == 5);
    CHECK(values["A"].get(5) == 106);
}

TEST_CASE("rows that lie apart in device memory are spread and gathered") {
    FakeDevice device;
    Formal a = in_a, b = out_b;
    a.pitch = 5;
    b.pitch = 4;
    device.kernels["shift"] = [](FakeDevice& memory, FakeDevice::Parameters p) {
        for (std::size_t r = 0; r < 2; ++r) {
            for (std::size_t c = 0; c < 3; ++c) {
                memory.store_element(p[1], 4 * r + c, memory.load_element<std::uint16_t>(p[0], 5 * r + c));
            }
        }
        CHECK(memory.load_element<std::uint16_t>(p[0], 3) == 0);
        return std::optional<runtime::DeviceError>();
    };
    std::map<std::string, Array> values{{"A", counted(Dtype::u16, {2, 3})}};
    REQUIRE_FALSE(call(device, {"shift", {a, b}}, values).error);
    CHECK(values["B"] == counted(Dtype::u16, {2, 3}));
}

TEST_CASE("after an error the values are what they were") {
    FakeDevice device;
    device.kernels["broken"] = [](FakeDevice& memory, FakeDevice::Parameters p) {
        memory.store_element<std::uint16_t>(p[0], 0, 9);
        return std::optional<runtime::DeviceError>(
            {runtime::DeviceError::Class::fault, "TM0703", "no", 0, {}});
    };
    std::map<std::string, Array> values{{"B", counted(Dtype::u16, {2, 3})}};
    const runtime::CallResult result = call(device, {"broken", {out_b}}, values);
    REQUIRE(result.error);
    CHECK(result.error->code == "TM0703");
    CHECK(values["B"] == counted(Dtype::u16, {2, 3}));
}

TEST_CASE("a missing or misfitting value is a broken invariant") {
    FakeDevice device;
    std::map<std::string, Array> values;
    CHECK_THROWS_AS((void)call(device, {"k", {in_a}}, values), base::InternalError);
    values["A"] = counted(Dtype::u16, {2, 2});
    CHECK_THROWS_AS((void)call(device, {"k", {in_a}}, values), base::InternalError);
    values["A"] = counted(Dtype::s16, {2, 3});
    CHECK_THROWS_AS((void)call(device, {"k", {in_a}}, values), base::InternalError);
    CHECK(device.log.empty());
}
