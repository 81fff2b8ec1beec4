// assemble() against scripts that behave as ptxas may, and against the real one where there is one.
#include "toolchain/ptxas.hpp"

#include "skip.hpp"
#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>

using namespace tmemc::toolchain;
using namespace std::chrono_literals;
using tmemc::tests::TemporaryFolder;
using Status = Assembled::Status;

namespace {

const char* kernel = R"(.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .b64 a;
  .reg .b32 r;
  ld.param.b64 a, [out];
  mov.u32 r, %tid.x;
  st.global.b32 [a], r;
  ret;
}
)";

PtxasOptions with(const std::string& path) {
    PtxasOptions options;
    options.path = path;
    options.target = "sm_100a";
    options.timeout = 20s;
    return options;
}

/// The path of the real ptxas; empty, and the test case counted as skipped, without one.
std::string real_ptxas(const char* test_case) {
    std::string path = find_ptxas().path;
    if (path.empty()) tmemc::tests::skipped(test_case, "no ptxas");
    return path;
}

} // namespace

TEST_CASE("the command line of one run") {
    PtxasOptions options = with("/bin/sh");
    options.flags = {"-O2", "-lineinfo"};
    CHECK(to_string(command(options)) == "/bin/sh -arch=sm_100a -O2 -lineinfo /dev/stdin -o /dev/stdout");
    options.object_only = true;
    CHECK(to_string(command(options)) == "/bin/sh -arch=sm_100a -c -O2 -lineinfo /dev/stdin -o /dev/stdout");
    options.path = "/no/ptxas";
    CHECK(command(options).program == "ptxas");
}

TEST_CASE("the text goes in, the cubin comes out, and the command can be shown again") {
    const TemporaryFolder folder;
    const std::string path =
        folder.script("ptxas", "printf '\\177ELF'; cat; echo \"ptxas info    : $*\" >&2");
    const Assembled made = assemble("the text", with(path));
    CHECK(made.status == Status::ok);
    CHECK(made.cubin == "\x7f"
                        "ELFthe text");
    CHECK(made.messages == std::vector<PtxasMessage>{{0, "info", "-arch=sm_100a /dev/stdin -o /dev/stdout"}});
    CHECK(made.command.input.empty());
    CHECK(to_string(replay(made, "a b.ptx")) == path + " -arch=sm_100a 'a b.ptx' -o /dev/null");
}

TEST_CASE("no ptxas") {
    const Assembled made = assemble(kernel, with("/no/ptxas"));
    CHECK(made.status == Status::not_found);
    CHECK(made.searched == std::vector<std::string>{"--ptxas (/no/ptxas)"});
}

