// PTX text to cubin, by NVIDIA's ptxas. It is looked for in this order: the path given, $TMEMC_PTXAS, PATH,
// $CUDA_HOME/bin, $CUDA_PATH/bin, /usr/local/cuda/bin. A path that was given, or $TMEMC_PTXAS, is taken at
// its word: when it is no program, nothing else is tried. What ptxas says of a PTX line is handed back with
// that line, so that the pipeline can name the statement of the program that the line came from (report.hpp).
//
// The text goes in by "/dev/stdin" and the cubin comes out by "/dev/stdout": there is no temporary file to
// clean up, and no name of one in the cubin, so the same text gives the same bytes.
#pragma once

#include "toolchain/messages.hpp"
#include "toolchain/process.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace tmemc::toolchain {

struct PtxasOptions {
    std::string path;               // --ptxas; empty: look for it
    std::string target;             // "sm_100a"
    std::vector<std::string> flags; // -O2, -lineinfo
    bool object_only = false;       // -c: a module without kernels
    std::chrono::milliseconds timeout{60'000};
};

struct Found {
    std::string path;                  // empty: not found
    std::vector<std::string> searched; // every place looked at, in order, "PATH (/usr/bin:...)" as one
};
/// A bare name, such as "ptxas-12.9", is looked for in PATH.
[[nodiscard]] Found find_ptxas(const std::string& path_option = {});

/// Another program of the toolkit, "nvdisasm", in the places where ptxas is looked for.
[[nodiscard]] Found find_tool(const std::string& name);

/// "13.0" of ptxas --version, or empty.
[[nodiscard]] std::string ptxas_version(const std::string& path);

struct Assembled {
    enum class Status { ok, not_found, failed };
    Status status{};
    std::string cubin; // bytes
    std::vector<PtxasMessage> messages;
    std::string raw_errors;            // what it printed
    Command command;                   // without its input
    std::vector<std::string> searched; // when not found
    // Of a ptxas that failed:
    std::string start_error; // why it could not be started; else empty
    bool timed_out = false;  // it was killed after command.timeout
    int exit_code = 0;       // 128 + n when signal n ended it
};
[[nodiscard]] Assembled assemble(const std::string& ptx, const PtxasOptions& options);

/// The command that assemble() runs, for -###; its program is "ptxas" when none is found.
[[nodiscard]] Command command(const PtxasOptions& options);
/// The command that shows the same failure again, from the PTX kept at `ptx_path`.
[[nodiscard]] Command replay(const Assembled& assembled, const std::string& ptx_path);

} // namespace tmemc::toolchain
