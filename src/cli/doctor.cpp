// doctor: what there is on this machine to compile and to run with, what works with it, and what to install
// for the rest. A line for each tool and each GPU, in columns; then two short lists. Exit status 3 when
// nothing can compile: no ptxas that knows a target with tensor memory, and no driver whose own compiler
// would do.
#include "cli/devices.hpp"

#include "toolchain/ptxas.hpp"
#include "toolchain/ptxas_info.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace tmemc::cli {
namespace {

/// The findings that the verdicts are about.
struct Health {
    bool ptxas = false;          // one that runs
    bool tensor_targets = false; // and knows what is compiled for
    bool nvdisasm = false;
    bool gpu = false, tensor_gpu = false; // that a target is for
    struct Finding {
        std::string what, finding; // an empty `what` goes on with the one before
    };
    std::vector<Finding> findings;

    void line(std::string_view what, const std::string& finding) {
        findings.push_back({std::string(what), finding});
    }
};

void examine_ptxas(Health& health, const Options& options) {
    const toolchain::Found found = toolchain::find_ptxas(options.ptxas);
    if (found.path.empty()) {
        health.line("ptxas", "not found");
        for (const std::string& place : found.searched) health.line("", "tried " + place);
        return;
    }
    const toolchain::PtxasInfo info = toolchain::ask_ptxas(found.path);
    health.ptxas = !info.version.empty();
    if (!health.ptxas) return health.line("ptxas", found.path + ", which does not run");
    health.line("ptxas", fmt::format("{}, release {}, PTX ISA {}", found.path, info.version,
                                     info.ptx.empty() ? "unknown" : info.ptx));
    std::vector<std::string> tensor, missing;
    for (const std::string& target : runtime::tensor_targets())
        (std::find(info.targets.begin(), info.targets.end(), target) != info.targets.end() ? tensor : missing)
            .push_back(target);
    health.tensor_targets = !tensor.empty();
    health.line("", fmt::format("with tensor memory: {}",
                                tensor.empty() ? "none" : fmt::format("{}", fmt::join(tensor, " "))));
    if (!missing.empty()) health.line("", fmt::format("not known to it: {}", fmt::join(missing, " ")));
    health.line("", fmt::format("all targets: {}", fmt::join(info.targets, " ")));
}

void examine_tools(Health& health) {
    const toolchain::Found nvdisasm = toolchain::find_tool("nvdisasm");
    health.nvdisasm = !nvdisasm.path.empty();
    health.line("nvdisasm", health.nvdisasm ? nvdisasm.path : "not found");
}

void examine_gpus(Health& health) {
    const runtime::Gpus gpus = runtime::find_gpus();
    if (gpus.driver)
        health.line("driver", fmt::format("{}, for CUDA {}", gpus.driver->path,
                                          runtime::cuda_version_text(gpus.version)));
    if (gpus.error) {
        health.line(gpus.driver ? "gpu" : "driver", gpus.error->message);
        for (const std::string& note : gpus.error->notes) health.line("", note);
    }
    for (const runtime::GpuInfo& gpu : gpus.list) {
        health.gpu = health.gpu || !runtime::native_target(gpu).empty();
        health.tensor_gpu = health.tensor_gpu || runtime::has_tensor_memory(gpu);
        health.line(fmt::format("gpu:{}", gpu.index), gpu_line(gpu));
    }
}

struct Verdict {
    bool works = false;
    std::string_view what, install;
};

std::vector<Verdict> verdicts(const Health& health) {
    return {
        {true, "check, build --emit=ptx, run and test on the emulator", ""},
        {health.ptxas && health.tensor_targets, "build, to cubins, headers and manifests; report",
         "the CUDA toolkit, 12.8 or later, for ptxas; or name it with --ptxas=PATH or $TMEMC_PTXAS"},
        {health.gpu, "run and test --on=gpu --tmem=software",
         "an NVIDIA GPU of compute capability 7.5 or later and its driver; $TMEMC_CUDA_DRIVER names a "
         "libcuda that "
         "lies elsewhere"},
        {health.tensor_gpu, "run and test --on=gpu with tensor memory",
         "a GPU of compute capability 10.0, 10.3 or 11.0 and its driver"},
        {health.nvdisasm, "report --sass", "the CUDA toolkit, for nvdisasm"},
    };
}

std::string text_of(const Health& health) {
    std::string text, works = "\nworks here\n", install = "\nto install for the rest\n";
    for (const Health::Finding& each : health.findings)
        text += fmt::format("{:<10}{}\n", each.what, each.finding);
    bool all = true;
    for (const Verdict& each : verdicts(health)) {
        if (each.works)
            works += fmt::format("  {}\n", each.what);
        else
            install += fmt::format("  {}: {}\n", each.what, each.install);
        all = all && each.works;
    }
    return text + works + (all ? "" : install);
}

/// {"schema": 1, "findings": [{"what", "lines"}], "works": [what], "install": [{"what", "how"}]}
std::string json_of(const Health& health) {
    using Json = nlohmann::ordered_json;
    Json findings = Json::array(), works = Json::array(), install = Json::array();
    for (const Health::Finding& each : health.findings)
        if (each.what.empty())
            findings.back()["lines"].push_back(each.finding);
        else
            findings.push_back({{"what", each.what}, {"lines", Json::array({each.finding})}});
    for (const Verdict& each : verdicts(health))
        if (each.works)
            works.push_back(each.what);
        else
            install.push_back({{"what", each.what}, {"how", each.install}});
    const Json all{{"schema", 1}, {"findings", findings}, {"works", works}, {"install", install}};
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

int doctor(const Options& options) {
    Health health;
    health.line("tmemc", TMEMC_VERSION);
    examine_ptxas(health, options);
    examine_tools(health);
    examine_gpus(health);
    if (!put(options.format == "json" ? json_of(health) : text_of(health))) return exit_usage;
    return (health.ptxas && health.tensor_targets) || health.gpu ? exit_ok : exit_toolchain;
}

} // namespace tmemc::cli
