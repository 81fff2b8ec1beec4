// Instructions of a destination and up to four sources, and mov with its vectors.
#include "emulator/decode.hpp"

#include <variant>

namespace tmemc::emulator {

void decode_plain(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty()) return decoding.unknown();
    decode_operands(decoding, row, text, into);
}

void decode_operands(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    std::size_t count = 0;
    while (count < row.bits.size() && row.bits[count] > 0) ++count;
    if (!decoding.operands(text, count, count) || count == 0) return;
    into.out = decoding.destination(text.operands[0], row.bits[0]);
    for (std::size_t k = 1; k < count; ++k) into.in[k - 1] = decoding.source(text.operands[k], row.bits[k]);
    for (std::size_t k = 0; k < count; ++k)
        decoding.check_class(text.operands[k], row.classes[k], row.bits[k]);
    if (count < row.bits.size() && row.bits[count] == carry_flag) into.in[count - 1] = decoding.carry();
}

namespace {

// The parts of a register of `bits` bits: all equally wide, 16 bits at least.
std::optional<int> part_bits(Decoding& decoding, const ptx::Vector& vector, int bits) {
    const int count = static_cast<int>(vector.elements.size());
    if (count == 2 || (count == 4 && bits == 64)) return bits / count;
    decoding.refuse(fmt::format("{} elements do not share {} bits", count, bits));
    return std::nullopt;
}

ptx::Operand operand(const decltype(ptx::Vector::elements)::value_type& element) {
    return std::visit([](const auto& e) { return ptx::Operand(e); }, element);
}

} // namespace

void decode_move(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty()) return decoding.unknown();
    if (!decoding.operands(text, 2, 2)) return;
    const auto* to = std::get_if<ptx::Vector>(&text.operands[0]);
    const auto* from = std::get_if<ptx::Vector>(&text.operands[1]);
    if (to == nullptr && from == nullptr) return decode_plain(decoding, row, text, into);
    if ((to != nullptr && from != nullptr) || row.pack == nullptr)
        return decoding.refuse("one side is a vector");
    const auto bits = part_bits(decoding, to != nullptr ? *to : *from, row.bits[0]);
    if (!bits) return;
    std::vector<Slot> slots;
    if (from != nullptr) {
        for (const auto& element : from->elements) slots.push_back(decoding.source(operand(element), *bits));
        into.out = decoding.destination(text.operands[0], row.bits[0]);
    } else {
        for (const auto& element : to->elements)
            slots.push_back(decoding.destination(operand(element), *bits));
        into.in[0] = decoding.source(text.operands[1], row.bits[0]);
    }
    decoding.vector(slots, from != nullptr ? VectorRole::source : VectorRole::destination, into);
    into.operation = from != nullptr ? row.pack : row.unpack;
}

} // namespace tmemc::emulator
