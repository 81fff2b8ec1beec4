// What ptxas made of a kernel, read from the cubin itself: there is no other program to ask where only the
// compiler's own tools are. Kernel `k` has its code in the section .text.k and its shared memory in
// .nv.shared.k, of which the first 1024 bytes are the system's; registers are an entry of .nv.info,
//
//     format 4, attribute 0x2f (REGCOUNT), length 8:   symbol 15, registers 14
//
// whose symbol is the function of that name in .symtab, which also says whether it is an entry.
// Spills are the accesses to local memory that an entry 0x55 of .nv.info.k lists, barriers an entry 0x4c.
// Parameters have no names any more: .nv.info.k holds where each lies and how large it is,
//
//     format 4, attribute 0x17 (KPARAM_INFO), length 12:   index 0, ordinal 2, offset 12, size << 18 | ...
//
// Any bytes may be given. Source: cubins of ptxas 12.8 to 13.5 for sm_50 to sm_121, taken apart; those for
// chips before sm_100 had another header before CUDA 13. Not here: ELF (elf.hpp), the code (sass.hpp).
#pragma once

#include "toolchain/chip.hpp"
#include "toolchain/sass.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::toolchain {

struct CubinParameter {
    std::uint64_t offset = 0, bytes = 0;
    bool operator==(const CubinParameter&) const = default;
};
struct CubinKernel {
    std::string name;
    bool entry =
        false; // else a function that kernels call: ptxas -g puts the checks of tensor memory in such
    std::optional<SassCounts> code; // absent: instructions of a chip that sass.hpp does not know
    int registers = 0;              // of a thread; 0: the file does not say
    std::uint64_t shared_bytes = 0; // of the kernel's own variables
    int barriers = 0;
    std::vector<CubinParameter> parameters;
    std::optional<std::array<std::uint32_t, 3>> required_threads; // .reqntid
    bool operator==(const CubinKernel&) const = default;
};
struct Cubin {
    int architecture = 0;             // 100 for sm_100a
    bool exact = false;               // sm_100a and not sm_100: for this chip only
    std::string target;               // "sm_100f" as ptxas was told, where it says so, else chip()'s name
    std::vector<CubinKernel> kernels; // as they stand in the file
    std::string error;                // why it could not be read; empty: it was
    /// 'f' is not told from none: such code runs on the same chips.
    [[nodiscard]] Chip chip() const { return {architecture, exact ? 'a' : '\0'}; }
    bool operator==(const Cubin&) const = default;
};

[[nodiscard]] Cubin read_cubin(std::string_view bytes);

/// The PTX that a cubin with line information was made of, a line each, and where its machine code says it
/// is: lines from 1, as nvdisasm -gp numbers them. None without line information.
[[nodiscard]] std::vector<std::string> ptx_in_cubin(std::string_view bytes);

} // namespace tmemc::toolchain
