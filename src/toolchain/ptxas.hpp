// PTX text to cubin, by NVIDIA's ptxas. It is looked for in this order: the path given, $TMEMC_PTXAS, PATH,
// $CUDA_HOME/bin, $CUDA_PATH/bin, /usr/local/cuda/bin. What it says of a PTX line is handed back with that line, so
// that the pipeline can name the statement of the program that the line came from.
#pragma once

#include "toolchain/process.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::toolchain {

struct PtxasOptions {
    std::string path;   // --ptxas; empty: look for it
    std::string target; // "sm_100a"
    std::vector<std::string> flags; // -O2, -lineinfo
    bool object_only = false; // -c: a module without kernels
};

struct PtxasMessage {
    std::uint32_t line = 0; // of the PTX; 0: of no line
    std::string severity;   // "error", "fatal", "warning", "info"
    std::string text;
    bool operator==(const PtxasMessage&) const = default;
};

struct Found {
    std::string path;                 // empty: not found
    std::vector<std::string> searched; // every place looked at, in order, "PATH (/usr/bin:...)" as one
};
[[nodiscard]] Found find_ptxas(const std::string& path_option = {});

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
};
[[nodiscard]] Assembled assemble(const std::string& ptx, const PtxasOptions& options);

} // namespace tmemc::toolchain
