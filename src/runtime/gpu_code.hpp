// From what a caller has, PTX or a cubin, to what cuModuleLoadDataEx gets. PTX is assembled by a ptxas that
// knows the GPU, else it goes to the driver's own compiler, whose log becomes diagnostics too; a cubin goes
// as it is. Code says what chip it is for (`.target sm_100a`, a cubin's flags), and what does not fit the GPU
// is refused here, in words, instead of by the driver with a number.
#pragma once

#include "runtime/gpu.hpp"
#include "toolchain/chip.hpp"
#include "toolchain/process.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmemc::runtime {

/// What the code says that it is for; absent, with a sentence, when it says nothing that is understood.
[[nodiscard]] std::optional<toolchain::Chip> chip_of(const Code& code, std::string& error);

struct Image {
    std::string bytes;             // empty: the diagnostics say why
    bool text = false;             // PTX, for the driver's compiler
    base::Diagnostics diagnostics; // of ptxas, against the PTX text
};
/// Assembles PTX, when there is a ptxas that knows the GPU. The code must fit the GPU.
[[nodiscard]] Image image_of(const Code& code, const GpuInfo& gpu, const GpuOptions& options);

/// The programs that image_of() runs, for -###.
[[nodiscard]] std::vector<toolchain::Command> tool_commands(const Code& code, const GpuInfo& gpu,
                                                            const GpuOptions& options);

/// What the driver's compiler said of PTX, as diagnostics against its text; none when it named no line.
[[nodiscard]] base::Diagnostics diagnostics_of(const std::string& log, const Code& code);

} // namespace tmemc::runtime
