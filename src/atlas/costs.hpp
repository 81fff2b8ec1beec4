// What a message costs in issue slots of the busiest warp, for choosing between plans that move the same
// cells. The numbers are relative: only their order and their differences matter. Measured with ptxas 13.0
// for sm_100a unless the row says otherwise.
#pragma once

namespace tmemc::atlas {

inline constexpr int message_cost = 8; // LDTM or STTM; x16 of 32x32b takes about 8 clocks of its subpartition
inline constexpr int split_cost = 9;   // 16x32bx2 becomes two instructions (dp32bit_t0_t15, dp32bit_t16_t31)
inline constexpr int move_cost = 1;    // a MOV for every register brought into its vector's order
inline constexpr int branch_cost = 3;  // a warp-uniform branch: predicate, branch, the gap behind it

// A load that also gives the greatest or least of its registers (tcgen05.ld.red, one LDTM.STAT). It has been
// measured only inside attention kernels, which it makes 1 to 6% faster; so a slot more is what it may cost.
// Without it ptxas folds three registers by two instructions: 63 maxima of f32 became 21 FMNMX and 21 FMNMX3.
inline constexpr int load_fold_cost = 1; // a message
inline constexpr int folds_by_two = 3;   // folds that take two slots

// A vector needs no MOV when its registers follow one another from a multiple of 4 (of 2 for a pair), or when
// it is made of such blocks of 4 in any order: ptxas gives contiguous fragments aligned registers.
inline constexpr int vector_block = 4;

// Global memory. Measured on an H200 with copies of 4 GiB (tests/data/global_bandwidth.txt): a warp's access
// of at most 16 bytes a thread runs at 98% of cudaMemcpy or more while it touches at most twice the 128-byte
// lines that its bytes would fill and all of each 32-byte sector, at 86% when it touches twice the sectors
// too, and at 78 to 19% from four times the lines on, where a copy staged through shared memory stays at 97
// to 99%. So sectors count beside lines, a line as much as the four in it, and staging begins at twice the
// sum. Accesses of 32 bytes count as two, until they have been measured.
inline constexpr int line_bytes = 128;
inline constexpr int sector_bytes = 32;
inline constexpr int measured_access = 16; // bytes
inline constexpr int staging_ratio = 2;    // staged when direct costs so many times as much, or more
// Bytes of a row that are staged together: 64 columns of f32 reach 97 to 99%, 32 columns 81 to 96%.
inline constexpr int staged_row_bytes = 256;
// CTAs that stage much at a time get in each other's way: with 32 KB each, the six that a multiprocessor of
// an H200 has room for reach 92 to 94% of cudaMemcpy (64 columns, all images), four reach 97.5%, and of an
// epilogue from f32 to bf16 97 and 99.6%. So a CTA that stages more than this takes all the shared memory it
// may declare.
inline constexpr int staging_alone = 16 * 1024;
// Registers in which a thread holds what is on its way between shared and global memory.
inline constexpr int staged_registers = 32;

} // namespace tmemc::atlas
