// A package made by hand, written down as a header and as a manifest. That headers compile and launch is
// tested by tests/embed.py.
#include "base/file.hpp"
#include "embed/header.hpp"
#include "embed/launch_text.hpp"
#include "embed/launcher.hpp"
#include "embed/manifest.hpp"

#include "base/invariant.hpp"

#include <doctest/doctest.h>

namespace tmemc::embed {
namespace {

sema::Tensor tensor(std::string name, base::Dtype dtype, sema::Direction direction,
                    std::vector<std::int64_t> extents) {
    sema::Tensor made;
    made.name = std::move(name);
    made.dtype = dtype;
    made.direction = direction;
    made.pitch = extents.back();
    made.extents = std::move(extents);
    return made;
}

/// Three rows of bytes stand for a cubin; the kernel has one of everything.
Package small() {
    sema::Tensor rows = tensor("A", base::Dtype::bf16, sema::Direction::in, {0, 64});
    rows.extent_from = 2;
    rows.pitch_from = 2;
    rows.pitch = 0;
    sema::Tensor gain = tensor("class", base::Dtype::s32, sema::Direction::inout, {64});
    gain.align = 4;
    return {"my-file.tmx",
            {{"sm_103f", "ptx",
              "\x7f"
              "ELF"}},
            {{"k",
              {rows, gain, sema::Scalar{"n", base::Dtype::u32, {}}, sema::Scalar{"h", base::Dtype::f16, {}}},
              {4, 2, 1},
              256,
              64,
              16}}};
}

/// What it said before, from the folder of tests.
std::string golden(const std::string& name) {
    std::string error;
    const std::optional<std::string> text = base::read_file("data/embed/" + name, error);
    CAPTURE(error);
    REQUIRE(text);
    return *text;
}

/// The header without what stands in launch.h.
std::string own_part(const std::string& text) {
    const std::size_t at = text.find(launch_text);
    REQUIRE(at != std::string::npos);
    return text.substr(0, at) + text.substr(at + launch_text.size());
}

} // namespace

TEST_CASE("an image is for a target") {
    CHECK(chip_of({"sm_103f", "", "", false, {}}).capability == 103);
    CHECK_THROWS_AS((void)chip_of({"sm_", "", "", false, {}}), base::InternalError);
}

TEST_CASE("a header") { CHECK(own_part(header(small(), {"p_", ""})) == golden("my-file.h")); }

TEST_CASE("a manifest") { CHECK(manifest(small()) == golden("my-file.manifest.json")); }

TEST_CASE("scratch memory in place of tensor memory") {
    Package software = small();
    software.images.push_back({"sm_75", "p", "c", true, {4096}});
    const std::string text = own_part(header(software, {}));
    CHECK(text.find("static const size_t my_file_sm_75_scratch[1] = {4096};\n") != std::string::npos);
    CHECK(text.find("{\"sm_75\", 7, 5, ' ', my_file_sm_75_cubin.bytes, 1, my_file_sm_75_ptx.bytes, 2, "
                    "my_file_sm_75_scratch},\n") != std::string::npos);
    CHECK(text.find("my_file_sm_103f_ptx.bytes, 4, NULL},\n") != std::string::npos);
    const std::string json = manifest(software);
    CHECK(json.find("\"kernel\": \"k\"") != std::string::npos);
    CHECK(json.find("\"bytes\": 4096") != std::string::npos);
    CHECK(json.find("\"tmem\": \"software\"") != std::string::npos);
    CHECK(json.find("\"runs_on\": \"major\"") != std::string::npos);
}

TEST_CASE("a file's name stays in its comment") {
    Package odd = small();
    odd.source = "a\nb\\.tmx";
    const std::string text = own_part(header(odd, {"", "x::y"}));
    CHECK(text.find("// The kernels of a?b?.tmx as") == 0);
    CHECK(text.find("\n// ---- a?b?.tmx\n") != std::string::npos);
    CHECK(text.find("\"a\\012b\\\\.tmx\"") != std::string::npos);
    CHECK(text.find("a_b__sm_103f_cubin") != std::string::npos);
}

TEST_CASE("strings of C") { CHECK(quoted("a\"b\\c?\n\xc3\xa9") == R"("a\"b\\c\?\012\303\251")"); }

} // namespace tmemc::embed
