// What atom and red do to one element of memory, a row for each operation and type that PTX has. A row is a
// function from what is there and the operands to what will be there; bits go in and come out, whatever the
// type:
//
//     {"inc", "u32", 32, <there >= b ? 0 : there + 1>}
//
// Elements of 16 to 64 bits are changed by a compare-exchange of the host, so they are atomic also between
// CTAs that run on several of its threads, and with every other access. Those of 128 bits hold a lock: among
// themselves they are atomic, with plain accesses only half by half. Source: PTX ISA 9.7.13 (atom, red).
#pragma once

#include "emulator/opcodes.hpp"

#include <cstdint>
#include <string_view>

namespace tmemc::emulator {

struct AtomicRow {
    using Update = std::uint64_t (*)(std::uint64_t there, std::uint64_t b, std::uint64_t c);
    std::string_view operation, type; // "add", "f16x2"
    int bits = 0;                     // of an element
    OperandClass operands{};
    Update update = nullptr;
    Update update_shared = nullptr; // where shared memory has its own
    bool noftz = false;             // its name says so
    bool compares = false;          // it has a third operand
    bool reduces = true;            // red has it too
    int most_elements = 1;
    Needs needs{}, vector_needs{};
};
[[nodiscard]] std::size_t atomic_row_count();
/// Instruction::detail of an atom or red is the number of its row.
[[nodiscard]] const AtomicRow& atomic_row(std::size_t number);

} // namespace tmemc::emulator
