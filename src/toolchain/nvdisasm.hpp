// Machine code as text, by NVIDIA's nvdisasm, which is looked for where ptxas is. It wants a file to read, so
// it gets one in the folder for temporary files, which is gone afterwards.
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
