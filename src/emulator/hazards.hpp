// The observer of outstanding messages. A load or store is outstanding from its issue to the wait of its
// kind; until then no message of any warp may store over the cells of either, nor load the cells of a store,
// nor may their columns be deallocated. Cells are compared exactly, as rectangles.
//
//     tcgen05.st [T]; tcgen05.ld [T];                  fault: the store has not been waited for
//     tcgen05.st [T]; tcgen05.wait::st; tcgen05.ld [T] fine
//
// Source: PTX ISA 9.7.16.6 (memory consistency: pipelined instructions). Not here: what two warps must do
// between them.
#pragma once

#include "emulator/observer.hpp"

#include <memory>

namespace tmemc::emulator {

[[nodiscard]] std::unique_ptr<Observer> make_hazards();

} // namespace tmemc::emulator
