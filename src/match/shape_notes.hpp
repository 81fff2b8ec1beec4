// Why each shape fails, in the program's terms. For a copy whose registers are whole words, every shape is
// compared register by register, in the order in which the region's rows meet them, and its first obstacle
// becomes a note:
//
//     16x256b: row 16 sits in lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 0,
//     register 32) 32x32b: register 0 of thread 1 would meet lane 1, column 0, but `Y` keeps row 0, column 2
//     there, which sits in lane 0, column 2
//
// The shape that comes furthest, the one that was most likely meant, stands first.
#pragma once

#include "match/disagreement.hpp"

namespace tmemc::match {

struct ShapeNote {
    std::string text; // with the shape's name in front
    std::optional<Disagreement> first;
};
[[nodiscard]] std::vector<ShapeNote> shape_notes(const Refusal& refusal,
                                                 std::span<const atlas::ShapeRow> shapes);

/// "row 16 sits in lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 0, register 32)".
/// The row and column count inside the region.
[[nodiscard]] std::string reach_text(const Refusal& refusal, const Obstacle& obstacle);

} // namespace tmemc::match
