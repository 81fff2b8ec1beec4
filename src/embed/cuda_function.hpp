// One function of the CUDA C++ header: a comment that draws its maps, its constants, the constexpr functions
// that say where the elements of its fragments lie, and the function itself with its overloads. A fragment is
// an array of uint32_t; an overload takes float, __half2 or the like and passes words on, which costs no
// instruction. Where the target lacks what it needs the body is a trap. Names that C++ keeps get `_` behind
// them. Not here: the file around the functions (cuda.hpp).
#pragma once

#include "embed/cuda_asm.hpp"
#include "sema/program.hpp"

#include <set>
#include <string>
#include <vector>

namespace tmemc::embed {

struct FunctionInput {
    const sema::Kernel& kernel;
    const ptx::Function& text;
    const lower::KernelTrace& trace;
    std::string name;         // as it is called in C++
    std::string stem;         // with which its constants begin: the same, but for a `_` that C++ asked for
    std::string macro_prefix; // of the header's private macros: "TMEMC_1234_"
    std::string supported;    // the one that tells whether the target takes it: "TMEMC_1234_SUPPORTED_0"
    bool comments = true;     // the program's lines inside the body
};

/// The function's part of the header. Its public names join those taken.
[[nodiscard]] std::string cuda_function(const FunctionInput& input, std::vector<std::string>& taken);
/// The headers of CUDA that its types need.
[[nodiscard]] std::set<std::string> cuda_includes(const sema::Kernel& kernel);

} // namespace tmemc::embed
