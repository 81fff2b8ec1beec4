// Names to numbers, and the three rules.
#include "toolchain/chip.hpp"

#include <fmt/core.h>

#include <charconv>

namespace tmemc::toolchain {

std::optional<Chip> chip_named(std::string_view name) {
    if (name.substr(0, 3) != "sm_") return std::nullopt;
    Chip chip;
    const char* const end = name.data() + name.size();
    const auto [stop, problem] = std::from_chars(name.data() + 3, end, chip.capability);
    if (problem != std::errc{} || end - stop > 1) return std::nullopt;
    if (stop != end) chip.suffix = *stop;
    if (chip.suffix != 0 && chip.suffix != 'a' && chip.suffix != 'f') return std::nullopt;
    return chip;
}

std::string to_string(const Chip& chip) {
    return fmt::format("sm_{}{}", chip.capability,
                       chip.suffix == 0 ? std::string() : std::string(1, chip.suffix));
}

std::string capability_text(int capability) { return fmt::format("{}.{}", capability / 10, capability % 10); }

bool machine_code_runs(const Chip& code, int capability) {
    if (code.suffix == 'a') return code.capability == capability;
    return code.capability / 10 == capability / 10 && code.capability <= capability;
}

bool ptx_runs(const Chip& text, int capability) {
    if (text.suffix != 0) return machine_code_runs(text, capability);
    return text.capability <= capability;
}

Chip assembled_for(const Chip& text, int capability) { return {capability, text.suffix}; }

} // namespace tmemc::toolchain
