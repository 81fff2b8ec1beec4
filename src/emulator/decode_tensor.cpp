// The names and operands of tcgen05.ld, ld.red, st, wait and fence, as ptxas takes them: the words of a name
// may stand in any order, .aligned may be left out of ld and st and of nothing else, the vector stands in
// braces even when it has one register.
//
//     tcgen05.ld.sync.aligned.16x32bx2.x2.pack::16b.b32 {%r1, %r2}, [%taddr + 4], 16;
//
// Source: PTX ISA 9.7.16.8 (ld, st, wait), 9.7.16.9 (fence), and ptxas 13.0 (tests/data/ptxas_tcgen05.txt).
// Not here: allocation (decode_allocate.cpp).
#include "emulator/decode_tensor.hpp"

#include <algorithm>
#include <charconv>

namespace tmemc::emulator {

namespace {

// From which .version on a target is known at all, and with it tcgen05; before, the target itself is refused.
struct TargetRow {
    std::string_view name;
    ptx::Version since;
};
constexpr TargetRow targets[] = {{"sm_100f", {8, 8}}, {"sm_101f", {8, 8}}, {"sm_103a", {8, 8}},
                                 {"sm_103f", {8, 8}}, {"sm_110a", {9, 0}}, {"sm_110f", {9, 0}}};

std::optional<int> repetition(std::string_view word) {
    int num = 0;
    if (word.size() < 2 || word.front() != 'x') return std::nullopt;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), num);
    const bool power = num > 0 && (num & (num - 1)) == 0;
    return error == std::errc{} && end == word.data() + word.size() && power ? std::optional(num)
                                                                             : std::nullopt;
}

enum class Direction : std::uint8_t { load, reduce, store };

struct MessageName {
    const ShapeRow* shape = nullptr;
    int num = 0;
    bool packed = false;
    const LoadReduction* reduction = nullptr;
    bool absolute = false;
};

// .min or .max, .f32, .u32 or .s32, and for f32 also .abs and .NaN.
bool take_reduction(Modifiers& words, MessageName& name) {
    const std::string_view operation = words.take("min") ? "min" : words.take("max") ? "max" : "";
    std::string_view type;
    for (std::string_view each : {"f32", "u32", "s32"})
        if (type.empty() && words.take(each)) type = each;
    const bool propagates = words.take("NaN");
    name.absolute = words.take("abs");
    name.reduction = load_reduction(operation, type, propagates);
    return name.reduction != nullptr && (!name.absolute || type == "f32");
}

// .sync.aligned.SHAPE.xN{.pack::16b or .unpack::16b}.b32
std::optional<MessageName> message_name(Decoding& decoding, Direction direction) {
    Modifiers words(decoding.rest());
    MessageName name;
    bool known = words.take("sync");
    words.take("aligned");
    if (direction == Direction::reduce) {
        known = take_reduction(words, name) && known;
    } else {
        known = words.take("b32") && known;
        name.packed = words.take(direction == Direction::load ? "pack::16b" : "unpack::16b");
    }
    for (std::string_view word : words.words()) {
        if (const ShapeRow* shape = shape_row(word); shape != nullptr && name.shape == nullptr)
            name.shape = shape;
        else if (const auto num = repetition(word); num && name.num == 0)
            name.num = *num;
        else
            known = false;
    }
    known = known && name.shape != nullptr && name.num != 0 && name.num <= name.shape->max_num;
    if (known && direction == Direction::reduce) known = name.shape->reduces && name.num > 1;
    if (known) return name;
    decoding.unknown();
    return std::nullopt;
}

ptx::Operand element(const ptx::Vector& vector, std::size_t k) {
    return std::visit([](const auto& e) { return ptx::Operand(e); }, vector.elements[k]);
}

// What ptxas asks of the elements of a store beyond their width: one of them is a register, and a decimal
// float, which is 64 bits wide, does not stand among them.
void check_sources(Decoding& decoding, const ptx::Vector& vector) {
    bool has_register = false;
    for (std::size_t k = 0; k < vector.elements.size(); ++k) {
        const auto one = element(vector, k);
        has_register = has_register || std::holds_alternative<ptx::Register>(one);
        const auto* number = std::get_if<ptx::Immediate>(&one);
        if (number != nullptr && number->form == ptx::Immediate::Form::f64_bits)
            decoding.refuse("a constant of 64 bits stands among registers of 32");
    }
    if (!has_register) decoding.refuse("at least one of the values is a register");
}

std::optional<std::vector<Slot>> registers(Decoding& decoding, const ptx::Operand& operand, int count,
                                           bool load) {
    const auto* vector = std::get_if<ptx::Vector>(&operand);
    if (vector == nullptr) {
        decoding.refuse("the registers stand in braces");
        return std::nullopt;
    }
    if (vector->elements.size() != static_cast<std::size_t>(count)) {
        decoding.refuse(fmt::format("{} registers stand where {} are moved", vector->elements.size(), count));
        return std::nullopt;
    }
    if (!load) check_sources(decoding, *vector);
    std::vector<Slot> slots;
    for (std::size_t k = 0; k < vector->elements.size(); ++k) {
        const auto one = element(*vector, k);
        if (std::holds_alternative<ptx::Sink>(one)) decoding.refuse("`_` cannot be a register of a message");
        slots.push_back(load ? decoding.destination(one, 32) : decoding.source(one, 32));
    }
    return slots;
}

