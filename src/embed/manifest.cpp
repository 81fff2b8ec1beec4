// One function per kind of entry; the members stand in the order of the schema.
#include "embed/manifest.hpp"

#include "base/json.hpp"
#include "base/sha256.hpp"

namespace tmemc::embed {
namespace {

using base::Json;

Json file_entry(const std::string& contents) {
    return {{"bytes", contents.size()}, {"sha256", base::sha256(contents)}};
}

std::string_view runs_on(char suffix) {
    if (suffix == 'a') return "capability";
    return suffix == 'f' ? "family" : "major";
}

/// Of the kernels that need any.
Json scratch_entries(const Package& package, const Image& image) {
    Json entries = Json::array();
    for (std::size_t k = 0; k < image.scratch_bytes.size(); ++k)
        if (image.scratch_bytes[k] != 0)
            entries.push_back({{"kernel", package.kernels[k].name}, {"bytes", image.scratch_bytes[k]}});
    return entries;
}

Json target_entry(const Package& package, const Image& image) {
    const toolchain::Chip chip = chip_of(image);
    return {{"target", image.target},
            {"capability", {chip.capability / 10, chip.capability % 10}},
            {"runs_on", runs_on(chip.suffix)},
            {"tmem", image.software_tmem ? "software" : "hardware"},
            {"scratch", scratch_entries(package, image)},
            {"ptx", file_entry(image.ptx)},
            {"cubin", file_entry(image.cubin)}};
}

/// The name of the scalar that gives a number at launch, else the number.
Json extent(const Kernel& kernel, const std::optional<std::size_t>& from, std::int64_t number) {
    return from ? Json(std::get<sema::Scalar>(kernel.parameters[*from]).name) : Json(number);
}

std::string_view direction_name(sema::Direction direction) {
    if (direction == sema::Direction::in) return "in";
    return direction == sema::Direction::out ? "out" : "inout";
}

Json tensor_entry(const Kernel& kernel, const sema::Tensor& tensor) {
    Json shape = Json::array();
    for (std::size_t d = 0; d < tensor.extents.size(); ++d)
        shape.push_back(d == 0 ? extent(kernel, tensor.extent_from, tensor.extents[d])
                               : Json(tensor.extents[d]));
    return {{"name", tensor.name},
            {"kind", "tensor"},
            {"type", base::name(tensor.dtype)},
            {"bits", base::bits(tensor.dtype)},
            {"direction", direction_name(tensor.direction)},
            {"shape", std::move(shape)},
            {"layout",
             {{"order", "row-major"},
              {"pitch", extent(kernel, tensor.pitch_from, tensor.pitch)},
              {"align", tensor.align}}}};
}

Json scalar_entry(const sema::Scalar& scalar) {
    return {{"name", scalar.name},
            {"kind", "scalar"},
            {"type", base::name(scalar.dtype)},
            {"bits", base::bits(scalar.dtype)}};
}

Json parameter_entries(const Kernel& kernel) {
    Json entries = Json::array();
    std::uint64_t end = 0;
    for (const sema::Parameter& each : kernel.parameters) {
        const auto* tensor = std::get_if<sema::Tensor>(&each);
        const auto* scalar = std::get_if<sema::Scalar>(&each);
        Json entry = tensor ? tensor_entry(kernel, *tensor) : scalar_entry(*scalar);
        const std::uint64_t bytes = tensor ? 8 : static_cast<std::uint64_t>(base::bytes(scalar->dtype));
        end = (end + bytes - 1) / bytes * bytes; // each stands at a multiple of its size
        entry["offset"] = end;
        entry["bytes"] = bytes;
        end += bytes;
        entries.push_back(std::move(entry));
    }
    return entries;
}

Json kernel_entry(const Kernel& kernel) {
    return {{"name", kernel.name},
            {"grid", kernel.grid},
            {"block", {kernel.threads, 1, 1}},
            {"shared_bytes", kernel.shared_bytes},
            {"tmem_columns", kernel.columns},
            {"parameters", parameter_entries(kernel)}};
}

} // namespace

std::string manifest(const Package& package) {
    Json targets = Json::array(), kernels = Json::array();
    for (const Image& image : package.images) targets.push_back(target_entry(package, image));
    for (const Kernel& kernel : package.kernels) kernels.push_back(kernel_entry(kernel));
    return base::to_text({{"schema", 1},
                          {"compiler", "tmemc " TMEMC_VERSION},
                          {"source", package.source},
                          {"targets", std::move(targets)},
                          {"kernels", std::move(kernels)}});
}

} // namespace tmemc::embed
