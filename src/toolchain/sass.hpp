// What a kernel's machine code says of itself. An instruction of sm_100 has 128 bits, the lowest first; the
// low 12 are the opcode. LDTM and STTM, into which tcgen05.ld and st are translated, have the fields
//
//     [83..85] num: x1, x2, ... x128     [80] pack     {[87], [82], [81]} shape, as in `shape_names`
//     [40..63] and [72..79]: what is added to the address, column + (row << 16)
//
// and so has LDTM.STAT, which tcgen05.ld.red becomes. A 16x32bx2 is two of them, one for each half. The
// assembler pads a kernel with NOPs, which do not count; a NOP between instructions is a wait::ld or a
// tcgen05 fence, which look the same. Found by comparing what ptxas 13.0 makes of instructions that differ in
// one thing. Not here: where the code lies (cubin.hpp).
#pragma once

#include <cstdint>
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
    int instructions = 0;         // the branch to itself at the end and the allocation's traps among them
    int spills = 0;               // loads from and stores to local memory
    int store_waits = 0;          // tcgen05.wait::st
    int load_waits_or_fences = 0; // tcgen05.wait::ld, tcgen05.fence
    std::vector<TensorMove> moves;
    bool operator==(const SassCounts&) const = default;
};

/// `code`, a multiple of 16 bytes.
[[nodiscard]] SassCounts count_sass(std::string_view code);

} // namespace tmemc::toolchain
