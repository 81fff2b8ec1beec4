// What a call gives a function's parameters. An object's argument is a region of the caller's that looks the
// same from inside: a tensor of the same element type and extents, a piece of tensor memory whose map is the
// parameter's but for a constant number of columns, a piece of a fragment whose map is the parameter's but
// for the registers, which are others in the same order.
//
//     tmem acc: f32[128, 32]      T[:, 64 +: 32] of a 128-row f32 buffer on datapath D fits, 64 columns on
//     frag X: f32[128, 8] atom 16x256b       Y[:, 8 +: 8] of 16 columns fits: registers 4 to 7 and 12 to 15
//     n: u32, in A: f32[n, 64]    B of f32[m, 64] fits when n is given m; of f32[300, 64], when n is 300
//
// A tensor's pitch and alignment are the argument's own: the function's say what a caller in another language
// promises. A scalar is given a number or a scalar parameter of its dtype. Not here: what becomes of the
// statements (calls.hpp).
#pragma once

#include "sema/draft.hpp"
#include "sema/regions.hpp"

#include <optional>
#include <vector>

namespace tmemc::sema {

/// What a parameter stands for in a call.
struct Argument {
    Region region;                         // of the caller's tensor, buffer or fragment
    bool upright = false;                  // a tensor of one dimension: it is a column of the caller's
    bool all_rows = true, all_cols = true; // of its tensor
    int shift = 0; // columns of tensor memory from the buffer's first to the parameter's
    Step scalar;   // its value: a parameter of the caller or a number
};

/// One for each parameter, or nothing after reporting every one that does not fit.
[[nodiscard]] std::optional<std::vector<Argument>> arguments_of(Draft& draft, const ast::Call& call,
                                                                const Function& function);

} // namespace tmemc::sema
