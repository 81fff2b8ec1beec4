// One HTML page that shows a program: where every element lives, and the program step by step. It needs no
// network and no file beside it: page.html is a frame with three marks, into which the style sheet, the
// scripts and the program's JSON (page_data.hpp) are put. They are files of their own, so that editors know
// them; the build puts them between quotes (page_text.cpp.in).
//
//     page.html      the frame: what stands where, in words that a screen reader reads
//     page.css       light and dark, wide and narrow
//     page_*.js      data: maps, steps, what is outstanding; grid: a picture of cells that scrolls; map:
//                    columns over the program; state: what is on show; pictures, element, side: the parts
//                    of the page that show it
//     page.js        what the user does, and the begin
#pragma once

#include "inspect/page_data.hpp"

namespace tmemc::inspect {

[[nodiscard]] std::string page(const PageInput& input);

} // namespace tmemc::inspect
