// Faults with their place.
#include "emulator/faults.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

// What the last .loc before the statement says.
std::optional<SourcePlace> source_of(const Executable& executable, const Kernel& kernel,
                                     std::uint32_t statement) {
    const auto after = std::find_if(kernel.locations.begin(), kernel.locations.end(),
                                    [&](const auto& each) { return each.first > statement; });
    if (after == kernel.locations.begin()) return std::nullopt;
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
        fault.source = source_of(executable, kernel, statement);
        fault.instruction = executable.source.text(executable.spans[kernel.function][statement]);
    }
    cta.fault = std::move(fault);
}

} // namespace tmemc::emulator
