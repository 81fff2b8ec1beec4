// The names and operands of tcgen05 instructions. The words of a name may stand in any order.
// Source: PTX ISA 9.7.16.7 (allocation), 9.7.16.8 (ld, st, wait).
#include "emulator/decode.hpp"

#include <algorithm>
#include <charconv>

namespace tmemc::emulator {

namespace {

constexpr std::string_view load_stem = "tcgen05.ld";

std::optional<int> repetition(std::string_view word) {
    int num = 0;
    if (word.size() < 2 || word.front() != 'x') return std::nullopt;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), num);
    const bool power = num > 0 && (num & (num - 1)) == 0;
    return error == std::errc{} && end == word.data() + word.size() && power ? std::optional(num)
                                                                             : std::nullopt;
}

struct MessageName {
    const ShapeRow* shape = nullptr;
    int num = 0;
    bool packed = false;
};

// .sync.aligned.SHAPE.xN{.pack::16b or .unpack::16b}.b32; ptxas takes it without .aligned too.
std::optional<MessageName> message_name(Decoding& decoding, bool load) {
    Modifiers words(decoding.rest());
    MessageName name;
    bool known = words.take("sync") && words.take("b32");
    words.take("aligned");
    name.packed = words.take(load ? "pack::16b" : "unpack::16b");
    for (std::string_view word : words.words()) {
        if (const ShapeRow* shape = shape_row(word); shape != nullptr && name.shape == nullptr)
            name.shape = shape;
        else if (const auto num = repetition(word); num && name.num == 0)
            name.num = *num;
        else
            known = false;
    }
    if (known && name.shape != nullptr && name.num != 0 && name.num <= name.shape->max_num) return name;
    decoding.unknown();
    return std::nullopt;
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
    std::vector<Slot> slots;
    for (const auto& element : vector->elements) {
        const auto one = std::visit([](const auto& e) { return ptx::Operand(e); }, element);
        if (std::holds_alternative<ptx::Sink>(one)) decoding.refuse("`_` cannot be a register of a message");
        slots.push_back(load ? decoding.destination(one, 32) : decoding.source(one, 32));
    }
    return slots;
}

// A tensor-memory address: [register + offset], 32 bits.
void tensor_address(Decoding& decoding, const ptx::Operand& operand, Instruction& into) {
    const auto* address = std::get_if<ptx::Address>(&operand);
    const auto* base = address == nullptr ? nullptr : std::get_if<ptx::Register>(&address->base);
    if (base == nullptr)
        return decoding.refuse("a tensor-memory address is `[register]` or `[register + offset]`");
    into.in[0] = decoding.source(*base, 32);
    into.immediate = address->offset;
}

} // namespace

// ld: {registers}, [address] and, of a split shape, the offset of its second half; st: the registers last.
void decode_tensor_message(Decoding& decoding, const Opcode& row, const ptx::Instruction& text,
                           Instruction& into) {
    const bool load = row.stem == load_stem;
    const auto name = message_name(decoding, load);
    if (!name) return;
    const std::size_t count = name->shape->split ? 3 : 2;
    if (!decoding.operands(text, count, count)) return;
    const std::size_t first = load ? 1 : 0; // the address, and the half split behind it
    tensor_address(decoding, text.operands[first], into);
    std::uint32_t half_split = 0;
    if (name->shape->split) {
        const auto* offset = std::get_if<ptx::Immediate>(&text.operands[first + 1]);
        if (offset == nullptr) return decoding.refuse("the offset of the second half is a constant");
        half_split = static_cast<std::uint32_t>(offset->bits);
    }
    Message message = make_message(*name->shape, name->num, name->packed, half_split);
    const auto slots = registers(decoding, text.operands[load ? 0 : count - 1], message.registers(), load);
    if (!slots) return;
    std::vector<Slot> sorted = *slots;
    std::sort(sorted.begin(), sorted.end());
    message.repeats_register = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
    decoding.vector(*slots, load ? VectorRole::destination : VectorRole::source, into);
    into.detail = decoding.add(message);
    into.collective = true;
}

// tcgen05.wait::ld.sync.aligned and its like: no operands. The fences are for one thread each.
void decode_tensor_order(Decoding& decoding, const Opcode& row, const ptx::Instruction& text,
                         Instruction& into) {
    const bool fence = row.stem.find("fence") != std::string_view::npos;
    Modifiers words(decoding.rest());
    if (!fence && !(words.take("sync") && words.take("aligned"))) return decoding.unknown();
    if (row.stem == "tcgen05.relinquish_alloc_permit" && !words.take("cta_group::1"))
        return decoding.unknown();
    if (!words.empty()) return decoding.unknown();
    decoding.operands(text, 0, 0);
    into.collective = !fence;
}

void decode_tensor_allocate(Decoding& decoding, const Opcode&, const ptx::Instruction& text,
                            Instruction& into) {
    Modifiers words(decoding.rest());
    const bool known =
        words.take("cta_group::1") && words.take("sync") && words.take("aligned") && words.take("b32");
    const bool shared = words.take("shared::cta");
    if (!known || !words.empty()) return decoding.unknown();
    if (!decoding.operands(text, 2, 2)) return;
    decoding.address(text.operands[0], shared ? Space::shared : Space::generic, into);
    into.in[1] = decoding.source(text.operands[1], 32);
    into.detail = shared ? 1 : 0;
    into.collective = true;
}

void decode_tensor_free(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    Modifiers words(decoding.rest());
    const bool known =
        words.take("cta_group::1") && words.take("sync") && words.take("aligned") && words.take("b32");
    if (!known || !words.empty()) return decoding.unknown();
    if (!decoding.operands(text, 2, 2)) return;
    into.in[0] = decoding.source(text.operands[0], 32);
    into.in[1] = decoding.source(text.operands[1], 32);
    into.collective = true;
}

} // namespace tmemc::emulator
