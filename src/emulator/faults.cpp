// Faults with their place.
#include "emulator/faults.hpp"

#include <algorithm>

namespace tmemc::emulator {

std::string register_name(const Kernel& kernel, Slot slot) {
    auto found = std::find_if(kernel.names.begin(), kernel.names.end(),
                              [&](auto& named) { return named.slot == slot; });
    return found == kernel.names.end() ? std::string("a register") : found->name;
}

std::uint32_t line_of(const Warp& warp, const Instruction& instruction) {
    const Kernel& kernel = *warp.kernel;
    const std::uint32_t number = warp.number(instruction);
    if (number >= kernel.statement.size()) return 0;
    return warp.cta->run->executable->lines[kernel.function][kernel.statement[number]];
}

void record(Warp& warp, const Instruction& instruction, const base::Kind& kind, std::string message,
            Place place) {
    warp.stop = Stop::fault;
    Cta& cta = *warp.cta;
    if (cta.fault) return;
    Fault fault{.kind = &kind,
                .message = std::move(message),
                .cta = cta.id,
                .warp = warp.index,
                .thread = place.thread};
    if (place.cell) {
        fault.lane = place.cell->lane;
        fault.column = place.cell->column;
    }
    const Executable& executable = *cta.run->executable;
    const Kernel& kernel = *warp.kernel;
    const std::uint32_t number = warp.number(instruction);
    if (number < kernel.statement.size()) { // else it is the exit at the closing brace
        const std::uint32_t statement = kernel.statement[number];
        fault.line = executable.lines[kernel.function][statement];
        fault.instruction = executable.source.text(executable.spans[kernel.function][statement]);
    }
    cta.fault = std::move(fault);
}

} // namespace tmemc::emulator
