// What runs on the GPU of this machine, judged by the emulator: the test blocks of every example and the
// placement sweep, bit for bit, with tensor memory in software where the GPU has none; and what must be
// refused, or fail, in words. Exit status 77, a skip, where there is no GPU. $GPU_SUITE_STEP=20 takes every
// twentieth program of the sweep, for runs under compute-sanitizer. $TMEMC names the command that the hanging
// kernel needs.
#define DOCTEST_CONFIG_IMPLEMENT
#include "pair_device.hpp"
#include "pipeline.hpp"
#include "placement.hpp"
#include "runtime/gpu.hpp"
#include "toolchain/process.hpp"
#include "trial/signature.hpp"
#include "trial/trial.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace {

using namespace tmemc;

const runtime::Gpus& gpus() {
    static const runtime::Gpus found = runtime::find_gpus();
    return found;
}
const runtime::GpuInfo& info() { return gpus().list.front(); }
runtime::Gpu& gpu() {
    static runtime::Gpu opened(gpus().driver, info(), {{}, {}, 20'000});
    return opened;
}

std::string variable(const char* name, const std::string& otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

CompileOptions options_for_gpu() {
    CompileOptions options;
    options.check.target = runtime::native_target(info());
    options.check.tensor_memory = sema::TensorMemoryMode::automatic;
    options.text.comments = false;
    return options;
}

runtime::Signature signature_in(const Compilation& made) {
    return trial::signature_of(made.program.kernels.front(),
                               made.trace.kernels.front().cells.scratch_bytes());
}

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// Runs a file's blocks on both machines; one line for each that did not pass.
std::vector<std::string> run_blocks(const std::filesystem::path& path, tests::Agreement& agreement,
                                    int& passed) {
    const base::Source source(path.filename().string(), text_of(path));
    const Compilation parsed = parse(source);
    const sema::Program program = sema::check(parsed.tree, options_for_gpu().check).program;
    std::map<std::string, std::vector<runtime::Formal>> formals;
    trial::Options options;
    options.compile = [&](const std::string& kernel) {
        CompileOptions compiling = options_for_gpu();
        compiling.check.only = {kernel};
        Compilation made = compile(source, compiling);
        trial::Compiled result;
        if (made.ok() && !made.program.kernels.empty()) {
            formals[kernel + ".ptx"] = signature_in(made).formals;
            result.ptx = made.ptx.text;
            result.scratch_bytes = made.trace.kernels.front().cells.scratch_bytes();
            result.kernel = made.program.kernels.front();
        }
        result.diagnostics = std::move(made.diagnostics);
        return result;
    };
    options.device = [&](const runtime::Code& code, bool faulty) -> std::unique_ptr<runtime::Device> {
        if (faulty) return runtime::make_emulator();
        return std::make_unique<tests::PairDevice>(gpu().device(), runtime::make_emulator(),
                                                   formals.at(code.name), agreement);
    };
    options.read_file = [](const std::string&, std::size_t) { return runtime::FileContents{}; };
    std::vector<std::string> problems;
    for (const trial::Verdict& verdict : trial::run_tests(program, options)) {
        if (verdict.outcome == trial::Verdict::Outcome::passed)
            ++passed;
        else
            problems.push_back(
                fmt::format("{}: {}: {}", source.name(), verdict.title, fmt::join(verdict.messages, "\n")));
    }
    return problems;
}

TEST_CASE("every example gives on the GPU what it gives on the emulator") {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(variable("TMEMC_EXAMPLES", EXAMPLES)))
        if (entry.path().extension() == ".tmx") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    CHECK(files.size() >= 17);
    tests::Agreement agreement;
    int passed = 0;
    for (const std::filesystem::path& file : files)
        for (const std::string& problem : run_blocks(file, agreement, passed)) CHECK(problem == "");
    for (const std::string& difference : agreement.differences) CHECK(difference == "");
    CHECK(agreement.launches >= passed);
    std::cout << fmt::format(
        "examples: {} files, {} blocks, {} launches, {} elements the same; {} launches with .approx, "
        "{} elements within its error\n",
        files.size(), passed, agreement.launches, agreement.elements - agreement.apart, agreement.approximate,
        agreement.apart);
}

/// A program of the sweep with everything that does not need the GPU done.
struct Prepared {
    placement::Case c;
    runtime::Signature signature;
    std::string ptx, cubin, problem;
    runtime::Array wanted;

    [[nodiscard]] std::map<std::string, runtime::Array> values() const {
        std::map<std::string, runtime::Array> given{{"A", placement::plain_array(c)}};
        if (c.store) given["S"] = placement::stored(c);
        return given;
    }
};

void prepare(Prepared& each) {
    const base::Source source("placement.tmx", placement::program(each.c));
    const Compilation made = compile(source, options_for_gpu());
    if (!made.ok()) {
        each.problem = made.diagnostics.list.front().message;
        return;
    }
    each.signature = signature_in(made);
    each.ptx = made.ptx.text;
}

void finish(Prepared& each) {
    toolchain::Assembled assembled =
        toolchain::assemble(each.ptx, {{}, runtime::native_target(info()), {}, false});
    if (assembled.status == toolchain::Assembled::Status::ok) each.cubin = std::move(assembled.cubin);
    if (assembled.status == toolchain::Assembled::Status::failed) each.problem = assembled.raw_errors;
    const auto device = runtime::make_emulator({.threads = 1});
    if (device->load({"placement.ptx", each.ptx, {}}, {}).has_errors()) {
        each.problem = "the emulator does not take the PTX";
        return;
    }
    auto values = each.values();
    if (const auto error = runtime::call(*device, each.signature, values).error)
        each.problem = error->message;
    each.wanted = values.at("R");
    const runtime::Array tables =
        each.c.store ? placement::wanted_of_store(each.c) : placement::wanted_of_load(each.c);
    if (each.problem.empty() && each.wanted != tables)
        each.problem = "the emulator disagrees with the tables";
}

void run_on_gpu(Prepared& each) {
    const auto device = gpu().device();
    const runtime::Code code = each.cubin.empty() ? runtime::Code{"placement.ptx", each.ptx, {}}
                                                  : runtime::Code{"placement.cubin", {}, each.cubin};
    if (device->load(code, "k").has_errors()) {
        each.problem = "the GPU does not take it";
        return;
    }
    auto values = each.values();
    if (const auto error = runtime::call(*device, each.signature, values).error)
        each.problem = error->message;
    else
        each.problem = runtime::describe("R", runtime::compare(values.at("R"), each.wanted), each.c.dtype);
}

TEST_CASE("every view of tensor memory on the GPU, as the tables and the emulator have it") {
    const auto step = static_cast<std::size_t>(std::stoi(variable("GPU_SUITE_STEP", "1")));
    const std::vector<placement::Case> cases = placement::cases();
    std::vector<Prepared> all((cases.size() + step - 1) / step);
    for (std::size_t i = 0; i < all.size(); ++i) // loads and stores alternate in the list
        all[i].c = cases[std::min(i * step + (step % 2 == 0 ? i % 2 : 0), cases.size() - 1)];
    placement::in_parallel(all.size(), [&](std::size_t i) { prepare(all[i]); });
    std::set<std::string> texts; // many dtypes become the same PTX, whose values differ; each text runs once
    std::vector<Prepared*> distinct;
    for (Prepared& each : all)
        if (texts.insert(each.ptx).second || !each.problem.empty()) distinct.push_back(&each);
    placement::in_parallel(distinct.size(), [&](std::size_t i) {
        if (distinct[i]->problem.empty()) finish(*distinct[i]);
    });
    for (Prepared* const each : distinct) {
        if (each->problem.empty()) run_on_gpu(*each);
        INFO(each->c.name());
        CHECK(each->problem == "");
    }
    std::map<std::string, int> classes; // of the programs; views of one place become one text
    for (const Prepared& each : all) {
        ++classes[fmt::format("datapath {}", each.c.view.datapath)];
        ++classes[fmt::format("atom {}", each.c.view.atom)];
        ++classes[fmt::format("x{}", each.c.num)];
        ++classes[each.c.store ? "st" : "ld"];
    }
    if (step == 1) CHECK(classes.size() == 7 + 5 + 8 + 2);
    std::cout << fmt::format("placement: {} programs, {} distinct texts:", all.size(), distinct.size());
    for (const auto& [name, count] : classes) std::cout << ' ' << name << " " << count;
    std::cout << '\n';
}

std::string module_text(const std::string& body, const std::string& parameters = {}) {
    return ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(" + parameters + ") {\n" + body +
           "    ret;\n}\n";
}

TEST_CASE("code for another chip is refused before the driver sees it") {
    const auto device = gpu().device();
    const std::string other = info().capability == 100 ? "sm_90a" : "sm_100a";
    const toolchain::Assembled made = toolchain::assemble(
        ".version 8.6\n.target " + other + "\n.address_size 64\n.visible .entry k() { ret; }\n",
        {{}, other, {}, false});
    if (made.status != toolchain::Assembled::Status::ok) return;
    try {
        (void)device->load({"other.cubin", {}, made.cubin}, "k");
        CHECK_MESSAGE(false, "it was loaded");
    } catch (const runtime::DeviceFailure& failure) {
        CHECK(failure.error().code == "TM0607");
        CHECK(failure.error().helps.size() == 1);
    }
}

TEST_CASE("what the driver refuses is said with its name for it") {
    const auto said = [](auto act) {
        try {
            act();
        } catch (const runtime::DeviceFailure& failure) {
            return failure.error().message;
        }
        return std::string("nothing");
    };
    const auto device = gpu().device();
    CHECK(said([&] {
              (void)device->allocate(std::uint64_t{1} << 50);
          }).rfind("cuMemAlloc failed with CUDA_ERROR_OUT_OF_MEMORY (2", 0) == 0);
    REQUIRE(!device->load({"k.ptx", module_text(""), {}}, "k").has_errors());
    runtime::LaunchStatistics statistics;
    const auto error = device->launch("nobody", {}, {}, statistics);
    REQUIRE(error);
    CHECK(error->message.rfind("cuModuleGetFunction failed with CUDA_ERROR_NOT_FOUND (500", 0) == 0);
    const auto big = device->launch("k", {{1, 1, 1}, {2048, 1, 1}, 0}, {}, statistics);
    REQUIRE(big);
    CHECK(big->message.rfind("cuLaunchKernel failed with CUDA_ERROR_INVALID_VALUE (1", 0) == 0);
}

TEST_CASE("the driver's own compiler: a kernel, and a mistake at its line") {
    runtime::Gpu bare(gpus().driver, info(), {"/no/ptxas", {}, 20'000});
    const auto device = bare.device();
    const std::string body =
        "    .reg .b64 %d; .reg .b32 %r;\n    ld.param.u64 %d, [A];\n    mov.u32 %r, 41;\n"
        "    add.u32 %r, %r, 1;\n    st.global.u32 [%d], %r;\n";
    REQUIRE(!device->load({"k.ptx", module_text(body, ".param .u64 A"), {}}, "k").has_errors());
    runtime::Signature signature{"k", {{"A", base::Dtype::u32, {1}, true, true}}, {1, 1, 1}, {1, 1, 1}};
    std::map<std::string, runtime::Array> values{{"A", runtime::make_array(base::Dtype::u32, {1})}};
    CHECK(!runtime::call(*device, signature, values).error);
    CHECK(values["A"].get(0) == 42);
    const std::string wrong = module_text("    frob.b32 1;\n");
    const base::Diagnostics refused = bare.device()->load({"bad.ptx", wrong, {}}, "k");
    REQUIRE(refused.has_errors());
    CHECK(base::Source("bad.ptx", wrong).position(refused.list.front().span.begin).line == 5);
}

/// Runs PTX in a process of its own, because such kernels take the GPU from the whole process.
toolchain::ProcessResult run_alone(const std::string& text) {
    const auto path = std::filesystem::temp_directory_path() / "tmemc-gpu-suite.ptx";
    std::ofstream(path) << text;
    const toolchain::ProcessResult done =
        toolchain::run({variable("TMEMC", TMEMC_COMMAND),
                        {"run", path.string(), "--on=gpu", "--block", "32", "--timeout", "2"},
                        {},
                        std::chrono::seconds(60)});
    std::filesystem::remove(path);
    return done;
}

TEST_CASE("kernels that fault or hang end the command with 4, and the GPU works on") {
    const toolchain::ProcessResult fault = run_alone(
        module_text("    .reg .b64 %d; .reg .b32 %r;\n    mov.u64 %d, 64;\n    ld.global.u32 %r, [%d];\n"
                    "    st.global.u32 [%d], %r;\n"));
    CHECK(fault.exit_code == 4);
    CHECK(fault.errors.find("TM0773") != std::string::npos);
    CHECK(fault.errors.find("CUDA_ERROR_ILLEGAL_ADDRESS (700") != std::string::npos);
    const toolchain::ProcessResult hang = run_alone(module_text(
        "    .shared .b32 never;\n    .reg .pred %p; .reg .b32 %r;\n    st.volatile.shared.u32 [never], 0;\n"
        "spin:\n    ld.volatile.shared.u32 %r, [never];\n    setp.ne.u32 %p, %r, 7;\n    @%p bra spin;\n"));
    CHECK(hang.exit_code == 4);
    CHECK(hang.errors.find("TM0774") != std::string::npos);
    CHECK(run_alone(module_text("")).exit_code == 0);
}

} // namespace

int main(int argc, char** argv) {
    if (gpus().error) {
        std::cout << gpus().error->message << '\n';
        return 77;
    }
    std::cout << fmt::format("{}, compute capability {}.{}, CUDA {}\n", runtime::to_string(info()),
                             info().capability / 10, info().capability % 10,
                             runtime::cuda_version_text(gpus().version));
    return doctest::Context(argc, argv).run();
}
