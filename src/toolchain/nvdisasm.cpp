// One run of nvdisasm.
#include "toolchain/nvdisasm.hpp"

#include "toolchain/process.hpp"
#include "toolchain/ptxas.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace tmemc::toolchain {

Disassembled disassemble(const std::string& cubin) {
    Disassembled made;
    Found found = find_tool("nvdisasm");
    if (found.path.empty()) {
        made.error = "there is no nvdisasm";
        made.searched = std::move(found.searched);
        return made;
    }
    ProcessResult done = run({found.path, {"-c", "-g", "-gp", "/dev/stdin"}, cubin, std::chrono::minutes(1)});
    if (!done.started || done.timed_out || done.exit_code != 0)
        made.error = fmt::format("{} failed: {}", found.path,
                                 !done.started    ? done.error
                                 : done.timed_out ? "it took too long"
                                                  : done.errors);
    made.text = std::move(done.output);
    return made;
}

} // namespace tmemc::toolchain
