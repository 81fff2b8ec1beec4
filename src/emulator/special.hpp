// Special registers: what the hardware knows of a thread, one row each. A row fills a slot before the first
// instruction of a CTA. Source: PTX ISA chapter 10.
#pragma once

#include "emulator/warp.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace tmemc::emulator {

struct SpecialRow {
    std::string_view name; // "%tid.x"
    std::uint32_t (*value)(const Warp&, std::uint32_t lane) = nullptr;
};

[[nodiscard]] std::span<const SpecialRow> special_rows();
/// The index of the row named `name`.
[[nodiscard]] std::optional<std::size_t> special_row(std::string_view name);

} // namespace tmemc::emulator
