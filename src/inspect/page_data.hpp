// What the HTML page knows of a program, as compact JSON. The page does the arithmetic itself, so maps travel
// as the digits of their layouts and not element by element: a 128x512 tile is a line of text.
//
//     {"file": "x.tmx", "source": "...", "kernels": [{"name": "k",
//       "slots": [{"name": "atom 32x32b", "words": 4, "digits": [[128, 1, 0], [8, 1, 3]]}],
//       "frags": [{"name": "X", "dtype": "f16", "rows": 128, "cols": 8, "image": 0, "line": 6}],
//       "sites": [{"line": 10, "text": "copy_async T <- X;"}],
//       "steps": [{"site": 0, "do": "st", "frag": [[0, 0, 0, 128, 8]], "tmem": [0, 0, 0, 128, 8], ...}],
//       "moves": [[{"shape": "32x32b", "num": 4, ...}]]}]}
//
// A digit is extent, stride, axis; a site is what the source says at one place, a list of moves the messages
// of one copy, and both are shared. `file` has no folder: the page is the same wherever it is made.
//
// A region is object, row, column, rows, columns. Of a program that was refused everything is said that is
// known; a refused copy has its first obstacle, and buffers that no stage has placed get columns here, so
// that a map can be drawn. Not here: the page around it (page.hpp).
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "match/match.hpp"
#include "order/order.hpp"
#include "sema/program.hpp"
#include "space/space.hpp"

#include <string>

namespace tmemc::inspect {

struct PageInput {
    const base::Source& source;
    const sema::Program& program;
    const match::Plan& plan;
    const order::Schedule& schedule; // empty when order was not reached
    const space::Space& space;       // empty when space was not reached
    const base::Diagnostics& diagnostics;
    int max_message = match::Options{}.max_message;
    std::string kernel = {}; // to be shown first; empty: the first
    std::string object = {}; // the same
    bool map = false;        // begin with the map of tensor memory
};

[[nodiscard]] std::string page_data(const PageInput& input);

} // namespace tmemc::inspect
