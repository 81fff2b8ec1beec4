// The types of ld and st, a row each with its loads and stores: per space, and per width of the register.
#pragma once

#include "emulator/instruction.hpp"

#include <array>
#include <string_view>

namespace tmemc::emulator {

/// By Space.
struct MemoryOperations {
    std::array<Operation, 4> load{};
    std::array<Operation, 4> store{};
};
struct MemoryType {
    std::string_view name; // "s16"
    int bits = 0;
    MemoryOperations narrow, wide; // registers of up to 32 bits, and of 64
};
/// The row named `name`, or null.
[[nodiscard]] const MemoryType* memory_type_named(std::string_view name);

} // namespace tmemc::emulator
