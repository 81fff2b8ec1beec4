// NAME=SPEC: what the right side means, what is wrong with it, and the array that it becomes.
#include "runtime/spec.hpp"

#include "runtime/npy.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace tmemc;
using base::Dtype;
using runtime::Array;
using runtime::Formal;
using runtime::Generator;
using runtime::NpyPath;
using runtime::Spec;
using Kind = Generator::Kind;

namespace {

Spec parsed(std::string_view text) {
    auto result = runtime::parse_spec(text);
    const std::string* const sentence = std::get_if<std::string>(&result);
    REQUIRE_MESSAGE(sentence == nullptr, *sentence);
    return std::get<Spec>(result);
}

std::string refusal(std::string_view text) {
    const auto result = runtime::parse_spec(text);
    const std::string* const sentence = std::get_if<std::string>(&result);
    return sentence == nullptr ? "parsed" : *sentence;
}

/// A reader of one file, `a.npy`.
runtime::FileReader reader(std::string bytes) {
    return [bytes](const std::string& path, std::size_t limit) -> runtime::FileContents {
        if (path == "a.npy") return {bytes.substr(0, limit), ""};
        return {std::nullopt, "cannot read `" + path + "`: no such file"};
    };
}

std::string unfit(const runtime::Values& values, const Formal& formal, const runtime::FileReader& read) {
    const auto result = materialise(values, formal, read);
    const std::string* const sentence = std::get_if<std::string>(&result);
    return sentence == nullptr ? "fits" : *sentence;
}

const Formal tensor{"A", Dtype::f16, {128, 8}, true, false};
const Formal scalar{"scale", Dtype::f32, {}, true, false};

} // namespace

TEST_CASE("files, generators and numbers are told apart") {
    CHECK(parsed("@a.npy") == Spec{NpyPath{"a.npy"}, {}});
    CHECK(parsed("@C:dir/a.npy") == Spec{NpyPath{"C:dir/a.npy"}, {}});
    CHECK(parsed("iota") == Spec{Generator{Kind::iota}, {}});
    CHECK(parsed("random") == Spec{Generator{Kind::random, 0}, {}});
    CHECK(parsed("random:7") == Spec{Generator{Kind::random, 7}, {}});
    CHECK(parsed("random:18446744073709551615") == Spec{Generator{Kind::random, ~std::uint64_t{0}}, {}});
    CHECK(parsed("zeros") == Spec{Generator{Kind::zeros}, {}});
    CHECK(parsed("ones") == Spec{Generator{Kind::ones}, {}});
    CHECK(parsed("cells") == Spec{Generator{Kind::cells}, {}});
    CHECK(parsed("-2.5") == Spec{Generator{Kind::full, 0, -2.5}, {}});
    CHECK(parsed("0x10") == Spec{Generator{Kind::full, 0, std::int64_t{16}}, {}});
}

TEST_CASE("a type may stand behind") {
    const runtime::TensorType type{Dtype::f16, {128, 8}};
    CHECK(parsed("zeros:f16[128,8]") == Spec{Generator{Kind::zeros}, type});
    CHECK(parsed("random:7:f16[128, 8]") == Spec{Generator{Kind::random, 7}, type});
    CHECK(parsed("random:f16[128,8]") == Spec{Generator{Kind::random, 0}, type});
    CHECK(parsed("1.5:f16[128,8]") == Spec{Generator{Kind::full, 0, 1.5}, type});
    CHECK(parsed("@a.npy:bf16[4]") == Spec{NpyPath{"a.npy"}, runtime::TensorType{Dtype::bf16, {4}}});
}

