// Generators: values written down by hand, and golden bits that every machine must give.
#include "runtime/generate.hpp"

#include "runtime/element.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

using namespace tmemc;
using base::Dtype;
using runtime::Array;
using runtime::Generator;
using Kind = Generator::Kind;

namespace {

Array made(const Generator& generator, Dtype dtype, const std::vector<std::int64_t>& shape) {
    auto result = generate(generator, dtype, shape);
    const std::string* const sentence = std::get_if<std::string>(&result);
    REQUIRE_MESSAGE(sentence == nullptr, *sentence);
    return std::get<Array>(result);
}

std::string refusal(const Generator& generator, Dtype dtype, const std::vector<std::int64_t>& shape) {
    const auto result = generate(generator, dtype, shape);
    const std::string* const sentence = std::get_if<std::string>(&result);
    return sentence == nullptr ? "made" : *sentence;
}

std::vector<std::uint32_t> bits(const Array& array) {
    std::vector<std::uint32_t> list;
    for (std::int64_t i = 0; i < array.elements(); ++i) list.push_back(array.get(i));
    return list;
}
using Bits = std::vector<std::uint32_t>;

Generator full(std::variant<std::int64_t, double> value) { return {Kind::full, 0, value}; }

} // namespace

TEST_CASE("random draws are splitmix64's, from its published outputs for seed 1234567") {
    const Bits expected{
        static_cast<std::uint32_t>(6457827717110365317U), static_cast<std::uint32_t>(3203168211198807973U),
        static_cast<std::uint32_t>(9817491932198370423U), static_cast<std::uint32_t>(4593380528125082431U),
        static_cast<std::uint32_t>(16408922859458223821U)};
    CHECK(bits(made({Kind::random, 1234567}, Dtype::b32, {5})) == expected);
    CHECK(bits(made({Kind::random, 1234567}, Dtype::s32, {5})) == expected);
    Bits low = expected;
    for (std::uint32_t& each : low) each &= 255;
    CHECK(bits(made({Kind::random, 1234567}, Dtype::u8, {5, 1})) == low);
}

TEST_CASE("random floats are the same bits on every machine") {
    CHECK(bits(made({Kind::random, 1}, Dtype::f32, {4})) ==
          Bits{0x3e08516f, 0x3efbae37, 0x3f712746, 0xbde3e797});
    CHECK(bits(made({Kind::random, 1}, Dtype::f16, {2, 2})) == Bits{0x3043, 0x37dd, 0x3b89, 0xaf1f});
    CHECK(bits(made({Kind::random, 1}, Dtype::f16, {4})) ==
          bits(made({Kind::random, 1}, Dtype::f16, {2, 2})));
    CHECK(bits(made({Kind::random, 1}, Dtype::f16, {4})) != bits(made({Kind::random, 2}, Dtype::f16, {4})));
}

TEST_CASE("random floats lie in [-1, 1) and are spread evenly") {
    for (const base::DtypeRow& row : base::dtype_rows) {
        if (!runtime::is_floating(row.dtype)) continue;
        CAPTURE(row.name);
        const Array array = made({Kind::random, 3}, row.dtype, {100, 400});
        std::map<int, int> eighths;
        std::set<std::uint32_t> distinct;
        int outside = 0;
        for (const std::uint32_t each : bits(array)) {
            const double value = runtime::decode(row.dtype, each);
            outside += !(value >= -1 && value < 1);
            distinct.insert(each);
            eighths[static_cast<int>((value + 1) * 4)] += 1;
        }
        CHECK(outside == 0);
        MESSAGE(row.name, ": ", distinct.size(), " distinct values");
        CHECK(distinct.size() > 90);
        CHECK(eighths.size() == 8);
        // -1 stands for half as long a stretch as its neighbours: a quarter less in its eighth of f8e5m2.
        for (const auto& [eighth, count] : eighths) CHECK(std::abs(count - 5000) < 1400);
    }
}

