// mov from a special register that changes, and from a whole vector of them:
//
//     mov.u32 %r0, %clock;                         read when the instruction executes
//     mov.v4.u32 {%r0, %r1, %r2, %r3}, %ctaid;     four registers; the last becomes 0
//
// Source: PTX ISA chapter 10. Not here: their values (special.cpp), and reading the others, which are slots
// like any register's.
#include "emulator/decode.hpp"
#include "emulator/lanes.hpp"
#include "emulator/special.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

void move_vector(Warp& warp, const Instruction& i, Mask mask) {
    for (std::size_t k = 0; k < i.in.size(); ++k) {
        const Row from = warp.registers[i.in[k]];
        const Slot to = warp.vector(i)[k];
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            if ((mask >> lane & 1) != 0) warp.registers[to].word[lane] = from.word[lane];
    }
}

} // namespace

bool decode_clock(Decoding& decoding, const ptx::Instruction& text, Instruction& into) {
    const auto* named = text.operands.size() == 2 ? std::get_if<ptx::Register>(&text.operands[1]) : nullptr;
    const auto row = named == nullptr ? std::nullopt : special_row(named->name);
    if (!row || !special_rows()[*row].changes) return false;
    const std::string type = text.name.substr(std::min<std::size_t>(text.name.size(), 4));
    const std::string bits = std::to_string(special_rows()[*row].bits);
    if (type != "u" + bits && type != "b" + bits && type != "s" + bits) {
        decoding.refuse(fmt::format("`{}` has {} bits", named->name, bits));
    } else {
        into.out = decoding.destination(text.operands[0], special_rows()[*row].bits);
        into.detail = static_cast<std::uint32_t>(*row);
        into.operation = read_clock;
    }
    return true;
}

void decode_move_vector(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty()) return decoding.unknown();
    if (!decoding.operands(text, 2, 2)) return;
    const auto* to = std::get_if<ptx::Vector>(&text.operands[0]);
    const auto* from = std::get_if<ptx::Register>(&text.operands[1]);
    if (to == nullptr || to->elements.size() != 4)
        return decoding.refuse("four registers in braces stand here");
    if (from == nullptr || !special_row(from->name + ".x"))
        return decoding.refuse("a vector of special registers stands here, such as %tid");
    std::vector<Slot> slots;
    for (std::size_t k = 0; k < 4; ++k) {
        const auto operand = std::visit([](const auto& each) { return ptx::Operand(each); }, to->elements[k]);
        slots.push_back(decoding.destination(operand, 32));
        into.in[k] = decoding.source(ptx::Register{from->name + "." + "xyzw"[k]}, 32);
    }
    decoding.vector(slots, VectorRole::destination, into);
}

std::span<const Opcode> special_opcode_rows() {
    static constexpr Opcode rows[] = {{"mov.v4", "u32", {}, decode_move_vector, move_vector},
                                      {"mov.v4", "b32", {}, decode_move_vector, move_vector}};
    return rows;
}

} // namespace tmemc::emulator
