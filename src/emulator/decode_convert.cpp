// The operands of cvt, and which operation serves it: the row's own where there is one and the registers are
// as wide as the types, shifts between integers, else the general one with its Conversion in the kernel.
#include "emulator/conversion_table.hpp"
#include "emulator/convert_integer.hpp"
#include "emulator/decode.hpp"

#include <variant>

namespace tmemc::emulator {

namespace {

void one_source(Decoding& decoding, const ConversionMatch& match, const ptx::Operand& operand, Conversion& c,
                Instruction& into) {
    const auto [slot, bits] = match.wider ? decoding.wide_source(operand, c.from.bits())
                                          : std::pair(decoding.source(operand, c.from.bits()), c.from.bits());
    into.in[0] = slot;
    c.wide_in = bits == 64;
}

void quadruple(Decoding& decoding, const ptx::Operand& operand, Instruction& into) {
    const auto* numbers = std::get_if<ptx::Vector>(&operand);
    if (numbers == nullptr || numbers->elements.size() != 4)
        return decoding.refuse("it converts {four numbers}");
    std::vector<Slot> slots;
    for (const auto& element : numbers->elements) {
        slots.push_back(
            std::visit([&](const auto& e) { return decoding.source(ptx::Operand(e), 32); }, element));
    }
    decoding.vector(slots, VectorRole::source, into);
}

void sources(Decoding& decoding, const ConversionMatch& match, const ptx::Instruction& text, Conversion& c,
             Instruction& into) {
    if (c.sources == Sources::one) return one_source(decoding, match, text.operands[1], c, into);
    if (c.sources == Sources::quad_and_random) {
        quadruple(decoding, text.operands[1], into);
        into.in[0] = decoding.source(text.operands[2], 32);
        return;
    }
    for (std::size_t k = 1; k < text.operands.size(); ++k)
        into.in[k - 1] = decoding.source(text.operands[k], 32);
}

} // namespace

void decode_convert(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    const std::string_view name = text.name;
    const auto match = conversion(name.substr(std::min(name.find('.') + 1, name.size())));
    if (!match) return decoding.refuse("cvt does not take these types and modifiers together");
    if (!decoding.has(match->or_needs) && !decoding.require(match->needs)) return;
    Conversion c = match->conversion;
    const std::size_t count = c.sources == Sources::one ? 2 : c.sources == Sources::pair_and_random ? 4 : 3;
    if (!decoding.operands(text, count, count)) return;
    const int out_bits = c.to.bits();
    const auto [out, bits] = match->wider
                                 ? decoding.wide_destination(text.operands[0], out_bits)
                                 : std::pair(decoding.destination(text.operands[0], out_bits), out_bits);
    into.out = out;
    c.wide_out = bits == 64;
    sources(decoding, *match, text, c, into);
    const bool as_wide = c.wide_out == (out_bits == 64) && c.wide_in == (c.from.bits() == 64);
    if (row.operation != nullptr && decoding.rest().empty() && as_wide) return;
    if (c.to.format->is_integer() && c.from.format->is_integer() && !c.saturate) {
        into.operation = integer_conversion(*c.to.format, c.wide_out, *c.from.format, c.wide_in);
        into.detail = static_cast<std::uint32_t>(64 - c.from.bits()) << 8 |
                      static_cast<std::uint32_t>(64 - c.to.bits());
        return;
    }
    into.operation = convert;
    into.detail = decoding.add(c);
}

} // namespace tmemc::emulator
