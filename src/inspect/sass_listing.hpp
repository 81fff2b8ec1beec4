// Source, PTX and machine code of a kernel beside one another: the PTX in its order, each line under the line
// of the source that its .loc names, and under it the instructions that it became, with their addresses.
//
//     roundtrip.tmx:10: copy_async T <- X;
//       tcgen05.st.sync.aligned.32x32b.x4.b32 [%taddr], {%X_0, %X_1, %X_2, %X_3};
//           0390  STTM.x4 tmem[UR5], R4
//
// ptxas reorders and shares instructions, so addresses do not ascend. Which line of the PTX an instruction
// comes from stands in a cubin with line information, beside that PTX; nvdisasm -gp prints it. Without line
// information the instructions come alone. Not here: running nvdisasm (toolchain/nvdisasm.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::inspect {

/// The text of a line (from 1) of a file that .file names, if it can be had.
using SourceLine = std::function<std::optional<std::string>(const std::string& file, std::uint32_t line)>;

/// `disassembly` is what nvdisasm -c -g -gp prints, `ptx` the lines of the PTX that went into the cubin, or
/// as toolchain::ptx_in_cubin finds them, where ptxas has left out .loc; `kernels` names what is wanted, in
/// order.
[[nodiscard]] std::string sass_listing(std::string_view disassembly, const std::vector<std::string>& ptx,
                                       const std::vector<std::string>& kernels,
                                       const SourceLine& source_line);

} // namespace tmemc::inspect
