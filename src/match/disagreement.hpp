// The first element on which a fragment and the hardware disagree, as numbers and as a picture. Where a shape
// is laid over a register, it says what its threads meet; the cell that holds the element then belongs to
// another thread or register of a message of that shape.
//
// Example: `Y` wants row 0, column 2 in register 0 of thread 1; `T` has it in lane 0, column 2, and a message
// of 32x32b takes that cell to register 2 of thread 0.
//
// Not here: the words for it (shape_notes.hpp, refuse.cpp) and how a picture is drawn (base/picture.hpp).
#pragma once

#include "base/diagnostics.hpp"
#include "match/refusal.hpp"
#include "match/signature.hpp"

namespace tmemc::match {

struct Disagreement {
    int row = 0, col = 0;       // of the element, inside the copy's region
    int thread = 0, reg = 0;    // where the fragment wants it, or has it
    atlas::Step cell;           // where the buffer has it, or wants it
    std::string_view shape;     // that was tried; empty: any, since the warp does not reach the lane
    int its_thread = 0;         // of the shape's message, which meets the cell
    std::optional<int> its_reg; // none: only a message that begins elsewhere meets it
    bool operator==(const Disagreement&) const = default;
};

/// Element (row, col) lies in the lane of another warp.
[[nodiscard]] Disagreement out_of_reach(const Obstacle& obstacle);
/// The element (row, col) of the register's thread `misfit.thread` is not where the shape has it.
[[nodiscard]] Disagreement out_of_pattern(const RegisterCells& word, const Misfit& misfit,
                                          const atlas::ShapeRow& shape, int row, int col);

[[nodiscard]] base::Picture picture_of(const Refusal& refusal, const Disagreement& first);

} // namespace tmemc::match
