// Sizes that come with a launch stand as 0 beside the name of their scalar, as sema has them.
#include "api/parameters.hpp"

namespace tmemc::api {
namespace {

std::string name_of(const embed::Kernel& kernel, const std::optional<std::size_t>& scalar) {
    return scalar ? std::get<sema::Scalar>(kernel.parameters[*scalar]).name : std::string();
}

template <class Typed>
Parameter typed(const Typed& parameter) {
    Parameter made;
    made.name = parameter.name;
    made.type = base::name(parameter.dtype);
    made.bits = static_cast<std::uint32_t>(base::bits(parameter.dtype));
    return made;
}

Parameter tensor(const embed::Kernel& kernel, const sema::Tensor& parameter) {
    constexpr const char* directions[] = {"in", "out", "inout"};
    Parameter made = typed(parameter);
    made.tensor = true;
    made.direction = directions[static_cast<std::size_t>(parameter.direction)];
    made.shape.assign(parameter.extents.begin(), parameter.extents.end());
    made.pitch = static_cast<std::uint64_t>(parameter.pitch);
    made.align = static_cast<std::uint64_t>(parameter.align);
    made.extent_from = name_of(kernel, parameter.extent_from);
    made.pitch_from = name_of(kernel, parameter.pitch_from);
    return made;
}

} // namespace

std::vector<Parameter> parameters_of(const embed::Kernel& kernel) {
    std::vector<Parameter> all;
    all.reserve(kernel.parameters.size());
    for (const sema::Parameter& each : kernel.parameters) {
        const auto* const scalar = std::get_if<sema::Scalar>(&each);
        all.push_back(scalar != nullptr ? typed(*scalar) : tensor(kernel, std::get<sema::Tensor>(each)));
    }
    return all;
}

} // namespace tmemc::api
