// A function's PTX as one `asm volatile` of CUDA C++. Its registers and labels stand in a scope of their own,
// so the same function may be expanded many times in a kernel; operands are moved to and from them:
//
//     asm volatile("{\n\t"
//         ".reg .b32 %%X_<2>;\n\t"
//         "mov.b32 %%acc, %2;\n\t"
//         ...
//         "mov.b32 %0, %%X_0;\n\t"
//         "mov.b32 %1, %%X_1;\n\t"
//         "}"
//         : "=r"(X[0]), "=r"(X[1]) : "r"(acc) : "memory");
//
// ptxas drops the moves. Inside the scope a register hides one of nvcc's that has the same name, and an
// operand is such a register: `%r1` here becomes `%r1$`. Not here: which operands there are
// (cuda_parameters.hpp).
#pragma once

#include "lower/lower.hpp"
#include "ptx/module.hpp"

#include <string>
#include <vector>

namespace tmemc::embed {

/// An expression of C++ that goes in and out of a register of the text.
struct AsmOperand {
    std::string constraint; // "=r", "+r", "r", "l", "h", "f"
    std::string expression; // "X[0]"
    std::string type;       // of the move: "b32"
    std::string name;       // the register: "%X_0"
    bool operator==(const AsmOperand&) const = default;
};

/// The statement, indented by four blanks; outputs stand ahead of the inputs.
[[nodiscard]] std::string asm_statement(const ptx::Function& function, const lower::KernelTrace& trace,
                                        const std::vector<AsmOperand>& operands, bool comments);

} // namespace tmemc::embed
