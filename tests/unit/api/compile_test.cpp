// The C++ API: every output is what the pipeline's parts write, mistakes are values with places, and a broken
// invariant ends in a status.
#include "api/guard.hpp"
#include "api/tmemc.hpp"
#include "base/invariant.hpp"
#include "programs.hpp"
#include "skip.hpp"
#include "temporary_folder.hpp"
#include "toolchain/ptxas.hpp"

#include <algorithm>

using namespace tmemc::api;
using tmemc::tests::roundtrip;
using tmemc::tests::text_of;

namespace {

bool has_ptxas() { return !tmemc::toolchain::find_ptxas().path.empty(); }

Options outputs(std::vector<Kind> kinds) {
    Options made;
    made.name = "roundtrip.tmx";
    made.outputs = std::move(kinds);
    return made;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("what is asked for is there, and nothing else") {
    const Result made = compile(text_of(roundtrip), outputs({Kind::ptx, Kind::ast, Kind::plan}));
    REQUIRE(made.status == Status::ok);
    CHECK(made.diagnostics.empty());
    CHECK(made.message.empty());
    CHECK(made.target == "sm_100a");
    CHECK(contains(made.ptx, ".entry roundtrip"));
    CHECK(contains(made.ast, "kernel roundtrip("));
    CHECK(contains(made.plan, "\"kernels\""));
    CHECK(made.cubin.empty());
    CHECK(made.header.empty());
    REQUIRE(made.kernels.size() == 1);
    CHECK(made.kernels[0].name == "roundtrip");
    CHECK(made.kernels[0].threads == 128);
    CHECK(made.kernels[0].grid == std::array<std::uint32_t, 3>{1, 1, 1});
    CHECK(made.kernels[0].scratch_bytes == 0);
    // A printed program is a program, with the same PTX but for its comments.
    Options bare = outputs({Kind::ptx});
    bare.comments = false;
    CHECK(compile(made.ast, bare).ptx == compile(text_of(roundtrip), bare).ptx);
}

TEST_CASE("a layout is that of one kernel") {
    Options options = outputs({Kind::layout});
    const std::string text = text_of("../examples/masked_tail.tmx");
    const Result first = compile(text, options);
    REQUIRE(first.kernels.size() > 1);
    for (const Kernel& each : first.kernels) {
        options.kernel = each.name;
        const Result made = compile(text, options);
        REQUIRE(made.status == Status::ok);
        CHECK(contains(made.layout, "\"kernel\": \"" + each.name + "\""));
        CHECK((made.layout == first.layout) == (each.name == first.kernels[0].name));
    }
    options.kernel = "nobody";
    const Result none = compile(text, options);
    CHECK(none.status == Status::option);
    CHECK(none.message == "`roundtrip.tmx` has no kernel `nobody`");
}

TEST_CASE("no outputs: the program is checked") {
    CHECK(compile(text_of(roundtrip), outputs({})).status == Status::ok);
    CHECK(compile(tmemc::tests::wrong, outputs({})).status == Status::source);
}

TEST_CASE("machine code, and what holds it") {
    if (!has_ptxas()) return tmemc::tests::skipped("machine code, and what holds it", "no ptxas");
    const Result made =
        compile(text_of(roundtrip), outputs({Kind::cubin, Kind::report, Kind::header, Kind::manifest}));
    REQUIRE(made.status == Status::ok);
    CHECK(made.cubin.substr(1, 3) == "ELF");
    CHECK(contains(made.header, "roundtrip_launch"));
    CHECK(contains(made.report, "\"registers\""));
    CHECK(contains(made.manifest, "\"roundtrip.tmx\""));
    CHECK(made.ptx.empty());
}

TEST_CASE("diagnostics have places, and their text is the terminal's") {
    const Result made = compile(tmemc::tests::wrong, outputs({Kind::ptx}));
    REQUIRE(made.status == Status::source);
    CHECK(made.ptx.empty());
    REQUIRE(made.diagnostics.size() == 2);
    const Diagnostic& first = made.diagnostics[0];
    CHECK(first.code.substr(0, 4) == "TM02");
    CHECK(!first.name.empty());
    CHECK(first.severity == Severity::error);
    CHECK(first.range.begin.line == 3);
    CHECK(first.range.begin.column == 8);
    CHECK(first.range.end.column == 9);
    CHECK(tmemc::tests::wrong.substr(first.range.begin.offset, 1) == "Y");
    CHECK(first.text.rfind("roundtrip.tmx:3:8: error[" + first.code + "]: " + first.message, 0) == 0);
    CHECK(contains(first.json, "\"line\":2"));
    CHECK(made.diagnostics[1].range.begin.line == 8);
}

TEST_CASE("options that no program can have, and outputs that this one cannot") {
    Options bad = outputs({Kind::ptx});
    bad.max_message = 3;
    const Result uneven = compile(text_of(roundtrip), bad);
    CHECK(uneven.status == Status::option);
    CHECK(uneven.message == "max_message is a power of two from 1 to 128, not 3");
    const Result no_function = compile(text_of(roundtrip), outputs({Kind::cuda}));
    CHECK(no_function.status == Status::option);
    CHECK(contains(no_function.message, "has no function"));
    Options unknown = outputs({Kind::ptx});
    unknown.target = "sm_20";
    const Result old = compile(text_of(roundtrip), unknown);
    CHECK(old.status == Status::source);
    REQUIRE(old.diagnostics.size() == 1);
    CHECK(old.diagnostics[0].code.substr(0, 4) == "TM06");
}

TEST_CASE("a ptxas that is not there, or fails") {
    Options options = outputs({Kind::cubin});
    options.ptxas = "/nowhere/ptxas";
    const Result missing = compile(text_of(roundtrip), options);
    CHECK(missing.status == Status::toolchain);
    REQUIRE(missing.diagnostics.size() == 1);
    CHECK(missing.diagnostics[0].range.begin.line == 0);
    options.ptxas = "/bin/false";
    CHECK(compile(text_of(roundtrip), options).status == Status::toolchain);
}

TEST_CASE("ptxas is called as the command line calls it: several kernels side by side") {
    const tmemc::tests::TemporaryFolder folder;
    Options options = outputs({Kind::cubin});
    options.ptxas = folder.script("ptxas", "echo \"$@\" > " + folder.file("said") + "; exit 1");
    CHECK(compile(text_of(roundtrip), options).status == Status::toolchain);
    CHECK(!contains(folder.read("said"), "--split-compile"));
    const std::string body = "(in A: f32[128, 8], out B: f32[128, 8]) {\n"
                             "  frag X: f32[128, 8];\n  copy X <- A;\n  copy B <- X;\n}\n";
    const std::string two = "kernel a" + body + "kernel b" + body;
    CHECK(compile(two, options).status == Status::toolchain);
    CHECK(contains(folder.read("said"), "--split-compile=0"));
}

TEST_CASE("any bytes are a text") {
    CHECK(compile("", outputs({Kind::ptx})).status == Status::ok);
    CHECK(compile(std::string_view("\0\xff\x80", 3), outputs({Kind::ptx})).status == Status::source);
    const Result huge = compile(std::string((std::size_t{16} << 20) + 100, ' '), outputs({Kind::ptx}));
    CHECK(huge.status == Status::source);
    CHECK(huge.diagnostics.size() == 1);
}

TEST_CASE("what is thrown becomes a status") {
    const auto thrown = [](auto what) { return guarded([&]() -> Result { throw what; }); };
    CHECK(thrown(std::bad_alloc()).status == Status::out_of_memory);
    const Result broken = thrown(tmemc::base::InternalError("a copy has no message"));
    CHECK(broken.status == Status::internal);
    CHECK(broken.message == "a copy has no message");
}
