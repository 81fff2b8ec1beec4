// What a message costs in issue slots of the busiest warp, for choosing between plans that move the same
// cells. The numbers are relative: only their order and their differences matter. Measured with ptxas 13.0
// for sm_100a unless the row says otherwise.
#pragma once

namespace tmemc::atlas {

inline constexpr int message_cost = 8; // LDTM or STTM; x16 of 32x32b takes about 8 clocks of its subpartition
inline constexpr int split_cost = 9;   // 16x32bx2 becomes two instructions (dp32bit_t0_t15, dp32bit_t16_t31)
inline constexpr int move_cost = 1;    // a MOV for every register brought into its vector's order
inline constexpr int branch_cost = 3;  // a warp-uniform branch: predicate, branch, the gap behind it

// A vector needs no MOV when its registers follow one another from a multiple of 4 (of 2 for a pair), or when
// it is made of such blocks of 4 in any order: ptxas gives contiguous fragments aligned registers.
inline constexpr int vector_block = 4;

} // namespace tmemc::atlas
