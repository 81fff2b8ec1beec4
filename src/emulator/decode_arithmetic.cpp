// Instructions whose operands are not all plain: those with a carry, with two results or a Boolean operator,
// with a table as a constant, or with two or three sources under one name:
//
//     setp.lt.and.f32 %p0|%p1, %f0, %f1, !%p2;     the row setp.lt.f32, joined by `and`
//     set.lt.u32.f32 %r0, %f0, %f1;                the same row's operation that gives a value
//     min.f32 %f0, %f1, %f2, %f3;                  the row min.f32, its operation on three
//
// Source: PTX ISA 9.7.1.12, 9.7.2, 9.7.6, 9.7.8.6.
#include "emulator/boolean.hpp"
#include "emulator/decode.hpp"

#include <algorithm>
#include <variant>

namespace tmemc::emulator {

void decode_carry(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    decode_plain(decoding, row, text, into);
    into.detail = decoding.carry();
}

void decode_extreme(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    const bool three = text.operands.size() == 4 && row.other != nullptr;
    if (!three) {
        if (row.operation == nullptr) return decoding.refuse("it takes three sources");
        return decode_plain(decoding, row, text, into);
    }
    if (!decoding.require({{8, 8}, 100})) return;
    Opcode of_three = row;
    of_three.bits[3] = row.bits[2];
    of_three.classes[3] = row.classes[2];
    decode_plain(decoding, of_three, text, into);
    into.operation = row.other;
}

void decode_logic3(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.operands(text, 5, 5)) return;
    const auto* table = std::get_if<ptx::Immediate>(&text.operands[4]);
    if (table == nullptr || table->bits > 255) return decoding.refuse("its table is a constant from 0 to 255");
    ptx::Instruction plain = text;
    plain.operands.pop_back();
    decode_plain(decoding, row, plain, into);
    into.detail = static_cast<std::uint32_t>(table->bits);
}
void decode_compare(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    decode_plain(decoding, row, text, into);
}
void decode_compare_with(Decoding& decoding, const Opcode&, const ptx::Instruction&, Instruction&) {
    decoding.unknown();
}
void decode_set(Decoding& decoding, const Opcode&, const ptx::Instruction&, Instruction&) {
    decoding.unknown();
}

} // namespace tmemc::emulator