// Of ld.red: a register, or one in braces.
Slot reduced_register(Decoding& decoding, const ptx::Operand& operand) {
    const auto* vector = std::get_if<ptx::Vector>(&operand);
    const bool single = vector == nullptr || vector->elements.size() == 1;
    const ptx::Operand one = vector != nullptr && single ? element(*vector, 0) : operand;
    if (!single || !std::holds_alternative<ptx::Register>(one))
        decoding.refuse("the result of the reduction is one register");
    return single ? decoding.destination(one, 32) : nowhere;
}

// A tensor-memory address: [register + offset], 32 bits.
void tensor_address(Decoding& decoding, const ptx::Operand& operand, Instruction& into) {
    const auto* address = std::get_if<ptx::Address>(&operand);
    const auto* base = address == nullptr ? nullptr : std::get_if<ptx::Register>(&address->base);
    if (base == nullptr)
        return decoding.refuse("a tensor-memory address is `[register]` or `[register + offset]`");
    into.in[0] = decoding.integer_source(*base, 32);
    into.immediate = address->offset;
}

std::optional<std::uint32_t> half_split(Decoding& decoding, const ptx::Operand& operand) {
    const auto* offset = std::get_if<ptx::Immediate>(&operand);
    if (offset != nullptr && offset->form == ptx::Immediate::Form::integer)
        return static_cast<std::uint32_t>(offset->bits); // ptxas too keeps the low 32 bits without a word
    const auto* name = std::get_if<ptx::Symbol>(&operand);
    if (name != nullptr && name->name == "WARP_SZ") return std::uint32_t{warp_size};
    decoding.refuse("the offset of the second half is a constant");
    return std::nullopt;
}

bool repeats(std::vector<Slot> slots) {
    std::sort(slots.begin(), slots.end());
    return std::adjacent_find(slots.begin(), slots.end()) != slots.end();
}

} // namespace

bool require_tensor_target(Decoding& decoding) {
    const auto* row = std::find_if(std::begin(targets), std::end(targets),
                                   [&](const TargetRow& r) { return r.name == decoding.target(); });
    return row == std::end(targets) || decoding.require({row->since, 0, {}});
}

// ld: {registers}, [address] and, of a split shape, the offset of its second half; ld.red: its result behind
// the registers; st: the registers last.
void decode_tensor_message(Decoding& decoding, const Opcode& row, const ptx::Instruction& text,
                           Instruction& into) {
    if (!require_tensor_target(decoding)) return;
    const Direction direction = row.stem == "tcgen05.st"   ? Direction::store
                                : row.stem == "tcgen05.ld" ? Direction::load
                                                           : Direction::reduce;
    const bool load = direction != Direction::store;
    const auto name = message_name(decoding, direction);
    if (!name) return;
    const std::size_t results = direction == Direction::reduce ? 2 : load ? 1 : 0;
    const std::size_t count = std::max<std::size_t>(results, 1) + (name->shape->split ? 2 : 1);
    if (!decoding.operands(text, count, count)) return;
    tensor_address(decoding, text.operands[results], into);
    std::optional<std::uint32_t> split = 0;
    if (name->shape->split) split = half_split(decoding, text.operands[results + 1]);
    if (!split) return;
    Message message = make_message(*name->shape, name->num, name->packed, *split);
    auto slots = registers(decoding, text.operands[load ? 0 : count - 1], message.registers(), load);
    if (!slots) return;
    if (name->reduction != nullptr) {
        slots->push_back(reduced_register(decoding, text.operands[1]));
        message.reduction = name->reduction;
        if (name->absolute) message.reduced_bits = 0x7fffffff;
    }
    message.repeats_register = repeats(*slots);
    decoding.vector(*slots, load ? VectorRole::destination : VectorRole::source, into);
    into.detail = decoding.add(message);
    into.collective = true;
}

// tcgen05.wait::ld.sync.aligned and ::st; the fences are for one thread each and have no such words.
void decode_tensor_order(Decoding& decoding, const Opcode& row, const ptx::Instruction& text,
                         Instruction& into) {
    if (!require_tensor_target(decoding)) return;
    const bool fence = row.stem.find("fence") != std::string_view::npos;
    Modifiers words(decoding.rest());
    if (!fence && !(words.take("sync") && words.take("aligned"))) return decoding.unknown();
    if (!words.empty()) return decoding.unknown();
    decoding.operands(text, 0, 0);
    into.collective = !fence;
}

} // namespace tmemc::emulator
