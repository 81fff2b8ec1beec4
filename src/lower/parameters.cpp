// Parameters in declaration order: a tensor is a 64-bit pointer, a scalar stands by value in its own type.
// Those of a function are declared as nvcc declares what it calls, or nvlink takes the two for different
// functions: in bits, 32 at least (`float` is `.b32`).
#include "lower/parameters.hpp"

#include <algorithm>
#include <string>

namespace tmemc::lower {
namespace {

std::string type_of(base::Dtype dtype) {
    using base::DtypeClass;
    const base::DtypeRow& row = base::row(dtype);
    const auto letter = [&] {
        switch (row.kind) {
        case DtypeClass::unsigned_integer: return 'u';
        case DtypeClass::signed_integer: return 's';
        case DtypeClass::floating: return dtype == base::Dtype::f32 ? 'f' : 'b';
        case DtypeClass::raw_bits: break;
        }
        return 'b';
    };
    return letter() + std::to_string(row.bits);
}

void check_name(const std::string& name, base::Span span, base::Diagnostics& diagnostics) {
    if (name == "_" ||
        name == "WARP_SZ") // the sink and the one named constant (PTX ISA 4.5.2): ptxas takes all others
        diagnostics.report(base::catalogue::ptx_keeps_name, span, name)
            .help("give it another name: `" + name + "_1`");
}

} // namespace

std::vector<ptx::Parameter> parameters(const sema::Kernel& kernel, bool staging) {
    std::vector<ptx::Parameter> list;
    for (const sema::Parameter& each : kernel.parameters) {
        if (const auto* tensor = std::get_if<sema::Tensor>(&each))
            list.push_back({kernel.function ? "b64" : "u64", tensor->name, 0, std::nullopt});
        if (const auto* scalar = std::get_if<sema::Scalar>(&each))
            list.push_back({kernel.function ? "b32" : type_of(scalar->dtype), scalar->name, 0, std::nullopt});
        if (const auto* tmem = std::get_if<sema::TmemParameter>(&each))
            list.push_back({"b32", tmem->name, 0, std::nullopt});
    }
    if (staging) list.push_back({"b32", staging_parameter(kernel), 0, std::nullopt});
    return list;
}

std::string staging_parameter(const sema::Kernel& kernel) {
    std::string name = "staging";
    const auto taken = [&](const sema::Parameter& each) {
        return std::visit([&](const auto& parameter) { return parameter.name == name; }, each);
    };
    while (std::any_of(kernel.parameters.begin(), kernel.parameters.end(), taken)) name += '_';
    return name;
}

void check_names(const sema::Kernel& kernel, base::Diagnostics& diagnostics) {
    check_name(kernel.name, kernel.span, diagnostics);
    for (const sema::Parameter& each : kernel.parameters)
        std::visit([&](const auto& parameter) { check_name(parameter.name, parameter.span, diagnostics); },
                   each);
}

} // namespace tmemc::lower
