// A fragment's map turned round: for every slot of a thread's registers, the element that lies there, as a
// formula in the bits of the thread number. Images are made of such formulas, and addresses are computed from
// them. In the 16x256b image of a 64 x 8 tile the slots are registers 0 to 3 and
//
//     row = 16*t6t5 + t4t3t2 (+ 8 in registers 2 and 3),   column = 2*t1t0 (+ 1 in registers 1 and 3)
//
// so thread bit 0 adds (0, 2), bit 2 adds (1, 0), bit 5 adds (16, 0). A literal may write down a map that no
// single formula covers; then the threads are halved until one covers each part, and a kernel gets a set of
// accesses for each. Not here: bytes and pointers (global_access.hpp).
#pragma once

#include "layout/tile_map.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <vector>

namespace tmemc::lower {

inline constexpr std::size_t thread_bits = 7; // threads of a warpgroup are numbered 0..127
using ThreadSet = std::bitset<std::size_t{1} << thread_bits>;

/// A row and a column, or a step in them.
struct Place {
    int row = 0, col = 0;
    friend Place operator+(Place a, Place b) { return {a.row + b.row, a.col + b.col}; }
    friend Place operator-(Place a, Place b) { return {a.row - b.row, a.col - b.col}; }
    bool operator==(const Place&) const = default;
};

/// A slot of a register and the threads that hold an element there.
struct SlotForm {
    int reg = 0, bit = 0;
    ThreadSet threads;
    Place constant; // of thread 0, were it to hold one
    bool operator==(const SlotForm&) const = default;
};

/// Slots of some threads: the element of thread t in a slot is at constant + the sum of bits[i] for every set
/// bit i of t.
struct ThreadForm {
    std::array<Place, thread_bits> bits{};
    std::vector<SlotForm> slots; // ascending by register and bit
    [[nodiscard]] Place at(const SlotForm& slot, std::size_t thread) const;
    bool operator==(const ThreadForm&) const = default;
};

/// The forms of an image: disjoint sets of threads, most often one of all. With `every_copy` false only the
/// first copy of each element counts.
[[nodiscard]] std::vector<ThreadForm> thread_forms(const layout::SlotMap& slots, bool every_copy);

/// The part of a form whose elements lie in rows x cols from `from`, counted from there.
[[nodiscard]] ThreadForm restricted(const ThreadForm& form, Place from, int rows, int cols);

} // namespace tmemc::lower
