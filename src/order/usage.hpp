// What is read and never written, and what is written and never read. Two walks over sets of places: forwards
// with what has been written, backwards with what will still be read. A fragment's places are its elements,
// for each warpgroup its own; tensor memory's are blocks of a column in 16 lanes, whoever writes them.
//
//     frag Y: f32[128, 8];
//     copy B[0:64, :] <- Y[0:64, :];    TM0510: nothing has written row 0, column 0 of `Y`
//
// A statement in a loop is useless when it is in every turn: a program cannot leave out one of them.
#pragma once

#include "order/order.hpp"
#include "sema/reports.hpp"

namespace tmemc::order {

/// Errors: fragments and cells that are read before anything has written them.
void report_unwritten(const sema::Kernel& kernel, sema::Reports& reports);

/// Warnings: waits for nothing. Beside a missing wait they are a clue.
void report_useless_waits(const sema::Kernel& kernel, sema::Reports& reports);

/// Warnings: copies whose result nobody reads, objects that nothing uses.
void report_useless(const sema::Kernel& kernel, sema::Reports& reports);

} // namespace tmemc::order
