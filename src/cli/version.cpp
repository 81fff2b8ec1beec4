// --version: tmemc's own on the first line, which scripts may rely on, and the ptxas that build would call.
//
//     tmemc 0.1.0
//     ptxas 13.0, /usr/local/cuda/bin/ptxas
#include "cli/session.hpp"

#include "toolchain/ptxas.hpp"

#include <fmt/format.h>

namespace tmemc::cli {
namespace {

std::string ptxas_line(const Options& options) {
    const toolchain::Found found = toolchain::find_ptxas(options.ptxas);
    if (found.path.empty()) return "no ptxas; `tmemc doctor` says where it was looked for";
    const std::string release = toolchain::ptxas_version(found.path);
    if (release.empty()) return fmt::format("ptxas, {}, which does not run", found.path);
    return fmt::format("ptxas {}, {}", release, found.path);
}

} // namespace

int version(const Options& options) {
    return put(fmt::format("tmemc {}\n{}\n", TMEMC_VERSION, ptxas_line(options))) ? exit_ok : exit_usage;
}

} // namespace tmemc::cli
