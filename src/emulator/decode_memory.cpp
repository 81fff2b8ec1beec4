// ld and st: the words of their names (space, vector, type, and hints that change nothing here) and their
// operands.
#include "emulator/decode.hpp"
#include "emulator/memory_types.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

struct SpaceRow {
    std::string_view word;
    Space space{};
};
constexpr SpaceRow spaces[] = {{"global", Space::global},
                               {"shared", Space::shared},
                               {"shared::cta", Space::shared},
                               {"param", Space::parameter},
                               {"param::entry", Space::parameter}};

struct VectorRow {
    std::string_view word;
    std::size_t elements = 1;
};
constexpr VectorRow vectors[] = {{"v2", 2}, {"v4", 4}, {"v8", 8}};

// Orderings and caching hints. A CTA runs its warps one at a time on one memory, so every access is already
// as ordered as the strongest of them asks for.
constexpr std::string_view hints[] = {"weak",    "volatile", "relaxed", "acquire", "release", "cta",
                                      "cluster", "gpu",      "sys",     "ca",      "cg",      "cs",
                                      "lu",      "cv",       "nc",      "wb",      "wt"};

struct Form {
    Space space = Space::generic;
    std::size_t elements = 1;
    const MemoryType* type = nullptr;
    MemoryOrder order;
};

// Every word but `weak` that says how an access orders others makes it strong.
void note_order(std::string_view word, MemoryOrder& order) {
    order.acquires = order.acquires || word == "acquire";
    order.releases = order.releases || word == "release";
    order.strong =
        order.strong || word == "volatile" || word == "relaxed" || order.acquires || order.releases;
}

/// Of the whole access.
std::uint32_t bytes_of(const Form& form) {
    return static_cast<std::uint32_t>(form.elements) * static_cast<std::uint32_t>(form.type->bits) / 8;
}

std::optional<Form> form(Decoding& decoding) {
    Form form;
    const Modifiers words(decoding.rest());
    for (std::string_view word : words.words()) {
        note_order(word, form.order);
        const auto named = [&](const auto& row) { return row.word == word; };
        const auto* space = std::find_if(std::begin(spaces), std::end(spaces), named);
        const auto* vector = std::find_if(std::begin(vectors), std::end(vectors), named);
        if (space != std::end(spaces))
            form.space = space->space;
        else if (vector != std::end(vectors))
            form.elements = vector->elements;
        else if (const MemoryType* type = memory_type_named(word))
            form.type = type;
        else if (std::find(std::begin(hints), std::end(hints), word) == std::end(hints) &&
                 word.substr(0, 4) != "L1::" && word.substr(0, 4) != "L2::") {
            decoding.unknown();
            return std::nullopt;
        }
    }
    if (form.type == nullptr || form.type->bits * static_cast<int>(form.elements) > 256) {
        decoding.unknown();
        return std::nullopt;
    }
    return form;
}

// The register or registers, and whether they are wider than 32 bits: all alike.
void data(Decoding& decoding, const Form& form, const ptx::Operand& operand, VectorRole role,
          Instruction& into) {
    std::vector<ptx::Operand> elements;
    if (const auto* vector = std::get_if<ptx::Vector>(&operand)) {
        for (const auto& element : vector->elements) {
            elements.push_back(std::visit([](const auto& e) { return ptx::Operand(e); }, element));
        }
    } else {
        elements.push_back(operand);
    }
    if (elements.size() != form.elements) {
        return decoding.refuse(
            fmt::format("{} registers stand where {} are accessed", elements.size(), form.elements));
    }
    std::vector<Slot> slots;
    int width = 0;
    for (const ptx::Operand& element : elements) {
        const auto [slot, bits] = role == VectorRole::source
                                      ? decoding.wide_source(element, form.type->bits)
                                      : decoding.wide_destination(element, form.type->bits);
        const bool any_width = !std::holds_alternative<ptx::Register>(element); // a constant or `_`
        if (width == 64 && bits != 64 && any_width)
            return decoding.refuse("a constant stands between wider registers");
        if (width != 0 && (width == 64) != (bits == 64))
            return decoding.refuse("the registers differ in width");
        width = bits;
        slots.push_back(slot);
    }
    decoding.vector(slots, role, into);
    into.order = form.order;
    const MemoryOperations& operations = width == 64 ? form.type->wide : form.type->narrow;
    const auto space = static_cast<std::size_t>(form.space);
    into.operation = role == VectorRole::source ? operations.store[space] : operations.load[space];
}

// [name + offset], inside that parameter.
void parameter_address(Decoding& decoding, const Form& form, const ptx::Operand& operand, Instruction& into) {
    const auto* address = std::get_if<ptx::Address>(&operand);
    const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::Symbol>(&address->base);
    if (symbol == nullptr) return decoding.refuse("a parameter is read as `[name + offset]`");
    const KernelParameter* parameter = decoding.parameter(symbol->name);
    if (parameter == nullptr)
        return decoding.refuse(fmt::format("the kernel has no parameter `{}`", symbol->name));
    const auto bytes = static_cast<std::int64_t>(form.elements) * form.type->bits / 8;
    if (address->offset < 0 || address->offset + bytes > parameter->bytes) {
        return decoding.refuse(fmt::format("`{}` has {} bytes, and bytes {} to {} are read", parameter->name,
                                           parameter->bytes, address->offset, address->offset + bytes - 1));
    }
    into.immediate = parameter->offset + address->offset;
}

} // namespace

void decode_load(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    const auto read = form(decoding);
    if (!read || !decoding.operands(text, 2, 2)) return;
    data(decoding, *read, text.operands[0], VectorRole::destination, into);
    if (read->space == Space::parameter)
        parameter_address(decoding, *read, text.operands[1], into);
    else
        decoding.address(text.operands[1], read->space, into);
}

void decode_store(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    const auto read = form(decoding);
    if (!read || !decoding.operands(text, 2, 2)) return;
    if (read->space == Space::parameter) return decoding.unknown();
    decoding.address(text.operands[0], read->space, into);
    data(decoding, *read, text.operands[1], VectorRole::source, into);
    if (read->space == Space::global || read->space == Space::generic) into.detail = bytes_of(*read);
}

} // namespace tmemc::emulator
