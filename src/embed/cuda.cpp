// The guard, the includes, two private macros, and the functions.
#include "embed/cuda.hpp"

#include "embed/cuda_function.hpp"
#include "ptx/opcodes.hpp"
#include "ptx/targets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::embed {
namespace {

constexpr std::string_view introduction =
    R"(// A function is called by all 128 threads of a warpgroup: four warps, the first a multiple of four, in a block whose
// x extent is a multiple of 128. Tensor memory is the address of its lane 0 and first column; whoever wrote it has waited
// and, across warps, passed a barrier. What a thread holds is told by its number, threadIdx.x or what is left of it in its
// warpgroup, and i, the element's number in the fragment: FUNCTION_FRAGMENT_row(thread, i) and FUNCTION_FRAGMENT_col.
// FUNCTION_supported is false where the code is made for a target without tensor memory; there a call traps. A function whose
// FUNCTION_shared_bytes is not 0 takes as many bytes of shared memory, aligned to 128, as its last parameter. Functions of this
// header may use one memory in turn; each warpgroup needs its own, and whatever else uses it, functions of another header
// too, must be kept apart by a barrier of the warpgroup.
)";

std::uint32_t hash(std::string_view text) { // FNV-1a
    std::uint32_t value = 0x811c9dc5U;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x01000193U;
    return value;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

/// Whether the functions hold nothing that the target lacks.
bool takes(const ptx::TargetRow& target, const ptx::Module& module) {
    for (const ptx::Function& function : module.functions) {
        if (function.entry) continue;
        for (const ptx::Statement& each : function.body)
            if (const auto* instruction = std::get_if<ptx::Instruction>(&each))
                if (const ptx::OpcodeRow* row = ptx::opcode(instruction->name);
                    row && !ptx::has(target, row->feature))
                    return false;
    }
    return true;
}

/// True while nvcc compiles for such a target.
std::string supported(const ptx::Module& module) {
    std::vector<std::string> conditions;
    for (const ptx::TargetRow& target : ptx::target_rows()) {
        if (!target.tensor_memory || !takes(target, module)) continue;
        const bool family = target.name.back() == 'f';
        conditions.push_back(
            family ? fmt::format(
                         "(defined(__CUDA_ARCH_FAMILY_SPECIFIC__) && __CUDA_ARCH_FAMILY_SPECIFIC__ == {}0)",
                         target.capability)
                   : fmt::format("defined(__CUDA_ARCH_FEAT_SM{}_ALL)", target.capability));
    }
    return fmt::format("{}", fmt::join(conditions, " || \\\n    "));
}

std::string functions(const CudaInput& input, std::string_view macro_prefix) {
    // Functions first: what is derived from their names gives way.
    std::vector<std::string> taken{"memcpy"}, names; // which overloads call
    for (const sema::Kernel& kernel : input.program.kernels)
        if (kernel.function)
            names.push_back(taken.emplace_back(free_name(input.names.prefix + kernel.name, taken)));
    std::string text;
    std::size_t next = 0;
    for (std::size_t k = 0; k < input.program.kernels.size(); ++k) {
        const sema::Kernel& kernel = input.program.kernels[k];
        if (!kernel.function) continue;
        const lower::KernelTrace& trace = input.trace.kernels.at(k);
        text += "\n" +
                cuda_function({kernel, input.module.functions.at(trace.function), trace, names[next++],
                               input.names.prefix + kernel.name, std::string(macro_prefix), input.comments},
                              taken);
    }
    return text;
}

} // namespace

bool has_functions(const sema::Program& program) {
    return std::any_of(program.kernels.begin(), program.kernels.end(),
                       [](const sema::Kernel& each) { return each.function; });
}

std::string cuda_header(const CudaInput& input) {
    constexpr std::string_view macros = "TMEMC_@_"; // until the contents are known
    std::set<std::string> includes;
    for (const sema::Kernel& each : input.program.kernels)
        if (each.function) includes.merge(cuda_includes(each));
    const auto macro = [&](std::string_view name) { return std::string(macros) + std::string(name); };

    std::string text =
        fmt::format("// Written by tmemc from {}: functions for kernels in CUDA C++17.\n//\n{}", input.source,
                    introduction);
    text +=
        fmt::format("#ifndef {0}\n#define {0}\n\n#include <stdint.h>\n#include <string.h>\n", macro("CUH"));
    if (!includes.empty()) {
        text += "#if defined(__CUDACC__)\n";
        for (const std::string& each : includes) text += fmt::format("#include <{}>\n", each);
        text += "#endif\n";
    }
    text += fmt::format(
        "\n#if defined(__CUDACC__)\n#define {0} __host__ __device__\n#else\n#define {0}\n#endif\n",
        macro("PLACE"));
    text += fmt::format("#if {1}\n#define {0} 1\n#else\n#define {0} 0\n#endif\n", macro("SUPPORTED"),
                        supported(input.module));
    if (!input.names.name_space.empty()) text += fmt::format("\nnamespace {} {{\n", input.names.name_space);
    text += functions(input, macros);
    if (!input.names.name_space.empty())
        text += fmt::format("\n}} // namespace {}\n", input.names.name_space);
    text += fmt::format("\n#undef {}\n#undef {}\n#endif\n", macro("PLACE"), macro("SUPPORTED"));
    return replaced(text, macros, fmt::format("TMEMC_{:08X}_", hash(text)));
}

} // namespace tmemc::embed
