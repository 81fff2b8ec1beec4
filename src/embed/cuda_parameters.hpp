// The parameters of a function as CUDA C++ declares them and as operands of its assembly.
//
//     tmem acc: f32[128, 32]            uint32_t acc              "r"(acc)
//     out C: bf16[128, 32]              __nv_bfloat16* C          "l"(__cvta_generic_to_global(C))
//     scale: f32                        float scale               "f"(scale)
//     in frag X: f32[128, 32]           const uint32_t (&X)[32]   "r"(X[0]), "r"(X[1]), ...
//
// A register of a fragment that holds something in every thread of an `out` one is "=r"; one that does so in
// some threads only is "+r" and keeps what it has in the others.
#pragma once

#include "embed/cuda_asm.hpp"
#include "embed/cuda_types.hpp"
#include "sema/program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmemc::embed {

struct CudaParameter {
    std::string name;          // in C++
    std::string declared;      // "const uint32_t (&X)[32]"
    std::string declared_word; // of a fragment with a word of its own: "const float (&X)[32]"; else empty
    std::string word;          // "float"
    int registers = 0;         // of a fragment
    bool keeps = false;        // of a fragment: what it holds goes in
    bool out = false;          // of a fragment: what it then holds comes out
    std::vector<AsmOperand> operands;
};

/// In declaration order, staging memory last. Names keep clear of those taken.
[[nodiscard]] std::vector<CudaParameter>
cuda_parameters(const sema::Kernel& kernel, const lower::KernelTrace& trace, std::vector<std::string> taken);

} // namespace tmemc::embed
