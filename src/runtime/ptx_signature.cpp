// Parameters by their PTX types.
#include "runtime/ptx_signature.hpp"

#include "base/near.hpp"
#include "ptx/read.hpp"
#include "runtime/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tmemc::runtime {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

const std::string* argument_of(const std::string& name, const Arguments& arguments) {
    for (const auto& [given, spec] : arguments)
        if (given == name) return &spec;
    return nullptr;
}

/// "alpha=2.5: ...", the argument in front of what is wrong with it.
std::string about(const ptx::Parameter& parameter, const std::string& spec, const std::string& what) {
    return fmt::format("{}={}: {}", parameter.name, spec, what);
}

/// A 64-bit integer may be a pointer: then a type stands behind the values, and a number alone is its value.
std::variant<Formal, std::string> pointer_or_integer(const ptx::Parameter& parameter, const std::string& text,
                                                     const FileReader& read_file) {
    const auto parsed = parse_spec(text);
    if (const auto* sentence = std::get_if<std::string>(&parsed)) return about(parameter, text, *sentence);
    const Spec& spec = std::get<Spec>(parsed);
    if (spec.type) return Formal{parameter.name, spec.type->dtype, spec.type->shape, true, true};
    if (const auto* file = std::get_if<NpyPath>(&spec.values)) {
        const auto type = type_of_npy(file->path, read_file);
        if (const auto* sentence = std::get_if<std::string>(&type)) return about(parameter, text, *sentence);
        const auto& found = std::get<TensorType>(type);
        return Formal{parameter.name, found.dtype, found.shape, true, true};
    }
    const auto* generator = std::get_if<Generator>(&spec.values);
    if (generator != nullptr && generator->kind == Generator::Kind::full)
        return Formal{parameter.name, base::Dtype::b32, {2}, true, false, 0, Wide::integer};
    return about(parameter, text,
                 fmt::format("PTX does not say what `{0}` points to; add the type: {0}={1}:f32[128,8]",
                             parameter.name, text));
}

std::variant<Formal, std::string> structure_of(const ptx::Parameter& parameter, const std::string* spec) {
    std::int64_t bits = 0;
    std::from_chars(parameter.type.data() + 1, parameter.type.data() + parameter.type.size(), bits);
    const std::int64_t bytes = bits / 8 * static_cast<std::int64_t>(*parameter.count);
    if (spec == nullptr)
        return fmt::format("`{0}` is a structure of {1} bytes and not given; write {0}=hex:0011... or "
                           "{0}=@FILE.npy",
                           parameter.name, bytes);
    return Formal{parameter.name, base::Dtype::u8, {bytes}, true, false, 0, Wide::bytes};
}

/// True of a number that is no integer, such as 2.5 or 2.0.
bool has_fraction(const std::string& text) {
    const auto parsed = parse_spec(text);
    const auto* const spec = std::get_if<Spec>(&parsed);
    const auto* const generator = spec == nullptr ? nullptr : std::get_if<Generator>(&spec->values);
    return generator != nullptr && std::holds_alternative<double>(generator->value);
}

std::variant<Formal, std::string> formal_of(const ptx::Parameter& parameter, const std::string* spec,
                                            const FileReader& read_file) {
    if (parameter.count) return structure_of(parameter, spec);
    const bool integer = parameter.type == "u64" || parameter.type == "s64" || parameter.type == "b64";
    const std::optional<base::Dtype> dtype = base::dtype_named(parameter.type);
    if (!integer && !dtype && parameter.type != "f64")
        return fmt::format("parameter `{}` is of type .{}, which no argument gives", parameter.name,
                           parameter.type);
    if (spec == nullptr && integer)
        return fmt::format(
            "`{0}` is not given; write its values and type: {0}=zeros:f32[128,8] (or {0}=1, if it "
            "is no pointer)",
            parameter.name);
    if (spec == nullptr)
        return fmt::format("`{0}` ({1}) is not given; write {0}=1", parameter.name, parameter.type);
    if (integer) return pointer_or_integer(parameter, *spec, read_file);
    if (!dtype) return Formal{parameter.name, base::Dtype::b32, {2}, true, false, 0, Wide::floating};
    if (*dtype == base::Dtype::b32 && has_fraction(*spec))
        return Formal{parameter.name, base::Dtype::f32, {}, true, false};
    return Formal{parameter.name, *dtype, {}, true, false};
}

/// The first argument that names no parameter.
std::optional<std::string> stranger(const PtxKernel& kernel, const Arguments& arguments) {
    std::vector<std::string> names;
    for (const ptx::Parameter& parameter : kernel.parameters) names.push_back(parameter.name);
    for (const auto& [name, spec] : arguments) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        const std::string near = base::nearest(name, names);
        return fmt::format("kernel `{}` has no parameter `{}`{}", kernel.name, name,
                           !near.empty()   ? fmt::format("; did you mean `{}`?", near)
                           : names.empty() ? ""
                                           : fmt::format("; there is {}", fmt::join(names, ", ")));
    }
    return std::nullopt;
}

} // namespace

PtxKernels kernels_of(const base::Source& ptx) {
    ptx::ReadResult read = ptx::read(ptx);
    PtxKernels result;
    for (const ptx::Function& function : read.module.functions)
        if (function.entry)
            result.kernels.push_back({function.name, function.parameters, function.required_threads});
    result.diagnostics = std::move(read.diagnostics);
    return result;
}

std::vector<PtxKernel> kernels_of(const toolchain::Cubin& cubin) {
    std::vector<PtxKernel> kernels;
    for (const toolchain::CubinKernel& each : cubin.kernels) {
        if (!each.entry) continue;
        PtxKernel kernel{each.name, {}, each.required_threads};
        for (std::size_t p = 0; p < each.parameters.size(); ++p) {
            const std::uint64_t bytes = each.parameters[p].bytes;
            const bool number = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
            ptx::Parameter parameter{number ? fmt::format("b{}", 8 * bytes) : "b8", fmt::format("p{}", p)};
            if (!number) parameter.count = bytes;
            kernel.parameters.push_back(std::move(parameter));
        }
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

std::variant<Signature, std::string>
signature_of(const PtxKernel& kernel, const std::vector<std::pair<std::string, std::string>>& arguments,
             const FileReader& read_file) {
    if (auto sentence = stranger(kernel, arguments)) return std::move(*sentence);
    Signature signature;
    signature.kernel = kernel.name;
    for (const ptx::Parameter& parameter : kernel.parameters) {
        auto formal = formal_of(parameter, argument_of(parameter.name, arguments), read_file);
        if (auto* sentence = std::get_if<std::string>(&formal)) return std::move(*sentence);
        signature.formals.push_back(std::get<Formal>(std::move(formal)));
    }
    return signature;
}

} // namespace tmemc::runtime
