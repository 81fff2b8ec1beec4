// What a ptxas can do, asked of it: the targets are in its --help, and when a text asks for a version of PTX
// that does not exist, it says which one it knows:
//
//     ptxas /dev/stdin, line 1; fatal   : Unsupported .version 99.9; current version is '9.0'
#pragma once

#include <string>
#include <vector>

namespace tmemc::toolchain {

struct PtxasInfo {
    std::string version;              // "13.0"; empty: it does not run
    std::string ptx;                  // "9.0": the newest PTX that it reads
    std::vector<std::string> targets; // "sm_100", "sm_100a", ... in its order
};
[[nodiscard]] PtxasInfo ask_ptxas(const std::string& path);

} // namespace tmemc::toolchain
