// Which loads or stores do a global copy, and how wide. Every element of the region has a byte in the tensor
// and a slot in a thread; the address of a slot is affine in the bits of the thread (thread_form.hpp), so one
// pointer and a constant reach it. Whole registers that lie side by side in memory become one access of 4, 8,
// 16 or 32 bytes, as wide as the target and the alignment of everything in its address allow; elements that
// share a register and not a word of memory move alone. A row of 64 f16 per thread, say, is 32 registers and
// so four accesses of 32 bytes at offsets 0, 32, 64, 96. Plain data from plain data; not here: PTX
// (copies.hpp).
#pragma once

#include "lower/thread_form.hpp"
#include "sema/program.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tmemc::lower {

/// One access of a thread: whole registers in memory order, or the one element that starts at `bit` of a
/// register.
struct Access {
    ThreadSet threads;       // that do it
    std::int64_t offset = 0; // bytes, on top of what the thread number contributes
    int bytes = 4;
    std::vector<int> registers;
    int bit = 0;
    bool fills_register = true; // a lone element: its register has the same threads' elements in every slot
    bool operator==(const Access&) const = default;
};

/// A slot of a register with its place in memory, on top of what the thread number contributes.
struct Piece {
    ThreadSet threads;
    std::int64_t offset = 0; // bytes
    int reg = 0, bit = 0;
};
/// Elements of `bytes` bytes, ascending by register and bit, gathered into accesses; what the thread number
/// contributes is a multiple of `alignment`, a power of two and the widest access.
[[nodiscard]] std::vector<Access> gather(const std::vector<Piece>& pieces, int bytes, int alignment);

/// Accesses whose addresses share a formula: bits[i] bytes for every set bit i of the thread number.
struct AccessGroup {
    std::array<std::int64_t, thread_bits> bits{};
    std::vector<Access> accesses; // ascending by first register
    bool operator==(const AccessGroup&) const = default;
};

/// `forms` are those of the fragment's image: of every copy for a load, of the first for a store; no access
/// is wider than `widest` bytes.
[[nodiscard]] std::vector<AccessGroup> accesses(const sema::GlobalCopy& copy, const sema::Tensor& tensor,
                                                const std::vector<ThreadForm>& forms, int widest);

} // namespace tmemc::lower