TEST_CASE("random integers cover the whole range") {
    std::set<std::uint32_t> seen;
    for (const std::uint32_t each : bits(made({Kind::random, 5}, Dtype::s8, {4096}))) seen.insert(each);
    CHECK(seen.size() == 256);
}

TEST_CASE("iota is the index as a number in 32 bits and as a pattern below") {
    CHECK(bits(made({Kind::iota}, Dtype::f32, {2, 2})) == Bits{0, 0x3f800000, 0x40000000, 0x40400000});
    CHECK(bits(made({Kind::iota}, Dtype::s32, {3})) == Bits{0, 1, 2});
    CHECK(bits(made({Kind::iota}, Dtype::f16, {2, 2})) == Bits{0, 1, 2, 3});
    CHECK(made({Kind::iota}, Dtype::bf16, {300, 256}).get(65537) == 1);
    CHECK(made({Kind::iota}, Dtype::u8, {300}).get(257) == 1);
    CHECK(made({Kind::iota}, Dtype::f8e4m3, {300}).get(255) == 255);
}

TEST_CASE("zeros, ones and full fill every element") {
    CHECK(bits(made({Kind::zeros}, Dtype::f16, {2})) == Bits{0, 0});
    CHECK(bits(made({Kind::ones}, Dtype::f16, {2})) == Bits{0x3c00, 0x3c00});
    CHECK(bits(made({Kind::ones}, Dtype::b8, {2})) == Bits{1, 1});
    CHECK(bits(made(full(2.5), Dtype::f32, {2})) == Bits{0x40200000, 0x40200000});
    CHECK(bits(made(full(std::int64_t{-1}), Dtype::u16, {1})) == Bits{0xffff});
    CHECK(bits(made(full(3.0), Dtype::s32, {1})) == Bits{3});
    CHECK(bits(made(full(std::int64_t{300}), Dtype::u8, {1})) == Bits{44}); // integers wrap
    CHECK(bits(made(full(0.1), Dtype::f16, {})) == Bits{0x2e66});           // floats round
    CHECK(refusal(full(2.5), Dtype::u8, {1}) == "2.5 is no integer, and `u8` holds nothing else");
}

TEST_CASE("cells name their place, or point to iota where they cannot") {
    CHECK(bits(made({Kind::cells}, Dtype::u32, {2, 3})) == Bits{0, 1, 2, 1000, 1001, 1002});
    CHECK(bits(made({Kind::cells}, Dtype::u16, {3})) == Bits{0, 1, 2}); // one dimension is row 0
    CHECK(runtime::decode(Dtype::f32, made({Kind::cells}, Dtype::f32, {128, 512}).get(128 * 512 - 1)) ==
          127511);
    CHECK(refusal({Kind::cells}, Dtype::u16, {66, 600}) ==
          "`cells` is 1000*row + column, and `u16` cannot hold 65536 exactly; `iota` gives every element a "
          "bit pattern "
          "of its own as far as they reach");
    CHECK(refusal({Kind::cells}, Dtype::u16, {65, 600}) == "made");
    CHECK(refusal({Kind::cells}, Dtype::f16, {4, 64}).find("`f16` cannot hold 2049 exactly") !=
          std::string::npos);
    CHECK(refusal({Kind::cells}, Dtype::f16, {2, 512}) == "made");
    CHECK(refusal({Kind::cells}, Dtype::s8, {1, 129}).find("`s8` cannot hold 128 exactly") !=
          std::string::npos);
    CHECK(refusal({Kind::cells}, Dtype::f8e4m3, {1, 18}).find("17") != std::string::npos);
}

TEST_CASE("generators are known by name") {
    CHECK(runtime::generator_named("random") == Kind::random);
    CHECK(runtime::generator_named("Random") == std::nullopt);
    CHECK(runtime::generator_names() ==
          std::vector<std::string>{"iota", "random", "zeros", "ones", "full", "cells"});
}
