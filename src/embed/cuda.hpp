// --emit=cuda: a header of the file's functions for other people's kernels, in C++17 and CUDA.
//
//     #include "epilogue.cuh"                    // tmemc epilogue.tmx --emit=cuda
//     __global__ void kernel(...) {
//         ... tensor cores fill tensor memory at `acc` ...
//         store_scaled(acc, C, scale);           // all four warps of a warpgroup
//     }
//
// It compiles for every target and for the host alone: where a function's instructions are missing, tcgen05
// say, it traps and says so in a constant, and without CUDA only the constants are there. The include guard
// names the contents, so that headers of one name may meet. The same program gives the same bytes. Not here:
// functions (cuda_function.hpp).
#pragma once

#include "embed/names.hpp"
#include "lower/lower.hpp"
#include "ptx/module.hpp"
#include "sema/program.hpp"

#include <string>

namespace tmemc::embed {

struct CudaInput {
    const sema::Program& program;
    const ptx::Module& module;
    const lower::Trace& trace;
    std::string source; // the file's name, without its folder
    Names names;
    bool comments = true; // the program's lines in the functions
};

/// Whether there is anything to write.
[[nodiscard]] bool has_functions(const sema::Program& program);
[[nodiscard]] std::string cuda_header(const CudaInput& input);

} // namespace tmemc::embed