TEST_CASE("a spec that means nothing is refused with the way out") {
    const std::map<std::string, std::string> cases{
        {"", "`` gives no values: write @FILE.npy, a number or a generator"},
        {"@", "`@` needs the name of a .npy file behind it"},
        {"zeroes", "`zeroes` is neither @FILE.npy nor a number nor a generator (iota, random, zeros, ones, "
                   "cells), did you "
                   "mean `zeros`?"},
        {"a.npy",
         "`a.npy` is neither @FILE.npy nor a number nor a generator (iota, random, zeros, ones, cells)"},
        {"full",
         "`full` is neither @FILE.npy nor a number nor a generator (iota, random, zeros, ones, cells)"},
        {"1.0.0",
         "`1.0.0` is neither @FILE.npy nor a number nor a generator (iota, random, zeros, ones, cells)"},
        {"iota:5", "`iota` takes nothing behind a colon but a type: iota:f16[128,8]"},
        {"random:x", "`x` is no seed: `random:7` takes an integer of 64 bits that is not negative"},
        {"random:-1", "`-1` is no seed: `random:7` takes an integer of 64 bits that is not negative"},
        {"random:", "`` is no seed: `random:7` takes an integer of 64 bits that is not negative"},
        {"random:18446744073709551616",
         "`18446744073709551616` is no seed: `random:7` takes an integer of 64 bits that is not negative"},
        {"zeros:f61[8]", "no dtype is called `f61`, did you mean `f16`?"},
        {"zeros:double[8]", "no dtype is called `double`"},
        {"zeros:f16", "`f16` needs its extents: f16[128,8]"},
        {"zeros:f16[8", "`f16[8` needs its extents: f16[128,8]"},
        {"zeros:f16[]", "`` is no extent: a positive integer"},
        {"zeros:f16[8,0]", "`0` is no extent: a positive integer"},
        {"zeros:f16[8,x]", "`x` is no extent: a positive integer"},
        {"zeros:f16[1000000,1000000]", "more than 4294967296 elements are too many"},
        {":f16[8]", "`:f16[8]` gives no values: write @FILE.npy, a number or a generator"}};
    for (const auto& each : cases) {
        CAPTURE(each.first);
        CHECK(refusal(each.first) == each.second);
    }
}

TEST_CASE("a generator fills a tensor and a number a scalar or a tensor") {
    const auto none = reader("");
    const auto ones = std::get<Array>(materialise(Generator{Kind::ones}, tensor, none));
    CHECK(ones.shape == tensor.shape);
    CHECK(ones.get(1023) == 0x3c00);
    const auto number = std::get<Array>(materialise(Generator{Kind::full, 0, 2.5}, scalar, none));
    CHECK(number.elements() == 1);
    CHECK(number.get(0) == 0x40200000);
    CHECK(std::get<Array>(materialise(Generator{Kind::full, 0, 2.5}, tensor, none)).get(5) == 0x4100);
}

TEST_CASE("a scalar takes nothing but a number") {
    CHECK(unfit(Generator{Kind::iota}, scalar, reader("")) ==
          "`scale` is a scalar of type f32: give it a number");
    CHECK(unfit(NpyPath{"a.npy"}, scalar, reader("")) == "`scale` is a scalar of type f32: give it a number");
}

TEST_CASE("a file must hold the tensor's dtype and shape") {
    Array array = runtime::make_array(Dtype::f16, {128, 8});
    array.set(9, 0x1234);
    CHECK(std::get<Array>(materialise(NpyPath{"a.npy"}, tensor, reader(write_npy(array)))) == array);
    CHECK(unfit(NpyPath{"a.npy"}, tensor, reader(write_npy(runtime::make_array(Dtype::f32, {128, 4})))) ==
          "`a.npy` holds f32[128, 4], but `A` is f16[128, 8]");
    CHECK(unfit(NpyPath{"a.npy"}, tensor, reader(write_npy(runtime::make_array(Dtype::f16, {8, 128})))) ==
          "`a.npy` holds f16[8, 128], but `A` is f16[128, 8]");
    CHECK(unfit(NpyPath{"a.npy"}, tensor, reader(write_npy(runtime::make_array(Dtype::s16, {128, 8})))) ==
          "`a.npy` holds s16[128, 8], but `A` is f16[128, 8]");
    CHECK(unfit(NpyPath{"a.npy"}, tensor, reader("junk")) ==
          "`a.npy` cannot be read: it is no .npy file: it does not start with \\x93NUMPY");
    CHECK(unfit(NpyPath{"b.npy"}, tensor, reader("")) == "cannot read `b.npy`: no such file");
}
