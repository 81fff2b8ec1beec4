// Machine code as text, by NVIDIA's nvdisasm, which is looked for where ptxas is. It wants a file by name and
// reads it in any order; its standard input is an unnamed file in memory (process.cpp) and has the name
//
//     nvdisasm -c -g -gp /dev/stdin
//
// so no signal can leave anything behind.
#pragma once

#include <string>
#include <vector>

namespace tmemc::toolchain {

struct Disassembled {
    std::string text;  // with the lines of source and PTX (-g -gp), where the cubin knows them
    std::string error; // a sentence; empty: it went well
    std::vector<std::string> searched; // when there is no nvdisasm
};
[[nodiscard]] Disassembled disassemble(const std::string& cubin);

} // namespace tmemc::toolchain
