// Copies to messages. Compose the buffer's map with the fragment's: every thread and register of the fragment
// region gets the cell it must exchange with. Whole registers of whole warps move, so look at one register of
// one warp at a time: the 32 cells of its threads are a signature, and the signature names the shape. Tiles
// side by side are a run; a run is cut into powers of two. When no shape fits, the refusal names the first
// obstacle in the program's terms. Every plan is checked before it leaves: its cells are the region's, none
// twice, each register once.
#pragma once

#include "base/diagnostics.hpp"
#include "match/plan.hpp"
#include "sema/program.hpp"

namespace tmemc::match {

struct Options {
    int max_message = 128; // most registers per message, a power of two (--max-message)
};

struct MatchResult {
    Plan plan;
    base::Diagnostics diagnostics;
};

[[nodiscard]] MatchResult match(const sema::Program& program, const Options& options = {});

} // namespace tmemc::match
