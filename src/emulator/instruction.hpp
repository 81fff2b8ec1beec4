// The decoded form of a kernel: what load() makes of the text once and run() executes many times. Names are
// gone: a register is a *slot*, a row of 32 words (one per lane) in its warp's register file; a 64-bit
// register is two neighbouring slots; a predicate is the first word of its slot, a bit per lane. Constants
// and special registers such as %tid.x are slots too, filled before the first instruction, so an operation
// only ever sees slots:
//
//     add.u32 %r1, %tid.x, 4;     ->  {add<u32>, out = slot of %r1, in = {slot of %tid.x, slot of the
//     constant 4}}
//
// A slot that an instruction does not use points to `truth`, which is always ready to be read; so the check
// that every source was written is the same few instructions for all of them.
#pragma once

#include "base/source.hpp"
#include "emulator/async_copies.hpp"
#include "emulator/conversion.hpp"
#include "emulator/image.hpp"
#include "emulator/machine.hpp"
#include "emulator/message.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::emulator {

using Mask = std::uint32_t; // a bit per lane of a warp
using Slot = std::uint32_t;
inline constexpr int warp_size = 32;
inline constexpr Mask all_lanes = 0xffffffff;

struct alignas(128) Row { // of the register file
    std::array<std::uint32_t, warp_size> word;
};

inline constexpr Slot nowhere = 0; // two slots that take what nobody wants
inline constexpr Slot truth = 2;   // all ones: the guard of an unguarded instruction
inline constexpr Slot first_slot = 3;

struct Warp;
struct Instruction;
/// Executes one instruction in the lanes of the mask, which is not empty.
using Operation = void (*)(Warp&, const Instruction&, Mask);

/// Of a .sync with a mask: a lane waits for those that its in[3] names, at this instruction or, as nothing is
/// passed between them, at one like it.
enum class Members : std::uint8_t { none, here, anywhere };
/// How an access to memory orders others, by its words; a plain one is weak and may not race.
struct MemoryOrder {
    bool strong = false; // .volatile, .relaxed and up, and all atomics
    bool acquires = false, releases = false;
};

/// What the slots of the vector operand are for.
enum class VectorRole : std::uint8_t { none, source, destination };

struct Instruction {
    Operation operation = nullptr;
    Slot out = nowhere;
    std::array<Slot, 4> in{truth, truth, truth, truth};
    Slot guard = truth;
    Mask guard_flip = 0;      // executes where guard ^ guard_flip
    std::uint32_t vector = 0; // first of its slots in Kernel::vectors
    std::uint16_t vector_count = 0;
    VectorRole vector_role = VectorRole::none;
    bool collective = false; // .aligned: the whole warp together, or a fault
    Members members = Members::none;
    bool wide_address = false;    // in[0] is a 64-bit address, not a 32-bit one
    Space space = Space::generic; // of that address
    MemoryOrder order;            // of an access to memory
    bool ordered = false;     // acquire, release and stronger: for CTAs that other threads of the host run
    bool moves = false;       // of what was never written makes what was never written: `.param` of a call
    bool sinks = false;       // some elements of the vector are `nowhere` and are not accessed
    std::uint32_t detail = 0; // a branch target, a message, the bytes of a global store: the operation knows
    std::int64_t immediate = 0; // an address offset
};

/// A slot that holds the same bits in every lane.
struct Constant {
    Slot slot = 0;
    std::uint64_t bits = 0;
    bool wide = false;
};
/// A slot that the hardware fills: an index into special_rows().
struct Special {
    Slot slot = 0;
    std::size_t row = 0;
};
struct NamedSlot {
    std::string name;
    Slot slot = 0;
    int bits = 0; // 1: a predicate
};

/// A function that the kernel calls, perhaps by way of others.
struct Callee {
    struct Address { // a slot that holds frame + offset
        Slot slot = 0;
        std::uint32_t offset = 0;
    };
    std::string name;
    std::uint32_t entry = 0;       // its first instruction
    std::uint32_t frame_bytes = 0; // of local memory
    bool recursive = false;
    std::vector<NamedSlot> registers;
    std::vector<Address> addresses;
};
/// Bytes from one frame to another.
struct Copy {
    std::uint32_t from = 0, to = 0, bytes = 0;
};
struct Call {
    std::uint32_t callee = 0;      // in Kernel::callees
    std::uint32_t frame_bytes = 0; // of the caller
    std::vector<Copy> arguments, results;
};
inline constexpr std::uint32_t no_statement = 0xffffffff;

struct Kernel {
    KernelSignature signature;
    std::vector<Instruction> code;          // functions first, the kernel last
    std::vector<std::uint32_t> statement;   // of a body, for each instruction of code but the last
    std::vector<std::uint32_t> function_of; // whose body that is: its number in the module
    std::uint32_t entry = 0;                // the kernel's first instruction
    std::vector<Callee> callees;
    std::vector<Call> calls;            // by Instruction::detail
    std::vector<std::uint32_t> targets; // of brx.idx: from Instruction::detail on
    std::uint64_t local_bytes = 0;      // of the kernel's own frame
    std::vector<std::byte> constant_image;
    std::vector<Slot> vectors;
    std::vector<Message> messages;       // of the tcgen05.ld and st, by Instruction::detail
    std::vector<Conversion> conversions; // of the cvt that need them, likewise
    std::vector<CopyForm> copies;        // of the cp.async, likewise
    std::vector<Constant> constants;
    std::vector<Special> specials;
    std::vector<NamedSlot> names;                // the registers that the code uses
    Slot slots = first_slot;                     // size of the register file
    std::uint32_t shared_bytes = 0;              // what the launch adds comes behind them
    std::map<std::string, std::uint64_t> shared; // addresses of variables
    std::uint32_t cta_groups = 0; // bit 0: an instruction says cta_group::1; bit 1: one says cta_group::2
    std::size_t function = 0;     // in the module
};

struct Executable {
    base::Source source;
    std::vector<std::vector<std::uint32_t>> lines; // of each body statement of each function
    std::vector<std::vector<base::Span>> spans;    // the same
    std::vector<Kernel> kernels;
    ModuleImage image;
    std::vector<ptx::File> files; // that .loc names by number
    /// Of each function: statements of its body that are a .loc.
    std::vector<std::vector<std::pair<std::uint32_t, ptx::Location>>> locations;
};

} // namespace tmemc::emulator
