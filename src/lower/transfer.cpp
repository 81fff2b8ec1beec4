// Accesses by width, and elements in and out of their registers.
#include "lower/transfer.hpp"

namespace tmemc::lower {
namespace {

/// ".v4.b32" for 16 bytes.
std::string width_suffix(int bytes) { return bytes > 4 ? ".v" + std::to_string(bytes / 4) + ".b32" : ".b32"; }

/// One register, or several in braces.
ptx::Operand data(const Access& access, const std::vector<std::string>& names) {
    if (access.registers.size() == 1)
        return ptx::Register{names.at(static_cast<std::size_t>(access.registers[0]))};
    ptx::Vector vector;
    for (const int reg : access.registers)
        vector.elements.emplace_back(ptx::Register{names.at(static_cast<std::size_t>(reg))});
    return vector;
}

std::string unsigned_suffix(int bits) { return ".u" + std::to_string(bits); }

} // namespace

ptx::Instruction inserted(const ptx::Register& into, const ptx::Operand& element, int bit, int bits,
                          const std::optional<ptx::Guard>& guard) {
    return instruction("bfi.b32", {into, element, into, constant(bit), constant(bits)}, guard);
}

/// Packing waits in its own list, so that the loads of a copy go out before anything waits for one.
void Transfer::load(const std::string& name, const Access& access, const ptx::Address& from,
                    const std::vector<std::string>& names, std::vector<ptx::Statement>& packing) {
    const std::optional<ptx::Guard> guard = text_.predicate(access.threads);
    if (access.bytes >= 4) {
        text_.body.emplace_back(
            instruction(name + width_suffix(access.bytes), {data(access, names), from}, guard));
        return;
    }
    const ptx::Register into{names.at(static_cast<std::size_t>(access.registers[0]))};
    const std::string narrow = name + unsigned_suffix(access.bytes * 8);
    if (access.fills_register && access.bit == 0) { // clears the bits that its neighbours are put into next
        text_.body.emplace_back(instruction(narrow, {into, from}, guard));
        return;
    }
    if (!access.fills_register) text_.zero_first(into.name);
    const ptx::Register element = text_.scratch();
    text_.body.emplace_back(instruction(narrow, {element, from}, guard));
    packing.emplace_back(inserted(into, element, access.bit, access.bytes * 8, guard));
}

/// Elements are moved to the low bits at once, and the stores wait in their own list.
void Transfer::store(const std::string& name, const Access& access, const ptx::Address& to,
                     const std::vector<std::string>& names, std::vector<ptx::Statement>& stores) {
    const std::optional<ptx::Guard> guard = text_.predicate(access.threads);
    if (access.bytes >= 4) {
        stores.emplace_back(instruction(name + width_suffix(access.bytes), {to, data(access, names)}, guard));
        return;
    }
    ptx::Register element{names.at(static_cast<std::size_t>(access.registers[0]))};
    if (access.bit != 0) { // a store takes the low bits of a register
        const ptx::Register shifted = text_.scratch();
        text_.body.emplace_back(instruction("shr.u32", {shifted, element, constant(access.bit)}, guard));
        element = shifted;
    }
    stores.emplace_back(instruction(name + unsigned_suffix(access.bytes * 8), {to, element}, guard));
}

} // namespace tmemc::lower
