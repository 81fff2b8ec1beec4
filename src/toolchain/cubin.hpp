// What ptxas made of a kernel, read from the cubin itself: there is no other program to ask where only the
// compiler's own tools are. Kernel `k` has its code in the section .text.k and its shared memory in
// .nv.shared.k, of which the first 1024 bytes are the system's; registers are an entry of .nv.info,
//
//     format 4, attribute 0x2f (REGCOUNT), length 8:   symbol 15, registers 14
//
// whose symbol is the one that .text.k has as its sh_info; in .symtab it says whether it is an entry. Any
// bytes may be given. Source: cubins of ptxas 13.0 for sm_100a, taken apart. Not here: ELF (elf.hpp), the
// code (sass.hpp).
#pragma once

#include "toolchain/sass.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::toolchain {

struct CubinKernel {
    std::string name;
    bool entry =
        false; // else a function that kernels call: ptxas -g puts the checks of tensor memory in such
    SassCounts code;
    int registers = 0;              // of a thread; 0: the file does not say
    std::uint64_t shared_bytes = 0; // of the kernel's own variables
    bool operator==(const CubinKernel&) const = default;
};
struct Cubin {
    int architecture = 0;             // 100 for sm_100a
    std::vector<CubinKernel> kernels; // as they stand in the file
    std::string error;                // why it could not be read; empty: it was
    bool operator==(const Cubin&) const = default;
};

[[nodiscard]] Cubin read_cubin(std::string_view bytes);

} // namespace tmemc::toolchain
