// Extents and pitches from scalars, and what a tensor cannot be.
#include "runtime/sizes.hpp"

#include "base/tensor_limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::runtime {

namespace {

std::optional<std::string> impossible(const Formal& formal) {
    const std::int64_t columns = formal.shape.back();
    if (formal.shape.front() > base::max_tensor_extent)
        return fmt::format("`{}` cannot have {} rows: there are at most {}", formal.name,
                           formal.shape.front(), base::max_tensor_extent);
    if (formal.pitch_from && formal.pitch < columns)
        return fmt::format("a pitch of {} is less than the {} columns of `{}`", formal.pitch, columns,
                           formal.name);
    const std::int64_t rows = formal.shape.size() == 1 ? 1 : formal.shape.front();
    const std::int64_t row_bytes = std::max(formal.pitch, columns) * base::bytes(formal.dtype);
    if (rows > 0 && row_bytes > base::max_tensor_bytes / rows)
        return fmt::format("`{}` would take more than 2^40 bytes", formal.name);
    return std::nullopt;
}

} // namespace

std::optional<std::string> give_sizes(Signature& signature, const std::map<std::string, Array>& values) {
    const auto value = [&](std::size_t formal) -> std::optional<std::int64_t> {
        const auto found = values.find(signature.formals.at(formal).name);
        if (found == values.end()) return std::nullopt;
        return found->second.get(0);
    };
    for (Formal& formal : signature.formals) {
        if (formal.extent_from) formal.shape.front() = value(*formal.extent_from).value_or(0);
        if (formal.pitch_from) formal.pitch = value(*formal.pitch_from).value_or(formal.shape.back());
        if (!formal.extent_from && !formal.pitch_from) continue;
        if (auto sentence = impossible(formal)) return sentence;
    }
    return std::nullopt;
}

} // namespace tmemc::runtime
