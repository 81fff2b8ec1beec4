// Tensor memory by formula, for tests: where datapaths and fragments put an element and which cell a
// message's register meets, each written out as arithmetic on row, column, thread and register. The compiler
// holds the same facts as rows of digits (src/atlas) and never includes this, so that each judges the other.
// Sources: the tables of the language reference ("Tensor memory", "Fragments and layouts") and the maps of
// the PTX ISA, 9.7.16.8.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace tmemc::oracle {

struct Cell {
    int lane = 0, column = 0;
    bool operator==(const Cell&) const = default;
};
struct Slot {
    int thread = 0, reg = 0;
    bool operator==(const Slot&) const = default;
};

inline int datapath_rows(char letter) {
    switch (letter) {
    case 'A':
    case 'D': return 128;
    case 'G': return 32;
    default: return 64;
    }
}

/// The cell of word c of row r of a tile with n words per row.
inline Cell datapath_cell(char letter, int sub_slab, int n, int r, int c) {
    switch (letter) {
    case 'A':
    case 'D': return {r, c};
    case 'B':
    case 'E': return {r + 64 * (c >= n / 2 ? 1 : 0), c % (n / 2)};
    case 'C':
    case 'F': return {32 * (r / 16) + r % 16 + 16 * sub_slab, c};
    case 'G': return {r + 32 * (c / (n / 4)), c % (n / 4)};
    default: throw std::logic_error("no such datapath");
    }
}

/// The thread and register of word c of row r of a fragment with `rows` rows of n words.
inline Slot atom_slot(const std::string& atom, int rows, int n, int r, int c) {
    if (atom == "32x32b") {
        if (rows == 128) return {r, c};
        if (rows == 64) return {r + 64 * (c >= n / 2 ? 1 : 0), c % (n / 2)};
        return {r + 32 * (c / (n / 4)), c % (n / 4)};
    }
    if (atom == "16x32bx2") return {32 * (r / 16) + r % 16 + 16 * (c >= n / 2 ? 1 : 0), c % (n / 2)};
    // 16 rows per slab; the inverse maps of the three shapes: row a of the slab and column c to thread and
    // register.
    const int slab = rows == 128 ? r / 16 % 2 : 0;
    const int warp = rows == 128 ? r / 32 : r / 16;
    const int a = r % 16;
    const int behind = slab * n / 2; // 16 rows x n words are n/2 registers of 32 threads
    if (atom == "16x64b") return {32 * warp + 4 * (a & 7) + 2 * (c & 1) + (a >> 3), behind + (c >> 1)};
    if (atom == "16x128b") return {32 * warp + 4 * (a & 7) + (c & 3), behind + (a >> 3) + 2 * (c >> 2)};
    if (atom == "16x256b")
        return {32 * warp + 4 * (a & 7) + ((c >> 1) & 3), behind + (c & 1) + 2 * (a >> 3) + 4 * (c >> 3)};
    throw std::logic_error("no such atom");
}

inline int registers_per_num(const std::string& shape) {
    return shape == "16x128b" ? 2 : shape == "16x256b" ? 4 : 1;
}

/// The cell that register q of thread l of a warp meets, its lane counted inside the warp's 32, for a message
/// at (row, column). A packing message takes this cell and the one to its right.
inline Cell message_cell(const std::string& shape, int row, int column, bool pack, int half_split, int l,
                         int q) {
    const int factor = pack ? 2 : 1;
    if (shape == "16x32bx2") {
        const int address = row * 65536 + column + (l >= 16 ? half_split : 0);
        return {address / 65536 + (l & 15), address % 65536 + factor * q};
    }
    int lane = 0, col = 0;
    if (shape == "32x32b") {
        lane = l;
        col = q;
    } else if (shape == "16x64b") {
        lane = (l >> 2) + 8 * (l & 1);
        col = ((l >> 1) & 1) + 2 * q;
    } else if (shape == "16x128b") {
        lane = (l >> 2) + 8 * (q & 1);
        col = (l & 3) + 4 * (q >> 1);
    } else if (shape == "16x256b") {
        lane = (l >> 2) + 8 * ((q >> 1) & 1);
        col = 2 * (l & 3) + (q & 1) + 8 * (q >> 2);
    } else {
        throw std::logic_error("no such shape");
    }
    return {row + lane, column + factor * col};
}

} // namespace tmemc::oracle
