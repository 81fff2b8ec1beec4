// Every reason for which a copy is refused, in its full words: message, notes and helps. The table has at
// least one case for each kind of obstacle, which the test counts, and one for each branch of the wording:
// what a note says of loads and of stores, of one column and of several, of places that hold nothing, and
// which advice is given when one atom, several, other extents or nothing would do.
//
// Example: a slice of three 16-bit columns leaves half of a register out: the message names the kind of word,
// the note the element that is left out, the help what the slices must be multiples of.
// Not here: that a refusal is right, which the property tests confirm by brute force (classes_test.cpp).
#include "grammar/parse.hpp"
#include "match/copy_of.hpp"
#include "match/match.hpp"
#include "match/refusal.hpp"
#include "sema/check.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace tmemc;

namespace {

using What = match::Obstacle::What;
constexpr std::nullopt_t extents = std::nullopt; // no obstacle, only extents that differ

struct Case {
    const char* name;
    std::optional<What> what;
    int max_message;
    const char* source; // of a kernel's block
    const char* words;  // the message, then notes and helps, a line each
};

/// Whether there is such an obstacle. There is no default, so that a new one does not compile before it is
/// listed here, and the test below then asks for its case.
constexpr bool exists(What what) {
    switch (what) {
    case What::reach:
    case What::two_writers:
    case What::part_word:
    case What::mixed_word:
    case What::part_warp:
    case What::pattern:
    case What::part_unit:
    case What::odd_column:
    case What::upper_half:
    case What::too_wide: return true;
    }
    return false;
}

// clang-format off
const Case cases[] = {
    {"a row's second half in another warp", What::reach, 128,
     "tmem T: f32[64, 16] datapath F; frag Y: f32[64, 16] atom 32x32b; copy_async Y <- T;",
     R"(TM0301: no tcgen05 instruction moves `Y` (f32[64, 16], atom 32x32b) from `T` (f32[64, 16], datapath F)
note: every shape: row 0, column 8 sits in lane 0, which only warp 0 reaches, but `Y` holds it in warp 2 (thread 64, register 0)
note: 32x32b: row 16 sits in lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 16, register 0)
note: 16x64b: register 0 of thread 1 would meet lane 8, column 0, but `Y` keeps row 1, column 0 there, which sits in lane 1, column 0
note: 16x128b: register 0 of thread 1 would meet lane 0, column 1, but `Y` keeps row 1, column 0 there, which sits in lane 1, column 0
note: 16x256b: register 0 of thread 1 would meet lane 0, column 2, but `Y` keeps row 1, column 0 there, which sits in lane 1, column 0
note: 16x32bx2: row 16 sits in lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 16, register 0)
help: declare `Y` with one of the atoms 16x64b, 16x128b, 16x256b or 16x32bx2: frag Y: f32[64, 16] atom 16x64b;)"},
    {"a store says where it goes", What::reach, 128,
     "tmem T: f32[64, 16] datapath E; frag Y: f32[64, 16] atom 16x256b; copy_async T <- Y;",
     R"(TM0301: no tcgen05 instruction moves `Y` (f32[64, 16], atom 16x256b) to `T` (f32[64, 16], datapath E)
note: 16x256b: row 0, column 8 goes to lane 64, which only warp 2 reaches, but `Y` holds it in warp 0 (thread 0, register 4)
note: 32x32b: register 0 of thread 1 would meet lane 1, column 0, but `Y` keeps row 0, column 2 there, which goes to lane 0, column 2
note: 16x64b: register 0 of thread 1 would meet lane 8, column 0, but `Y` keeps row 0, column 2 there, which goes to lane 0, column 2
note: 16x128b: register 0 of thread 1 would meet lane 0, column 1, but `Y` keeps row 0, column 2 there, which goes to lane 0, column 2
note: 16x32bx2: register 0 of thread 1 would meet lane 1, column 0, but `Y` keeps row 0, column 2 there, which goes to lane 0, column 2
help: declare `Y` with atom 32x32b: frag Y: f32[64, 16] atom 32x32b;)"},
    {"no whole words, so no shape is compared, and no tile fits", What::reach, 128,
     "tmem T: f16[128, 8]; frag Y: f16[128, 8]; copy_async Y[32:64, 0:3] <- T[0:32, 0:3];",
     R"(TM0301: no tcgen05 instruction moves `Y[32:64, 0:3]` (f16[128, 8], atom 32x32b) from `T[0:32, 0:3]` (f16[128, 8], datapath D)
note: every shape: row 32 of `Y` (row 0 of `T`) sits in lane 0, which only warp 0 reaches, but `Y` holds it in warp 1 (thread 32, register 0))"},
    {"of a sub-slab, unpacked", What::reach, 128,
     "tmem T: f16[64, 16] datapath C sub_slab 1 unpacked; frag Y: f16[64, 16] atom 16x64b; copy_async Y[0:16, :] <- T[16:32, :];",
     R"(TM0301: no tcgen05 instruction moves `Y[0:16, :]` (f16[64, 16], atom 16x64b) from `T[16:32, :]` (f16[64, 16], datapath C sub_slab 1 unpacked)
note: 32x32b: row 0 of `Y` (row 16 of `T`) sits in lane 48, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 0, register 0)
note: 16x64b: row 0 of `Y` (row 16 of `T`) sits in lane 48, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 0, register 0)
note: 16x128b: row 0 of `Y` (row 16 of `T`) sits in lane 48, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 0, register 0)
note: 16x256b: row 0 of `Y` (row 16 of `T`) sits in lane 48, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 0, register 0)
note: 16x32bx2: row 0 of `Y` (row 16 of `T`) sits in lane 48, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 0, register 0))"},
    {"atoms that need more columns are not offered", What::reach, 128,
     "tmem T: f32[64, 6] datapath F; frag Y: f32[64, 6] atom 32x32b; copy_async Y <- T;",
     R"(TM0301: no tcgen05 instruction moves `Y` (f32[64, 6], atom 32x32b) from `T` (f32[64, 6], datapath F)
note: every shape: row 0, column 3 sits in lane 0, which only warp 0 reaches, but `Y` holds it in warp 2 (thread 64, register 0)
note: 32x32b: row 16 sits in lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 16, register 0)
note: 16x64b: register 0 of thread 1 would meet lane 8, column 0, but `Y` keeps row 1, column 0 there, which sits in lane 1, column 0
note: 16x128b: register 0 of thread 1 would meet lane 0, column 1, but `Y` keeps row 1, column 0 there, which sits in lane 1, column 0
note: 16x256b: register 0 of thread 1 would meet lane 0, column 2, but `Y` keeps row 1, column 0 there, which sits in lane 1, column 0
note: 16x32bx2: row 16 sits in lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 16, register 0)
help: declare `Y` with one of the atoms 16x64b or 16x32bx2: frag Y: f32[64, 6] atom 16x64b;)"},
    {"rows and columns differ, the atom would do", What::reach, 128,
     "tmem T: f32[64, 16] datapath F; frag Y: f32[128, 8] atom 16x256b; copy_async Y <- T;",
     R"(TM0301: no tcgen05 instruction moves `Y` (f32[128, 8], atom 16x256b) from `T` (f32[64, 16], datapath F)
note: 16x256b: row 16 sits in lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 0, register 4)
note: 32x32b: register 0 of thread 1 would meet lane 1, column 0, but `Y` keeps row 0, column 2 there, which sits in lane 0, column 2
note: 16x64b: register 0 of thread 1 would meet lane 8, column 0, but `Y` keeps row 0, column 2 there, which sits in lane 0, column 2
note: 16x128b: register 0 of thread 1 would meet lane 0, column 1, but `Y` keeps row 0, column 2 there, which sits in lane 0, column 2
note: 16x32bx2: register 0 of thread 1 would meet lane 1, column 0, but `Y` keeps row 0, column 2 there, which sits in lane 0, column 2
note: `Y` has 128 rows here, `T` has 64
note: `Y` has 8 columns here, `T` has 16
help: declare `Y` with 64 rows and 16 columns: frag Y: f32[64, 16] atom 16x256b;)"},
    {"rows differ, one other atom would do", What::reach, 128,
     "tmem T: f32[64, 16] datapath B; frag Y: f32[128, 16] atom 16x256b; copy_async Y <- T;",
     R"(TM0301: no tcgen05 instruction moves `Y` (f32[128, 16], atom 16x256b) from `T` (f32[64, 16], datapath B)
note: 16x256b: row 0, column 8 sits in lane 64, which only warp 2 reaches, but `Y` holds it in warp 0 (thread 0, register 4)
note: 32x32b: register 0 of thread 1 would meet lane 1, column 0, but `Y` keeps row 0, column 2 there, which sits in lane 0, column 2
note: 16x64b: register 0 of thread 1 would meet lane 8, column 0, but `Y` keeps row 0, column 2 there, which sits in lane 0, column 2
note: 16x128b: register 0 of thread 1 would meet lane 0, column 1, but `Y` keeps row 0, column 2 there, which sits in lane 0, column 2
note: 16x32bx2: register 0 of thread 1 would meet lane 1, column 0, but `Y` keeps row 0, column 2 there, which sits in lane 0, column 2
note: `Y` has 128 rows here, `T` has 64
help: declare `Y` with 64 rows and with atom 32x32b: frag Y: f32[64, 16] atom 32x32b;)"},
    {"rows differ, one of several atoms would do", What::reach, 128,
     "tmem T: f32[64, 16] datapath F; frag Y: f32[128, 16]; copy_async T <- Y;",
     R"(TM0301: no tcgen05 instruction moves `Y` (f32[128, 16], atom 32x32b) to `T` (f32[64, 16], datapath F)
note: 32x32b: row 16 goes to lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 16, register 0)
note: 16x64b: register 0 of thread 1 would meet lane 8, column 0, but `Y` keeps row 1, column 0 there, which goes to lane 1, column 0
note: 16x128b: register 0 of thread 1 would meet lane 0, column 1, but `Y` keeps row 1, column 0 there, which goes to lane 1, column 0
note: 16x256b: register 0 of thread 1 would meet lane 0, column 2, but `Y` keeps row 1, column 0 there, which goes to lane 1, column 0
note: 16x32bx2: row 16 goes to lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 (thread 16, register 0)
note: `Y` has 128 rows here, `T` has 64
help: declare `Y` with 64 rows and with one of the atoms 16x64b, 16x128b, 16x256b or 16x32bx2: frag Y: f32[64, 16] atom 16x64b;)"},
    {"places that differ on the two sides", What::two_writers, 128,
     "tmem T: f32[128, 4]; frag Y: f32[128, 8] layout S[(128, 8) : (1@tid_in_wg, 1)] + R[2 : 8]; copy_async T <- Y[:, 4:8];",
     R"(TM0324: two registers would write lane 0, column 0: `Y` holds the element more than once
note: row 0, column 4 of `Y` (row 0, column 0 of `T`) is in register 4 of thread 0 and in register 12 of thread 0, both in warp 0
help: store from a fragment that holds every element once in the warp that reaches its lane)"},
    {"an element is left out", What::part_word, 128,
     "tmem T: f16[128, 8]; frag Y: f16[128, 8]; copy_async Y[:, 0:3] <- T[:, 0:3];",
     R"(TM0320: this copy takes only part of a 32-bit register of `Y`
note: register 1 of thread 0 also holds row 0, column 3, which the copy leaves out
help: 2 columns of f16 share 32 bits: start and end both slices at multiples of 2)"},
    {"the register has nothing there", What::part_word, 128,
     "tmem T: f16[128, 4]; frag Y: f16[128, 4] layout S[(128, 4) : (1@tid_in_wg, 2)]; copy_async Y <- T;",
     R"(TM0320: this copy takes only part of a 32-bit register of `Y`
note: no element of `Y` lies in bits 16..31 of register 0 of thread 0, and an instruction moves whole registers
help: lay `Y` out so that its elements fill the registers they are in)"},
    {"bytes that begin in the middle of a cell", What::mixed_word, 128,
     "tmem T: u8[128, 8]; frag Y: u8[128, 4]; copy_async Y <- T[:, 2:6];",
     R"(TM0320: this copy takes only part of a 32-bit cell of `T`
note: row 0, column 0 is in bits 0..7 of register 0 of thread 0, but in bits 16..23 of lane 0, column 0
note: row 0, column 1 is in bits 8..15 of register 0 of thread 0, but in bits 24..31 of lane 0, column 0
note: row 0, column 2 is in bits 16..23 of register 0 of thread 0, but in bits 0..7 of lane 0, column 1
note: row 0, column 3 is in bits 24..31 of register 0 of thread 0, but in bits 8..15 of lane 0, column 1
help: 4 columns of u8 share 32 bits: start and end both slices at multiples of 4)"},
    {"some columns of an atom", What::part_warp, 128,
     "tmem T: f32[128, 16]; frag Y: f32[128, 16] atom 16x256b; copy_async Y[:, 0:3] <- T[:, 0:3];",
     R"(TM0321: this copy takes only part of what an instruction moves at once of `Y[:, 0:3]` (f32[128, 16], atom 16x256b)
note: the copy needs register 0 of warp 0 in some of its 32 threads: thread 2 holds row 0, column 4 there, which the copy leaves out; an instruction moves it in all
help: 16x256b moves 16 rows x 8 columns at once: start and end the slice of `Y` at multiples of these)"},
    {"some rows of one row per thread", What::part_warp, 128,
     "tmem T: f32[128, 4]; frag Y: f32[128, 4]; copy_async Y[0:16, :] <- T[0:16, :];",
     R"(TM0321: this copy takes only part of what an instruction moves at once of `Y[0:16, :]` (f32[128, 4], atom 32x32b)
note: the copy needs register 0 of warp 0 in some of its 32 threads: thread 16 holds row 16, column 0 there, which the copy leaves out; an instruction moves it in all
help: 32x32b moves 32 rows x 1 column at once: start and end the slice of `Y` at multiples of these)"},
    {"the same with two columns to a word", What::part_warp, 128,
     "tmem T: f16[128, 4]; frag Y: f16[128, 4]; copy_async Y[0:16, :] <- T[0:16, :];",
     R"(TM0321: this copy takes only part of what an instruction moves at once of `Y[0:16, :]` (f16[128, 4], atom 32x32b)
note: the copy needs register 0 of warp 0 in some of its 32 threads: thread 16 holds row 16, column 0 there, which the copy leaves out; an instruction moves it in all
help: 32x32b moves 32 rows x 2 columns at once: start and end the slice of `Y` at multiples of these)"},
    {"one half of a split message", What::part_warp, 128,
     "tmem T: f32[64, 16] datapath F; frag Y: f32[64, 16] atom 16x32bx2; copy_async Y[:, 0:4] <- T[:, 0:4];",
     R"(TM0321: this copy takes only part of what an instruction moves at once of `Y[:, 0:4]` (f32[64, 16], atom 16x32bx2)
note: the copy needs register 0 of warp 0 in some of its 32 threads: thread 16 holds row 0, column 8 there, which the copy leaves out; an instruction moves it in all
help: 16x32bx2 moves a column of each half at once: copy all columns of `Y`, in slices of 16 rows)"},
    {"a layout without a name", What::part_warp, 128,
     "tmem T: f32[128, 4]; frag Y: f32[128, 4] layout S[(128, 4) : (1@tid_in_wg, 1)]; copy_async Y[0:16, 2:4] <- T[0:16, 2:4];",
     R"(TM0321: this copy takes only part of what an instruction moves at once of `Y[0:16, 2:4]` (f32[128, 4], layout S[(128, 4) : (1@tid_in_wg, 1)])
note: the copy needs register 2 of warp 0 in some of its 32 threads: thread 16 holds row 16, column 2 there, which the copy leaves out; an instruction moves it in all
help: register 2 of warp 0 holds elements of rows 0 to 31 and column 2 of `Y`: copy all of them)"},
    {"threads that hold nothing", What::part_warp, 128,
     "tmem T: f32[64, 4] datapath F; frag Y: f32[64, 4] layout S[(4, 16, 4) : (1@wid_in_wg, 1@laneid, 1)]; copy_async Y <- T;",
     R"(TM0321: this copy takes only part of what an instruction moves at once of `Y` (f32[64, 4], layout S[(4, 16, 4) : (1@wid_in_wg, 1@laneid, 1)])
note: the copy needs register 0 of warp 0 in some of its 32 threads: thread 16 holds nothing there; an instruction moves it in all
help: lay `Y` out over all 32 threads of the warps that hold it)"},
    {"columns differ, and the rows take part of a register", What::part_warp, 128,
     "tmem T: f32[64, 16] datapath F; frag Y: f32[128, 8] atom 32x32b; copy_async Y[0:16, :] <- T[0:16, :];",
     R"(TM0301: no tcgen05 instruction moves `Y[0:16, :]` (f32[128, 8], atom 32x32b) from `T[0:16, :]` (f32[64, 16], datapath F)
note: `Y` has 8 columns here, `T` has 16
help: slice both sides alike: 16 rows and 8 columns)"},
    {"no message starts there", What::pattern, 128,
     "tmem T: f32[128, 4]; frag Y: f32[128, 4] layout S[(4, 32, 4) : (1@wid_in_wg, -1@laneid, 1)] + 31@laneid; copy_async Y <- T;",
     R"(TM0301: no tcgen05 instruction moves `Y` (f32[128, 4], layout S[(4, 32, 4) : (1@wid_in_wg, -1@laneid, 1)] + 31@laneid) from `T` (f32[128, 4], datapath D)
note: 32x32b: its messages start at lane 0 of a warp's 32, but register 0 of thread 0 meets lane 31 of warp 0's
note: 16x64b: its messages start at lane 0 or 16 of a warp's 32, but register 0 of thread 0 meets lane 31 of warp 0's
note: 16x128b: its messages start at lane 0 or 16 of a warp's 32, but register 0 of thread 0 meets lane 31 of warp 0's
note: 16x256b: its messages start at lane 0 or 16 of a warp's 32, but register 0 of thread 0 meets lane 31 of warp 0's
note: 16x32bx2: its messages start at lane 0 or 16 of a warp's 32, but register 0 of thread 0 meets lane 31 of warp 0's
help: declare `Y` with one of the atoms 32x32b, 16x64b or 16x128b: frag Y: f32[128, 4] atom 32x32b;)"},
    {"both halves of a warp on the same cells", What::pattern, 128,
     "tmem T: f32[64, 4] datapath F; frag Y: f32[64, 4] layout S[(4, 16, 4) : (1@wid_in_wg, 1@laneid, 1)] + R[2 : 16@laneid]; copy_async Y <- T;",
     R"(TM0301: no tcgen05 instruction moves `Y` (f32[64, 4], layout S[(4, 16, 4) : (1@wid_in_wg, 1@laneid, 1)] + R[(2) : (16@laneid)]) from `T` (f32[64, 4], datapath F)
note: 32x32b: register 0 of thread 16 would meet lane 16, column 0, but `Y` keeps row 0, column 0 there, which sits in lane 0, column 0
note: 16x64b: register 0 of thread 1 would meet lane 8, column 0, but `Y` keeps row 1, column 0 there, which sits in lane 1, column 0
note: 16x128b: register 0 of thread 1 would meet lane 0, column 1, but `Y` keeps row 1, column 0 there, which sits in lane 1, column 0
note: 16x256b: register 0 of thread 1 would meet lane 0, column 2, but `Y` keeps row 1, column 0 there, which sits in lane 1, column 0
note: 16x32bx2: register 0 of threads 0 and 16 would meet the same cell, lane 0, column 0
help: declare `Y` with one of the atoms 16x64b, 16x128b or 16x32bx2: frag Y: f32[64, 4] atom 16x64b;)"},
    {"a store to a tile without a name", What::pattern, 128,
     "tmem T: f32[128, 4] layout S[(4, 16, 2, 4) : (32@TLane, 1@TLane, 16@TLane, 1@TCol)]; frag Y: f32[128, 4]; copy_async T <- Y;",
     R"(TM0301: no tcgen05 instruction moves `Y` (f32[128, 4], atom 32x32b) to `T` (f32[128, 4], layout S[(4, 16, 2, 4) : (32@TLane, 1@TLane, 16@TLane, 1@TCol)])
note: 32x32b: register 0 of thread 1 would meet lane 1, column 0, but `Y` keeps row 1, column 0 there, which goes to lane 16, column 0
note: 16x64b: register 0 of thread 1 would meet lane 8, column 0, but `Y` keeps row 1, column 0 there, which goes to lane 16, column 0
note: 16x128b: register 0 of thread 1 would meet lane 0, column 1, but `Y` keeps row 1, column 0 there, which goes to lane 16, column 0
note: 16x256b: register 0 of thread 1 would meet lane 0, column 2, but `Y` keeps row 1, column 0 there, which goes to lane 16, column 0
note: 16x32bx2: register 0 of thread 1 would meet lane 1, column 0, but `Y` keeps row 1, column 0 there, which goes to lane 16, column 0)"},
    {"the upper rows of a slab", What::part_unit, 128,
     "tmem T: f32[128, 8]; frag Y: f32[128, 8] atom 16x256b; copy_async Y[32:40, :] <- T[32:40, :];",
     R"(TM0321: this copy takes only part of what an instruction moves at once of `Y[32:40, :]` (f32[128, 8], atom 16x256b)
note: 16x256b moves 4 registers at once: with register 0 of warp 1 comes the one whose thread 32 meets lane 40, column 0, and the copy has none
help: 16x256b moves 16 rows x 8 columns at once: start and end the slice of `Y` at multiples of these)"},
    {"the lower rows of a slab, bytes", What::part_unit, 128,
     "tmem T: u8[64, 16] datapath F; frag Y: u8[64, 16] atom 16x128b; copy_async T[24:32, :] <- Y[24:32, :];",
     R"(TM0321: this copy takes only part of what an instruction moves at once of `Y[24:32, :]` (u8[64, 16], atom 16x128b)
note: 16x128b moves 2 registers at once: with register 1 of warp 1 comes the one whose thread 32 meets lane 32, column 0, and the copy has none
help: 16x128b moves 16 rows x 16 columns at once: start and end the slice of `Y` at multiples of these)"},
    {"the slice starts there", What::odd_column, 128,
     "tmem T: f16[128, 16] unpacked; frag Y: f16[128, 8]; copy_async Y <- T[:, 3 +: 8];",
     R"(TM0322: a message that packs starts on an even column of the allocation, but this copy needs one at column 3 of `T`
note: the message that begins with register 0 of thread 0 would start there, at lane 0
help: start the slice of `T` at an even column)"},
    {"the slice, in a buffer at a fixed even column", What::odd_column, 128,
     "tmem T: f16[128, 16] unpacked at 64; frag Y: f16[128, 8]; copy_async Y <- T[:, 3 +: 8];",
     R"(TM0322: a message that packs starts on an even column of the allocation, but this copy needs one at column 3 of `T`
note: the message that begins with register 0 of thread 0 would start there, at lane 0
note: that is column 67 of the allocation: `T` starts at column 64
help: start the slice of `T` at an even column)"},
    {"the buffer, at a fixed column", What::odd_column, 128,
     "tmem T: f16[128, 8] unpacked at 65; frag Y: f16[128, 8]; copy_async Y <- T;",
     R"(TM0322: a message that packs starts on an even column of the allocation, but this copy needs one at column 0 of `T`
note: the message that begins with register 0 of thread 0 would start there, at lane 0
note: that is column 65 of the allocation: `T` starts at column 65
help: declare `T` at an even column of the allocation, or start the slice at an odd column of it)"},
    {"the buffer, one column behind another", What::odd_column, 128,
     "tmem B: f32[128, 16]; tmem T: f16[128, 8] unpacked at B + 1; frag Y: f16[128, 8]; copy_async Y <- T;",
     R"(TM0322: a message that packs starts on an even column of the allocation, but this copy needs one at column 0 of `T`
note: the message that begins with register 0 of thread 0 would start there, at lane 0
note: `T` starts 1 column behind the buffer that it is declared at, which starts on an even column of the allocation
help: declare `T` at an even column of the allocation, or start the slice at an odd column of it)"},
    {"the buffer, three columns behind another", What::odd_column, 128,
     "tmem B: f32[128, 16]; tmem T: f16[128, 8] unpacked at B + 3; frag Y: f16[128, 8]; copy_async Y <- T;",
     R"(TM0322: a message that packs starts on an even column of the allocation, but this copy needs one at column 0 of `T`
note: the message that begins with register 0 of thread 0 would start there, at lane 0
note: `T` starts 3 columns behind the buffer that it is declared at, which starts on an even column of the allocation
help: declare `T` at an even column of the allocation, or start the slice at an odd column of it)"},
    {"the slice, in a buffer two columns behind another", What::odd_column, 128,
     "tmem B: f32[128, 16]; tmem T: f16[128, 8] unpacked at B + 2; frag Y: f16[128, 4]; copy_async Y <- T[:, 1 +: 4];",
     R"(TM0322: a message that packs starts on an even column of the allocation, but this copy needs one at column 1 of `T`
note: the message that begins with register 0 of thread 0 would start there, at lane 0
note: `T` starts 2 columns behind the buffer that it is declared at, which starts on an even column of the allocation
help: start the slice of `T` at an even column)"},
    {"the second half of a split message", What::odd_column, 128,
     "tmem T: f16[64, 12] layout S[(4, 16, 2, 6) : (32@TLane, 1@TLane, 14@TCol, 2@TCol)]; frag Y: f16[64, 12] atom 16x32bx2; copy_async Y <- T;",
     R"(TM0322: a message that packs starts on an even column of the allocation, but this copy needs one at column 7 of `T`
note: the second half of a message, beginning with register 0 of thread 16 would start there, at lane 0
help: an even number of columns must lie between the two halves of `T`)"},
    {"the other columns live there", What::upper_half, 128,
     "tmem T: f16[128, 8] layout S[(128, 2, 4) : (1@TLane, 1@TCol, 2@TCol)]; frag Y: f16[128, 4]; copy_async T[:, 0:4] <- Y;",
     R"(TM0323: storing one element per cell to `T` would overwrite the upper half of lane 0, column 0 (register 0 of thread 0)
help: store all elements of these cells at once, or declare the buffer `unpacked`)"},
    {"four registers and two allowed", What::too_wide, 2,
     "tmem T: f32[128, 8]; frag Y: f32[128, 8] atom 16x256b; copy_async Y <- T;",
     R"(TM0325: 16x256b moves 4 registers at once, but at most 2 are allowed here
help: allow 4 registers: --max-message=4)"},
    {"two registers and one allowed", What::too_wide, 1,
     "tmem T: f32[128, 8]; frag Y: f32[128, 8] atom 16x128b; copy_async T <- Y;",
     R"(TM0325: 16x128b moves 2 registers at once, but at most 1 are allowed here
help: allow 2 registers: --max-message=2)"},
    {"columns differ", extents, 128,
     "tmem T: f32[128, 16]; frag Y: f32[128, 8]; copy_async Y <- T;",
     R"(TM0301: no tcgen05 instruction moves `Y` (f32[128, 8], atom 32x32b) from `T` (f32[128, 16], datapath D)
note: `Y` has 8 columns here, `T` has 16
help: declare `Y` with 16 columns: frag Y: f32[128, 16] atom 32x32b;)"},
    {"columns differ between slices", extents, 128,
     "tmem T: f32[128, 16]; frag Y: f32[128, 8]; copy_async Y[:, 0:4] <- T[:, 8:16];",
     R"(TM0301: no tcgen05 instruction moves `Y[:, 0:4]` (f32[128, 8], atom 32x32b) from `T[:, 8:16]` (f32[128, 16], datapath D)
note: `Y` has 4 columns here, `T` has 8
help: slice both sides alike: 128 rows and 4 columns)"},
};
// clang-format on

