// The variables of a module: where .global and .const ones lie and what they hold before the first kernel.
// The addresses are the same for every launch, so that they are constants of the code; run() maps the bytes
// of the .global ones into the memory that it is given, unless an earlier launch has, so that what a kernel
// leaves in them stays.
//
//     .global .align 4 .b32 primes[2] = {2, 3};       at the first address: 02 00 00 00 03 00 00 00
//
// A .global variable is an allocation of its own, with a gap behind it: an access beyond its end is found.
// The .const ones lie behind each other, from 0 on. What has no initial value is zero. A function has an
// address too, where no memory lies, so that a table of functions is there for the kernels that do not call
// by it. Source: PTX ISA 5.4.4 (initialisers), 5.1 (spaces). Not here: .shared and .local variables, which
// decoding lays out (decode.hpp).
#pragma once

#include "base/diagnostics.hpp"
#include "ptx/read.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tmemc::emulator {

/// The memory that a variable or an access names. What is read-only to the program is constant and parameter.
enum class Space : std::uint8_t { generic, global, shared, parameter, constant, local };

/// Bits of a type's name: "b32" 32, "pred" 1, "f32x2" 64; 0 of what is no type.
[[nodiscard]] int type_bits(std::string_view type);
/// Whether variables are declared with it, and registers but for predicates; "bf16x2" and "e4m3" are of
/// instructions only. PTX ISA 5.2.1, and what ptxas 13.0 says.
[[nodiscard]] bool is_declared(std::string_view type);
/// Bytes of one element in memory.
[[nodiscard]] std::uint64_t type_bytes(std::string_view type);
[[nodiscard]] std::uint64_t align_up(std::uint64_t value, std::uint64_t align);
/// Of a whole variable; 0 of an array without an extent and values.
[[nodiscard]] std::uint64_t bytes_of(const ptx::Variable& variable);

struct ModuleVariable {
    Space space = Space::global;
    std::uint64_t address = 0;
    std::vector<std::byte> bytes; // before the first kernel
    std::string unknown;          // why no kernel can use it; empty: it can
};

struct ModuleImage {
    std::map<std::string, ModuleVariable> variables; // .global and .const, those that have a definition here
    std::map<std::string, std::size_t> functions;    // with a body, also by their aliases
    std::map<std::string, std::uint64_t> code;       // addresses of all functions
    std::vector<std::byte> constants;                // of all .const variables
};

/// `diagnostics` gets what cannot be initialised so.
[[nodiscard]] ModuleImage module_image(const ptx::ReadResult& read, base::Diagnostics& diagnostics);

} // namespace tmemc::emulator
