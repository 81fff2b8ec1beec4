// Faults with their place.
#include "emulator/faults.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

// What the last .loc before the statement says.
std::optional<SourcePlace> source_of(const Executable& executable, std::size_t function,
                                     std::size_t statement) {
    const auto& locations = executable.locations[function];
    const auto after = std::find_if(locations.begin(), locations.end(),
                                    [&](const auto& each) { return each.first > statement; });
    if (after == locations.begin()) return std::nullopt;
    const ptx::Location& location = std::prev(after)->second;
    const auto file = std::find_if(executable.files.begin(), executable.files.end(),
                                   [&](const ptx::File& each) { return each.number == location.file; });
    return SourcePlace{file == executable.files.end() ? fmt::format("file {}", location.file) : file->name,
                       location.line, location.column};
}

} // namespace

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

std::uint32_t line_of(const Warp& warp, const Instruction& instruction) {
    const auto at = place_of(warp, instruction);
    return at ? warp.cta->run->executable->lines[at->first][at->second] : 0;
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
        fault.source = source_of(executable, at->first, at->second);
        fault.instruction = executable.source.text(executable.spans[at->first][at->second]);
    }
    cta.fault = std::move(fault);
}

} // namespace tmemc::emulator
