// Arrays as text.
#include "runtime/text.hpp"

#include "runtime/element.hpp"

#include <doctest/doctest.h>

using namespace tmemc;
using base::Dtype;

TEST_CASE("a tensor is printed row by row in aligned columns") {
    runtime::Array array = runtime::make_array(Dtype::s8, {2, 3});
    for (const std::int64_t i : {0, 1, 2}) array.set(i, static_cast<std::uint32_t>(i + 1));
    array.set(3, 0xff);
    array.set(5, 0x7f);
    CHECK(to_text("B", array) == "B: s8[2, 3]\n    1    2    3\n   -1    0  127\n");
}

TEST_CASE("a vector is one row and a scalar one word") {
    CHECK(to_text("v", runtime::make_array(Dtype::b8, {2})) == "v: b8[2]\n  0x00  0x00\n");
    runtime::Array scalar = runtime::make_array(Dtype::f32, {});
    scalar.set(0, runtime::encode(Dtype::f32, 0.25));
    CHECK(to_text("alpha", scalar) == "alpha: f32\n  0.25\n");
}
