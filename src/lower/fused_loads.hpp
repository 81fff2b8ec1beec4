// Row maxima and minima that a load can do on its way. On targets with tcgen05.ld.red a message gives each
// thread, beside its registers, the greatest or least of them; where a thread's registers are of one row that
// is a row_max of the message's columns:
//
//     copy_async X <- T;     tcgen05.ld.red.sync.aligned.32x32b.x64.max.f32 {%X_0, ...}, %X_max_0, ...
//     wait ld;               and another for columns 64 to 127, into %X_max_1
//     M = row_max(X);        max.f32 %part_0, %X_max_0, %X_max_1;
//
// In values: the load's TmemCopy gets a `fold` into a fragment of the compiler's, a column for each message
// (each half of one, in 16x32bx2), and the Compute reduces that instead of X. What comes later knows
// fragments and reductions and nothing more. Taken when
//
//     the operand is X or, of f32, abs(X), in a dtype that ld.red has, and X is 32x32b with 128 rows or
//     16x32bx2; loads of whole messages, by the same warpgroup, were the last to write what is reduced, and
//     all they wrote is; a `wait ld` stands between; the prices of the atlas say that it is cheaper.
//
// NaNs are passed over and -0 is below +0, as in row_max: without .NaN, ld.red does what max.f32 does.
// Source: PTX ISA 9.7.16.8.3. Not here: which messages a load has (match), the instruction
// (tensor_memory_hardware.hpp).
#pragma once

#include "match/plan.hpp"
#include "order/order.hpp"
#include "sema/program.hpp"

namespace tmemc::lower {

/// The program with such folds; the same when its target has no ld.red. Statements and objects keep their
/// numbers, new fragments stand behind the others.
[[nodiscard]] sema::Program fuse_loads(sema::Program program, const match::Plan& plan,
                                       const order::Schedule& schedule);

} // namespace tmemc::lower
