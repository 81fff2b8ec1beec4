// The map of tensor memory on a terminal, at most 100 columns wide. A line of the program, and who has which
// columns there; a letter stands for as many columns as fit 72 letters in all.
//
//     `k`: 64 columns allocated, 48 in use at most (line 7)
//
//     line  0               16              32
//        6  AAAAAAAAAAAAAAAA................................|  copy_async T <- X;
//        7  AAAAAAAAAAAAAAAACCCCCCCCCCCCCCCC................|  copy_async U <- X;
//        8  bbbbbbbbAAAAAAAACCCCCCCCCCCCCCCC................|  copy_async Y <- V;
//
//     A  T: f32[128, 16], datapath D, columns 0..15, lines 6..9
//     b  V: f32[128, 8], datapath D, columns 0..7, line 8, an alias in `T`
//     C  U: ...
//
// Small letters are aliases. Columns that several have at once, in other lanes, have their letters in turn.
// What does not fit stands behind a `!`.
#pragma once

#include "inspect/map_model.hpp"

#include <string>

namespace tmemc::inspect {

[[nodiscard]] std::string map_text(const MapModel& model, bool color);

/// "`k`: 64 columns allocated, 48 in use at most (line 7)"
[[nodiscard]] std::string title_of(const MapModel& model);
/// "T: f32[128, 16], datapath D, columns 0..15, lines 6..9"
[[nodiscard]] std::string title_of(const MapBuffer& buffer);

} // namespace tmemc::inspect
