// What repeats in a layout, found in the map itself. Going across, an element's place changes by the same
// step for a while, then the same columns come again somewhere else, and so on; going down likewise:
//
//     16x256b, 64 x 64, f32     columns 0..1: register +1 each; again to 7 with thread +1; again to 63 with
//     register +4
//                               rows 0..7: thread +4 each; again to 15 with register +2; again to 63 with
//                               thread +32
//
// So a picture may leave most of a tile out and say the rest in words. Where rows and columns do not add up
// (a digit of the layout counts both) there is no such pattern. Not here: which rows a picture shows
// (layout_text.cpp).
#pragma once

#include "inspect/layout_model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmemc::inspect {

/// `extent` times `size` rows (or columns), each time further by this much.
struct Repeat {
    int size = 1, extent = 1;
    int unit = 0, slot = 0, bit = 0;
    bool operator==(const Repeat&) const = default;
};
struct Pattern {
    std::vector<Repeat> down, across,
        again; // innermost first; of rows, of columns, of the copies of an element
    bool operator==(const Pattern&) const = default;
};

/// How many neighbours in a row share a register or cell, in the order of their bits: 32 / bits where all
/// do, else 1.
[[nodiscard]] int elements_per_word(const LayoutObject& object);

/// Columns are counted in steps of `group`.
[[nodiscard]] std::optional<Pattern> pattern(const LayoutObject& object, int group);

/// "columns 0..1: register +1 each; again to 7 with thread +1"; `what` is "columns".
[[nodiscard]] std::string in_words(const std::vector<Repeat>& repeats, std::string_view what,
                                   const LayoutObject& object);

} // namespace tmemc::inspect
