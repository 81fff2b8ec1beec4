// Special registers: what the hardware knows of a thread, one row each. Most rows fill a slot before the
// first instruction of a CTA; a clock is read anew by each mov from it. A whole vector, %tid, is the rows of
// its four parts, of which .w is always 0. Source: PTX ISA chapter 10.
//
//     mov.u32 %r1, %tid.x;      the slot of row "%tid.x"
//     mov.u64 %d1, %clock64;    read_clock, which calls the row's function
//
// A cluster is one CTA here. Not here: who may read them (decode_special.cpp).
#pragma once

#include "emulator/opcodes.hpp"
#include "emulator/warp.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace tmemc::emulator {

struct SpecialRow {
    using Value = std::uint64_t (*)(const Warp&, std::uint32_t lane);
    std::string_view name; // "%tid.x"; of "%envreg7" without its number
    Value value = nullptr;
    int bits = 32;
    bool changes = false; // while the CTA runs
    Needs needs{};
};

[[nodiscard]] std::span<const SpecialRow> special_rows();
/// The index of the row of register `name`.
[[nodiscard]] std::optional<std::size_t> special_row(std::string_view name);

/// Fills the slot of a row that does not change.
void fill(Warp& warp, const Special& special);
/// mov from a clock; Instruction::detail is the row.
void read_clock(Warp& warp, const Instruction& instruction, Mask mask);

} // namespace tmemc::emulator