TEST_CASE("a ptxas that reports errors") {
    const TemporaryFolder folder;
    const Assembled made = assemble(kernel, with(folder.script("ptxas", R"(
        echo "ptxas /dev/stdin, line 6; error   : Unknown symbol 'x'" >&2
        echo "ptxas fatal   : Ptx assembly aborted due to errors" >&2
        exit 255)")));
    CHECK(made.status == Status::failed);
    CHECK(made.exit_code == 255);
    CHECK(made.cubin.empty());
    REQUIRE(made.messages.size() == 2);
    CHECK(made.messages[0] == PtxasMessage{6, "error", "Unknown symbol 'x'"});
    CHECK(made.raw_errors.starts_with("ptxas /dev/stdin, line 6;"));
}

TEST_CASE("a ptxas that hangs, crashes, cannot start, or ends well without a cubin") {
    const TemporaryFolder folder;
    PtxasOptions hangs = with(folder.script("hangs", "sleep 100"));
    hangs.timeout = 200ms;
    const Assembled hung = assemble(kernel, hangs);
    CHECK(hung.status == Status::failed);
    CHECK(hung.timed_out);

    const Assembled crashed = assemble(kernel, with(folder.script("crashes", "kill -SEGV $$")));
    CHECK(crashed.status == Status::failed);
    CHECK(crashed.exit_code == 128 + SIGSEGV);

    const std::string garbage = folder.script("garbage", "");
    folder.write("garbage", "\x7fno program");
    const Assembled not_started = assemble(kernel, with(garbage));
    CHECK(not_started.status == Status::failed);
    CHECK(not_started.start_error == "exec format error");

    const Assembled empty = assemble(kernel, with("/bin/true"));
    CHECK(empty.status == Status::failed);
    CHECK(empty.exit_code == 0);
    CHECK(assemble(kernel, with(folder.script("text", "echo hello"))).status == Status::failed);
}

TEST_CASE("the version is that of the release") {
    const TemporaryFolder folder;
    CHECK(ptxas_version(folder.script("ptxas", "echo 'Cuda compilation tools, release 12.9, V12.9.41'")) ==
          "12.9");
    CHECK(ptxas_version("/bin/true") == "");
    CHECK(ptxas_version("/no/ptxas") == "");
    CHECK(ptxas_version(folder.script("fails", "echo 'release 1.2'; exit 1")) == "");
}

TEST_CASE("the real ptxas makes the same cubin each time") {
    const std::string path = real_ptxas("the real ptxas makes the same cubin each time");
    if (path.empty()) return;
    CHECK(!ptxas_version(path).empty());
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{}, {"-lineinfo"}, {"-g"}, {"-v"}}) {
        PtxasOptions options = with(path);
        options.flags = flags;
        const Assembled first = assemble(kernel, options), second = assemble(kernel, options);
        CHECK(first.status == Status::ok);
        CHECK(first.cubin.size() > 1000);
        CHECK(first.cubin == second.cubin);
    }
}

TEST_CASE("the real ptxas names the line of each error") {
    const std::string path = real_ptxas("the real ptxas names the line of each error");
    if (path.empty()) return;
    std::string text = kernel;
    text.replace(text.find("mov.u32"), 7, "mow.u32"); // line 9
    const Assembled made = assemble(text, with(path));
    CHECK(made.status == Status::failed);
    REQUIRE(!made.messages.empty());
    CHECK(made.messages[0].line == 9);
    CHECK(made.messages[0].severity == "error");
    CHECK(made.messages[0].text.find("mow") != std::string::npos);
}

TEST_CASE("the real ptxas names the line of an instruction that lacks registers") {
    const std::string path =
        real_ptxas("the real ptxas names the line of an instruction that lacks registers");
    if (path.empty()) return;
    std::string load =
        ".version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 out) .reqntid 128 "
        ".maxnreg 24\n{\n.reg .b64 a; .reg .b32 t, r<32>;\nld.param.b64 a, [out];\nmov.b32 t, 0;\n"
        "tcgen05.ld.sync.aligned.32x32b.x32.b32 {r0";
    for (int i = 1; i < 32; ++i) load += ", r" + std::to_string(i);
    load += "}, [t];\ntcgen05.wait::ld.sync.aligned;\n"; // the load is line 9
    for (int i = 0; i < 32; ++i)
        load += "st.global.b32 [a+" + std::to_string(4 * i) + "], r" + std::to_string(i) + ";\n";
    const Assembled made = assemble(load + "ret;\n}\n", with(path));
    CHECK(made.status == Status::failed);
    const auto fatal = std::find_if(made.messages.begin(), made.messages.end(),
                                    [](const PtxasMessage& each) { return each.line != 0; });
    REQUIRE(fatal != made.messages.end());
    CHECK(fatal->line == 9);
    CHECK(fatal->text.find("Insufficient registers") != std::string::npos);
}

TEST_CASE("the real ptxas takes a module without kernels as an object") {
    const std::string path = real_ptxas("the real ptxas takes a module without kernels as an object");
    if (path.empty()) return;
    PtxasOptions options = with(path);
    options.object_only = true;
    CHECK(assemble(".version 8.6\n.target sm_100a\n.address_size 64\n.visible .func f() { ret; }\n", options)
              .status == Status::ok);
}
