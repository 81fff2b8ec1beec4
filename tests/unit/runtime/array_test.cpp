// Arrays: bytes in little-endian order, row-major.
#include "runtime/array.hpp"

#include "base/invariant.hpp"

#include <doctest/doctest.h>

using namespace tmemc;
using base::Dtype;
using runtime::make_array;

TEST_CASE("an array starts as zeros of its size") {
    const runtime::Array array = make_array(Dtype::f16, {3, 5});
    CHECK(array.elements() == 15);
    CHECK(array.bytes == std::vector<std::byte>(30));
    CHECK(make_array(Dtype::u32, {}).bytes.size() == 4); // a scalar is one element
    CHECK(make_array(Dtype::u8, {0, 7}).elements() == 0);
}

TEST_CASE("elements lie little-endian and do not touch their neighbours") {
    runtime::Array array = make_array(Dtype::b16, {2, 2});
    array.set(2, 0x1234);
    CHECK(array.bytes[4] == std::byte{0x34});
    CHECK(array.bytes[5] == std::byte{0x12});
    CHECK(array.get(2) == 0x1234);
    CHECK(array.get(1) == 0);
    CHECK(array.get(3) == 0);

    runtime::Array bytes = make_array(Dtype::s8, {3});
    bytes.set(1, 0xffffff80); // only the dtype's bits are kept
    CHECK(bytes.get(0) == 0);
    CHECK(bytes.get(1) == 0x80);
    CHECK(bytes.get(2) == 0);
}

TEST_CASE("an element outside is a broken invariant") {
    runtime::Array array = make_array(Dtype::f32, {2});
    CHECK_THROWS_AS((void)array.get(2), base::InternalError);
    CHECK_THROWS_AS((void)array.get(-1), base::InternalError);
    CHECK_THROWS_AS(array.set(2, 0), base::InternalError);
}

TEST_CASE("a type is written as in a program") {
    CHECK(runtime::to_string(Dtype::f16, {128, 8}) == "f16[128, 8]");
    CHECK(runtime::to_string(Dtype::f8e4m3, {64}) == "f8e4m3[64]");
    CHECK(runtime::to_string(Dtype::s32, {}) == "s32");
}
