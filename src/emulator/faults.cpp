// Faults with their place, and instructions as text.
#include "emulator/faults.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

template <class... F> struct Overloaded : F... {
    using F::operator()...;
};
template <class... F> Overloaded(F...) -> Overloaded<F...>;

std::string to_text(const ptx::Immediate& immediate) {
    switch (immediate.form) {
    case ptx::Immediate::Form::integer: return std::to_string(static_cast<std::int64_t>(immediate.bits));
    case ptx::Immediate::Form::f32_bits: return fmt::format("0f{:08X}", immediate.bits);
    case ptx::Immediate::Form::f64_bits: return fmt::format("0d{:016X}", immediate.bits);
    }
    return {};
}

// Registers, symbols, immediates and sinks: what a vector or an address holds.
template <class Variant> std::string simple_text(const Variant& operand) {
    return std::visit(Overloaded{[](const ptx::Immediate& i) { return to_text(i); },
                                 [](const ptx::Sink&) { return std::string("_"); },
                                 [](const auto& named) { return named.name; }},
                      operand);
}

std::string to_text(const ptx::Address& address) {
    std::string base = simple_text(address.base);
    if (address.offset == 0) return "[" + base + "]";
    return fmt::format("[{} + {}]", base, address.offset);
}

std::string to_text(const ptx::Vector& vector) {
    std::string text;
    for (const auto& element : vector.elements) text += (text.empty() ? "" : ", ") + simple_text(element);
    return "{" + text + "}";
}

std::string to_text(const ptx::Operand& operand) {
    return std::visit(Overloaded{[](const ptx::Immediate& i) { return to_text(i); },
                                 [](const ptx::Sink&) { return std::string("_"); },
                                 [](const ptx::Register& r) { return r.name; },
                                 [](const ptx::Symbol& s) { return s.name; },
                                 [](const auto& composed) { return to_text(composed); }},
                      operand);
}

} // namespace

std::string to_text(const ptx::Instruction& instruction) {
    std::string text;
    if (instruction.guard) {
        text += fmt::format("@{}{} ", instruction.guard->negated ? "!" : "", instruction.guard->predicate);
    }
    text += instruction.name;
    const char* separator = " ";
    for (const auto& operand : instruction.operands) {
        text += separator + to_text(operand);
        separator = ", ";
    }
    return text + ";";
}

std::string register_name(const Kernel& kernel, Slot slot) {
    auto found = std::find_if(kernel.names.begin(), kernel.names.end(), [&](auto& named) { return named.slot == slot; });
    return found == kernel.names.end() ? std::string("a register") : found->name;
}

void record(Warp& warp, const Instruction& instruction, const base::Kind& kind, std::string message, Place place) {
    warp.stop = Stop::fault;
    Cta& cta = *warp.cta;
    if (cta.fault) return;
    Fault fault{.kind = &kind, .message = std::move(message), .cta = cta.id, .warp = warp.index, .thread = place.thread};
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
        fault.instruction =
            to_text(std::get<ptx::Instruction>(executable.module.functions[kernel.function].body[statement]));
    }
    cta.fault = std::move(fault);
}

} // namespace tmemc::emulator
