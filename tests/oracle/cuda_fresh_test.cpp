// What nvcc makes of tests/data/cuda now, where it is at hand: for every architecture that nvcc knows of
// those that the emulator is meant for, the PTX reads, reads the same after writing, is taken by ptxas as
// written, and loads. That the kept PTX runs with the right values is tested without nvcc
// (unit/emulator/cuda_test.cpp).
#include "base/file.hpp"
#include "emulator/machine.hpp"
#include "ptx/read.hpp"
#include "ptx/write.hpp"
#include "skip.hpp"
#include "temporary_folder.hpp"
#include "toolchain/process.hpp"
#include "toolchain/ptxas.hpp"

#include <doctest/doctest.h>

#include <filesystem>

using namespace tmemc;

namespace {

/// Makes FILE.sm_N.ptx in the folder, two at a time: every file for the oldest and the newest targets, the
/// rest of the targets in turn, so that each meets a few files.
std::string script(const std::string& nvcc, const std::string& folder) {
    return "cd data/cuda && { turn=0; for f in *.cu; do\n"
           "flags=$(sed -n 's,^// nvcc: ,,p' $f); turn=$((turn % 8 + 1))\n"
           "if grep -q tensor.cuh $f; then list='100a 103a 110a'; else\n"
           "  list=\"75 $(echo 80 86 89 90 90a 100 103a 110a | cut -d' ' -f$turn) 120\"; fi\n"
           "for a in $list; do echo -ptx -O3 -std=c++17 -arch=sm_$a $flags $f -o " +
           folder + "/${f%.cu}.sm_$a.ptx; done; done; } | xargs -P2 -L1 " + nvcc;
}

} // namespace

TEST_CASE("what nvcc writes now reads, is written back as ptxas takes it, and loads") {
    const std::filesystem::path ptxas = toolchain::find_ptxas().path;
    const std::string nvcc = (ptxas.parent_path() / "nvcc").string();
    if (ptxas.empty() || !std::filesystem::exists(nvcc)) return tests::skipped("cuda", "no nvcc");
    const tests::TemporaryFolder folder;
    const auto made =
        toolchain::run({"/bin/sh", {"-c", script(nvcc, folder.path())}, {}, std::chrono::minutes(4)});
    REQUIRE_MESSAGE(made.exit_code == 0, made.errors, made.error);
    int files = 0, loads = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        std::string error;
        const base::Source source(name, base::read_file(entry.path().string(), error).value());
        const ptx::ReadResult read = ptx::read(source);
        for (const auto& each : read.diagnostics.list) FAIL_CHECK(each.message);
        const std::string written = ptx::write(read.module).text;
        CHECK(ptx::read(base::Source(name, written)).module == read.module);
        if (name.find("sm_75") != std::string::npos) {
            const auto assembled = toolchain::assemble(written, {{}, "sm_75", {"-O0"}});
            CHECK_MESSAGE(assembled.status == toolchain::Assembled::Status::ok, assembled.raw_errors);
        }
        ++files;
        if (name.find("pointers") == 0) continue; // whose mistakes are cuda_calls_test.cpp's
        const auto loaded = emulator::load(source, read);
        for (const auto& each : loaded.diagnostics.list)
            FAIL_CHECK(source.position(each.span.begin).line, ": ", each.message);
        loads += loaded.executable != nullptr ? 1 : 0;
    }
    MESSAGE(files << " files read, " << loads << " loaded");
    CHECK(files > 40);
    CHECK(loads > 40);
}
