// What a kernel's machine code says of itself. An instruction has 128 bits from sm_70 on, the lowest first;
// the low 12 are the opcode. LDTM and STTM, into which tcgen05.ld and st are translated, have the fields
//
//     [83..85] num: x1, x2, ... x128     [80] pack     {[87], [82], [81]} shape, as in `shape_names`
//     [40..63] and [72..79]: what is added to the address, column + (row << 16)
//
// and so has LDTM.STAT, which tcgen05.ld.red becomes. A 16x32bx2 is two of them, one for each half. An
// allocation asks for blocks of 32 columns, as many as the uniform register of its UTCATOMSWS holds, again
// and again until it gets them. The assembler pads a kernel with NOPs, which do not count.
//
// A wait::ld is a NOP too, and so are the tcgen05 fences: which is which stands in a second form of the code
// that is kept beside it, .nv.capmerc.text.KERNEL, an entry for each instruction. Found by comparing what
// ptxas makes of instructions that differ in one thing (13.0; 12.8, 12.9 and 13.5 write the same). Not here:
// where the code lies (cubin.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::toolchain {

/// An LDTM or STTM.
struct TensorMove {
    bool store = false;
    std::string shape; // "32x32b"; of 16x32bx2 one half
    int num = 1;       // of .xN
    bool packed = false;
    std::int32_t offset = 0; // column + (row << 16)
    bool operator==(const TensorMove&) const = default;
};
struct SassCounts {
    int instructions = 0; // the branch to itself at the end and the allocation's traps among them
    int spill_stores = 0, spill_loads = 0; // bytes, as ptxas -v counts them
    int store_waits = 0;                   // tcgen05.wait::st
    std::optional<int> load_waits;  // tcgen05.wait::ld; absent: the file does not tell them from fences
    std::optional<int> columns = 0; // of all tcgen05.alloc together; absent: one does not ask for a constant
    std::vector<TensorMove> moves;
    bool operator==(const SassCounts&) const = default;
};

/// The code and what its file says of it elsewhere.
struct Code {
    std::string_view bytes;   // a multiple of 16
    std::string_view mercury; // .nv.capmerc.text.KERNEL; empty: none
    std::optional<std::vector<std::uint64_t>>
        spills; // where they stand in the code, ascending; absent: not said
};
[[nodiscard]] SassCounts count_sass(const Code& code);

/// Whether the code of compute capability `architecture` (100 for 10.0) has the encoding above.
[[nodiscard]] bool sass_known(int architecture);

} // namespace tmemc::toolchain
