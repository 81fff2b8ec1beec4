// ptxas works while the text is verified; what it made is shown only when that has gone well.
#include "cli/machine_code.hpp"

#include "base/file.hpp"
#include "cli/outputs.hpp"
#include "embed/package.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <future>

namespace tmemc::cli {
namespace {

namespace fs = std::filesystem;

/// A failed ptxas leaves its PTX beside the output that was not made, and says how to run it again.
void keep_failed(const Compilation& compilation, const Assembly& assembly, const std::string& output,
                 const Options& options) {
    const std::string kept =
        (output == "-" ? fs::path(default_output(options.inputs.front(), Kind::cubin)) : fs::path(output))
            .replace_extension(".failed.ptx")
            .string();
    std::string error;
    if (!base::write_file(kept, compilation.ptx.text, error)) {
        complain(error);
        return;
    }
    remark(fmt::format("tmemc: the PTX is kept in `{}`; to see the failure again:\n  {}", kept,
                       toolchain::to_string(toolchain::replay(assembly.assembled, kept))));
}

/// Several kernels are assembled side by side: of two, a fifth of the time is saved, of 32 a third, and the
/// code is the same.
std::vector<std::string> ptxas_flags(const Options& options, const sema::Program& program) {
    std::vector<std::string> flags = options.ptxas_flags;
    if (program.kernels.size() > 1) flags.emplace_back("--split-compile=0"); // as many threads as there are
    return flags;
}

} // namespace

int machine_code(const Compilation& made, const base::Source& source, const Options& options,
                 const std::string& output, Assembly& assembly) {
    const toolchain::PtxasOptions ptxas{options.ptxas, made.program.target,
                                        ptxas_flags(options, made.program),
                                        embed::launchable(made.program) == 0};
    if (options.dry_run) {
        remark(toolchain::to_string(toolchain::command(ptxas)));
        return exit_ok;
    }
    std::future<Assembly> assembling = std::async(std::launch::async, [&] { return assemble(made, ptxas); });
    verify(made, source, options);
    assembly = assembling.get();
    show(assembly.diagnostics, source, options);
    using Status = toolchain::Assembled::Status;
    if (assembly.assembled.status == Status::failed) keep_failed(made, assembly, output, options);
    return assembly.assembled.status == Status::ok ? exit_ok : exit_toolchain;
}

} // namespace tmemc::cli