std::string words_of(const base::Diagnostic& refusal) {
    std::string text = std::string(refusal.kind->code) + ": " + refusal.message;
    for (const std::string& note : refusal.notes) text += "\nnote: " + note;
    for (const std::string& help : refusal.helps) text += "\nhelp: " + help;
    return text;
}

/// What the matcher itself found, before anything was put into words.
std::optional<What> obstacle_of(const sema::Kernel& kernel, int max_message) {
    for (const sema::Statement& statement : kernel.statements) {
        const auto* copy = std::get_if<sema::TmemCopy>(&statement.what);
        if (copy == nullptr) continue;
        const auto outcome =
            match::plan_copy(match::copy_of(kernel, *copy), match::limits_for(kernel.threads(), max_message));
        if (const auto* obstacle = std::get_if<match::Obstacle>(&outcome)) return obstacle->what;
    }
    return std::nullopt;
}

} // namespace

TEST_CASE("every reason for a refusal is said in these words") {
    std::map<What, int> count;
    for (const Case& each : cases) {
        CAPTURE(std::string(each.name));
        const base::Source source("case.tmx", "kernel k() { " + std::string(each.source) + " }");
        const auto parsed = grammar::parse(source);
        REQUIRE_FALSE(parsed.diagnostics.has_errors());
        const auto checked = sema::check(parsed.module);
        REQUIRE_FALSE(checked.diagnostics.has_errors());
        const auto found = obstacle_of(checked.program.kernels.at(0), each.max_message);
        CHECK((found ? static_cast<int>(*found) : -1) == (each.what ? static_cast<int>(*each.what) : -1));
        const auto refused = match::match(checked.program, {each.max_message}).diagnostics;
        REQUIRE(refused.list.size() == 1);
        CHECK(words_of(refused.list[0]) == each.words);
        if (each.what) ++count[*each.what];
    }
    for (int i = 0; exists(static_cast<What>(i)); ++i) {
        CAPTURE(i);
        CHECK(count[static_cast<What>(i)] > 0);
    }
    CHECK_FALSE(count.empty());
}
