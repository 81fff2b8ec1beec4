// The types of ld and st, a row each with its load and store per width of the register: `ld.s16` into a .b32
// register extends the sign to 32 bits, into a .b64 register to 64, and `st.u8` keeps the lowest byte. Not
// here: addresses, vectors and state spaces (decode_memory.cpp).
#pragma once

#include "emulator/instruction.hpp"

#include <string_view>

namespace tmemc::emulator {

struct MemoryOperations {
    Operation load = nullptr, store = nullptr;
};
struct MemoryType {
    std::string_view name; // "s16"
    int bits = 0;
    MemoryOperations narrow, wide; // registers of up to 32 bits, and of 64 or 128
};
/// The row named `name`, or null.
[[nodiscard]] const MemoryType* memory_type_named(std::string_view name);

} // namespace tmemc::emulator
