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

namespace {

/// `%p|%q`: the first becomes the text's only destination, the second's slot the immediate.
ptx::Instruction with_one_result(Decoding& decoding, const ptx::Instruction& text, Instruction& into) {
    ptx::Instruction plain = text;
    into.immediate = nowhere;
    if (text.operands.empty()) return plain;
    const auto* pair = std::get_if<ptx::Pair>(&text.operands[0]);
    if (pair == nullptr) return plain;
    const auto operand = [](const auto& side) {
        return std::visit([](const auto& one) { return ptx::Operand(one); }, side);
    };
    into.immediate = decoding.destination(operand(pair->second), 1);
    plain.operands[0] = operand(pair->first);
    return plain;
}

/// Takes the predicate behind the sources off the text: %p or !%p.
Slot take_predicate(Decoding& decoding, ptx::Instruction& text, Instruction& into) {
    const ptx::Operand last = text.operands.back();
    text.operands.pop_back();
    const auto* negated = std::get_if<ptx::Negated>(&last);
    if (negated == nullptr) return decoding.source(last, 1);
    into.detail |= negated_operand;
    return decoding.source(ptx::Register{negated->predicate}, 1);
}

/// The words behind setp or set: a comparison, how it is joined, flushing, types.
struct Comparison {
    std::string compare, types; // "lt.ftz" or "lt"
    std::optional<Boolean> joined;
};
std::optional<Comparison> read_comparison(std::string_view rest, std::size_t types) {
    static constexpr std::string_view joins[] = {"and", "or", "xor"};
    const Modifiers modifiers(rest);
    std::vector<std::string_view> words = modifiers.words();
    if (words.size() < types + 1) return std::nullopt;
    Comparison read{std::string(words[0]), std::string(words.back()), {}};
    words.resize(words.size() - types);
    std::size_t next = 1;
    const auto join =
        next < words.size() ? std::find(std::begin(joins), std::end(joins), words[next]) : std::end(joins);
    if (join != std::end(joins)) {
        read.joined = static_cast<Boolean>(join - std::begin(joins));
        ++next;
    }
    if (next < words.size() && words[next] == "ftz") {
        read.compare += ".ftz";
        ++next;
    }
    return next == words.size() ? std::optional(read) : std::nullopt;
}

} // namespace

// The constant table is no source: it is the operation's detail.
void decode_logic3(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    const bool with_predicate = !row.modifiers.empty();
    const std::size_t count = with_predicate ? 6 : 5;
    if (!decoding.operands(text, count, count)) return;
    ptx::Instruction plain = with_predicate ? with_one_result(decoding, text, into) : text;
    if (with_predicate) into.in[3] = take_predicate(decoding, plain, into);
    const auto* table = std::get_if<ptx::Immediate>(&plain.operands[4]);
    if (table == nullptr || table->bits > 255)
        return decoding.refuse("its table is a constant from 0 to 255");
    if (into.detail != 0) return decoding.refuse("its predicate is not negated");
    into.detail = static_cast<std::uint32_t>(table->bits);
    plain.operands.pop_back();
    decode_plain(decoding, row, plain, into);
}

// setp without a Boolean operator, which may have two results.
void decode_compare(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    const ptx::Instruction plain = with_one_result(decoding, text, into);
    decode_plain(decoding, row, plain, into);
    if (!text.operands.empty() && std::holds_alternative<ptx::Pair>(text.operands[0]))
        into.operation = row.other;
}

// And with one.
void decode_compare_with(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    const auto read = read_comparison(decoding.rest(), 1);
    const Opcode* row = read ? decoding.row_named("setp." + read->compare + "." + read->types) : nullptr;
    if (row == nullptr || !read->joined) return decoding.unknown();
    if (!decoding.require(row->needs) || !decoding.operands(text, 4, 4)) return;
    ptx::Instruction plain = with_one_result(decoding, text, into);
    into.detail = static_cast<std::uint32_t>(*read->joined);
    into.in[2] = take_predicate(decoding, plain, into);
    decode_operands(decoding, *row, plain, into);
    into.operation = row->other;
}

void decode_set(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    struct Yes {
        std::string_view type;
        int bits;
        std::uint64_t value;
        OperandClass kind;
    };
    static constexpr Yes values[] = {{"u32", 32, 0xffffffff, OperandClass::integer},
                                     {"s32", 32, 0xffffffff, OperandClass::integer},
                                     {"f32", 32, 0x3f800000, OperandClass::floating},
                                     {"f16", 16, 0x3c00, OperandClass::floating}};
    const auto read = read_comparison(decoding.rest(), 2);
    const Modifiers words(decoding.rest());
    const auto* yes =
        read ? std::find_if(std::begin(values), std::end(values),
                            [&](const Yes& y) { return y.type == words.words()[words.words().size() - 2]; })
             : std::end(values);
    const Opcode* compare = read ? decoding.row_named("setp." + read->compare + "." + read->types) : nullptr;
    if (compare == nullptr || yes == std::end(values) || compare->as_value == nullptr)
        return decoding.unknown();
    const std::size_t count = read->joined ? 4 : 3;
    if (!decoding.require(compare->needs) || !decoding.operands(text, count, count)) return;
    ptx::Instruction plain = text;
    into.detail = static_cast<std::uint32_t>(read->joined.value_or(Boolean::conjunction));
    if (read->joined) into.in[2] = take_predicate(decoding, plain, into);
    into.in[3] = decoding.source(ptx::Immediate{yes->value}, 32);
    Opcode row = *compare;
    row.bits[0] = yes->bits;
    row.classes[0] = yes->kind;
    decode_operands(decoding, row, plain, into);
    into.operation = compare->as_value;
}

} // namespace tmemc::emulator
