// Registers to tiles. A message of shape .x1 moves a tile, which takes 1, 2 or 4 registers of every thread;
// their signatures are the same pattern at the places that the shape row gives. 16x128b pairs a register with
// the one 8 lanes on. In 16x256b the even and the odd register of a tile are one column apart and look alike,
// and so do the registers of a tile that starts one column later; so tiles are put together from the left:
// what stands leftmost is a tile's first register.
//
// Example, 16x256b at lane 0, columns 8..15: registers with thread 0 at (0, 8), (0, 9), (8, 8) and (8, 9).
#pragma once

#include "match/signature.hpp"

namespace tmemc::match {

/// What a message of shape .x1 would move in one warp.
struct Tile {
    const atlas::ShapeRow* shape = nullptr;
    bool pack = false;
    int row = 0;    // first lane, inside the warp's 32
    int column = 0; // first cell
    int half_split = 0;
    std::array<int, 4> registers{};                // shape->registers of them, in vector order
    auto operator<=>(const Tile&) const = default; // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0
};

/// A register whose signature is known.
struct SignedRegister {
    Signature signature;
    int reg = 0;
    bool pack = false;
};

/// The tiles of one warp, or the first register whose tile is not whole. `warp` is only for the obstacle.
[[nodiscard]] std::variant<std::vector<Tile>, Obstacle> tiles_of(std::vector<SignedRegister> registers,
                                                                 int warp);

} // namespace tmemc::match
