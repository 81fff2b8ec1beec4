// The guard, the includes, two private macros, and the functions.
#include "embed/cuda.hpp"

#include "embed/cuda_function.hpp"
#include "lower/staging.hpp"
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
// FUNCTION_supported is false where the code is made for a target that lacks what the function needs, tensor memory say, and
// in every pass for the host; a call there traps. Tensor memory of one call must not overlap, and what is unpacked begins on
// an even column. A kernel gives its threads FUNCTION_min_registers or more, or ptxas stops: 512 threads leave 128, and
// --max-message=64 makes do with 82. A function whose FUNCTION_shared_bytes is not 0 takes as many bytes of shared memory,
// aligned to {}, as its last parameter. Functions of this header may use one memory in turn; each warpgroup needs its own, and
// whatever else uses it, functions of another header too, must be kept apart by a barrier of the warpgroup.
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

/// Whether the function holds nothing that the target lacks.
bool takes(const ptx::TargetRow& target, const ptx::Function& function) {
    return std::all_of(function.body.begin(), function.body.end(), [&](const ptx::Statement& each) {
        const auto* instruction = std::get_if<ptx::Instruction>(&each);
        const ptx::OpcodeRow* row = instruction != nullptr ? ptx::opcode(instruction->name) : nullptr;
        return row == nullptr || ptx::has(target, row->feature);
    });
}

/// True while nvcc compiles for a target that takes the function. What a plain target takes later ones do
/// too, and no other target need be named.
std::string supported(const ptx::Function& function) {
    std::vector<std::string> conditions;
    for (const ptx::TargetRow& target : ptx::target_rows()) {
        if (!takes(target, function)) continue;
        const char suffix = target.name.back();
        if (suffix != 'a' && suffix != 'f')
            return fmt::format("defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= {}0", target.capability);
        conditions.push_back(
            suffix == 'f'
                ? fmt::format(
                      "(defined(__CUDA_ARCH_FAMILY_SPECIFIC__) && __CUDA_ARCH_FAMILY_SPECIFIC__ == {}0)",
                      target.capability)
                : fmt::format("defined(__CUDA_ARCH_FEAT_SM{}_ALL)", target.capability));
    }
    return fmt::format("{}", fmt::join(conditions, " || \\\n    "));
}

/// The functions' texts, and what each needs of the target: a private macro for each condition.
struct Functions {
    std::vector<std::string> conditions; // of SUPPORTED_0, SUPPORTED_1, ...
    std::string text;
};

Functions functions(const CudaInput& input, std::string_view macro_prefix) {
    // Functions first: what is derived from their names gives way.
    std::vector<std::string> taken{"memcpy"}, names; // which overloads call
    for (const sema::Kernel& kernel : input.program.kernels)
        if (kernel.function)
            names.push_back(taken.emplace_back(free_name(input.names.prefix + kernel.name, taken)));
    Functions made;
    std::size_t next = 0;
    for (std::size_t k = 0; k < input.program.kernels.size(); ++k) {
        const sema::Kernel& kernel = input.program.kernels[k];
        if (!kernel.function) continue;
        const lower::KernelTrace& trace = input.trace.kernels.at(k);
        const ptx::Function& function = input.module.functions.at(trace.function);
        std::vector<std::string>& known = made.conditions;
        const std::string condition = supported(function);
        const auto at = std::find(known.begin(), known.end(), condition) - known.begin();
        if (static_cast<std::size_t>(at) == known.size()) known.push_back(condition);
        made.text += "\n" + cuda_function({kernel, function, trace, names[next++],
                                           input.names.prefix + kernel.name, std::string(macro_prefix),
                                           fmt::format("{}SUPPORTED_{}", macro_prefix, at), input.comments},
                                          taken);
    }
    return made;
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

    std::string text = fmt::format("// Written by tmemc from {}: functions for kernels in CUDA C++17.\n//\n",
                                   in_comment(input.source)) +
                       fmt::format(introduction, lower::part_alignment);
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
    const Functions made = functions(input, macros);
    std::string undone = fmt::format("#undef {}\n", macro("PLACE"));
    for (std::size_t i = 0; i < made.conditions.size(); ++i) {
        const std::string name = macro(fmt::format("SUPPORTED_{}", i));
        text +=
            fmt::format("#if {1}\n#define {0} 1\n#else\n#define {0} 0\n#endif\n", name, made.conditions[i]);
        undone += fmt::format("#undef {}\n", name);
    }
    if (!input.names.name_space.empty()) text += fmt::format("\nnamespace {} {{\n", input.names.name_space);
    text += made.text;
    if (!input.names.name_space.empty())
        text += fmt::format("\n}} // namespace {}\n", input.names.name_space);
    text += fmt::format("\n{}#endif\n", undone);
    return replaced(text, macros, fmt::format("TMEMC_{:08X}_", hash(text)));
}

} // namespace tmemc::embed
