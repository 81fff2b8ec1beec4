// Faults with their place.
#include "emulator/faults.hpp"

#include <algorithm>

namespace tmemc::emulator {

std::string register_name(const Kernel& kernel, Slot slot) {
    auto found = std::find_if(kernel.names.begin(), kernel.names.end(),
                              [&](auto& named) { return named.slot == slot; });
    return found == kernel.names.end() ? std::string("a register") : found->name;
}

std::optional<std::pair<std::size_t, std::size_t>> place_of(const Warp& warp,
                                                            const Instruction& instruction) {
    const Kernel& kernel = *warp.kernel;
    const std::uint32_t number = warp.number(instruction);
    if (number >= kernel.statement.size() || kernel.statement[number] == no_statement) return std::nullopt;
    return std::pair<std::size_t, std::size_t>{kernel.function_of[number], kernel.statement[number]};
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
    if (const auto at = place_of(warp, instruction)) { // else it is the exit at a closing brace
        const Executable& executable = *cta.run->executable;
        fault.line = executable.lines[at->first][at->second];
        fault.instruction = executable.source.text(executable.spans[at->first][at->second]);
    }
    cta.fault = std::move(fault);
}

} // namespace tmemc::emulator
