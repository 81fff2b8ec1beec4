// The rows of targets.def as values.
#include "ptx/targets.hpp"

#include <array>

namespace tmemc::ptx {

namespace {
constexpr auto rows = std::to_array<TargetRow>({
#define TMEMC_TARGET(name, capability, major, minor, tensor_memory, load_reduce)                             \
    {name, capability, Version{major, minor}, tensor_memory, load_reduce},
#include "ptx/targets.def"
#undef TMEMC_TARGET
});
} // namespace

std::span<const TargetRow> target_rows() { return rows; }

const TargetRow* target(std::string_view name) {
    for (const TargetRow& row : rows)
        if (row.name == name) return &row;
    return nullptr;
}

std::vector<std::string> target_names(bool only_with_tensor_memory) {
    std::vector<std::string> names;
    names.reserve(rows.size());
    for (const TargetRow& row : rows)
        if (row.tensor_memory || !only_with_tensor_memory) names.emplace_back(row.name);
    return names;
}

} // namespace tmemc::ptx
