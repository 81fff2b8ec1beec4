// Parameters by their PTX types.
#include "runtime/ptx_signature.hpp"

#include "ptx/read.hpp"
#include "runtime/spec.hpp"

#include <fmt/format.h>

namespace tmemc::runtime {
namespace {

/// The element type of a scalar parameter; none for 64 bits, which are pointers.
std::optional<base::Dtype> scalar_dtype(const ptx::Parameter& parameter) {
    return parameter.count ? std::nullopt : base::dtype_named(parameter.type);
}

const std::string* argument_of(const std::string& name,
                               const std::vector<std::pair<std::string, std::string>>& arguments) {
    for (const auto& [given, spec] : arguments)
        if (given == name) return &spec;
    return nullptr;
}

std::variant<Formal, std::string> formal_of(const ptx::Parameter& parameter, const std::string* spec) {
    Formal formal{parameter.name, base::Dtype::u32, {}, true, false};
    if (const std::optional<base::Dtype> dtype = scalar_dtype(parameter)) {
        formal.dtype = *dtype;
        return formal;
    }
    if (parameter.count || parameter.type.find("64") == std::string::npos)
        return fmt::format("parameter `{}` is neither a pointer nor a scalar of at most 32 bits",
                           parameter.name);
    if (spec == nullptr)
        return fmt::format("`{0}` is not given; write its values and type: {0}=zeros:f32[128,8]",
                           parameter.name);
    const auto parsed = parse_spec(*spec);
    if (const auto* sentence = std::get_if<std::string>(&parsed))
        return fmt::format("{}={}: {}", parameter.name, *spec, *sentence);
    const std::optional<TensorType>& type = std::get<Spec>(parsed).type;
    if (!type)
        return fmt::format("{0}={1}: PTX does not say what `{0}` points to; add the type: {0}={1}:f32[128,8]",
                           parameter.name, *spec);
    formal.dtype = type->dtype;
    formal.shape = type->shape;
    formal.out = true;
    return formal;
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

std::variant<Signature, std::string>
signature_of(const PtxKernel& kernel, const std::vector<std::pair<std::string, std::string>>& arguments) {
    Signature signature;
    signature.kernel = kernel.name;
    for (const ptx::Parameter& parameter : kernel.parameters) {
        auto formal = formal_of(parameter, argument_of(parameter.name, arguments));
        if (auto* sentence = std::get_if<std::string>(&formal)) return std::move(*sentence);
        signature.formals.push_back(std::get<Formal>(std::move(formal)));
    }
    return signature;
}

} // namespace tmemc::runtime
