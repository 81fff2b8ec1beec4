// The atoms as a table: what a message of each shape moves, and which fragments of it meet which buffers. For
// example 16x64b: one register and two columns of 16 lanes a tile, x1 to x128, from lane 0 or 16 of a warp;
// its 64-row fragment needs columns in twos and fits the datapaths C and F. The numbers are rows of the
// atlas; which datapaths fit and whether a shape packs, the matcher is asked, with a copy of a whole tile.
// Not here: how a fragment spreads over threads (layout).
#pragma once

#include "atlas/shapes.hpp"

#include <string>
#include <vector>

namespace tmemc::inspect {

/// The fragment that an atom names with so many rows.
struct AtomFragment {
    int rows = 0;
    int multiple = 1;                   // the 32-bit columns of a tile are a multiple of this
    std::vector<std::string> datapaths; // whose whole tiles a copy moves
    bool operator==(const AtomFragment&) const = default;
};
struct Atom {
    const atlas::ShapeRow* shape = nullptr;
    std::vector<int> nums;        // legal N of .xN
    std::vector<int> start_lanes; // of a warp's 32, at which a message may start
    bool pack = false;            // takes .pack::16b and .unpack::16b
    std::vector<AtomFragment> fragments;
    bool operator==(const Atom&) const = default;
};

[[nodiscard]] std::vector<Atom> atoms();
[[nodiscard]] std::string atoms_text(const std::vector<Atom>& atoms);
/// Schema 1.
[[nodiscard]] std::string atoms_json(const std::vector<Atom>& atoms);

} // namespace tmemc::inspect
