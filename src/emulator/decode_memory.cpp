// The names of ld, ldu and st, and their operands. A name is a set of words, at most one of each kind, in any
// order; what each needs is in a table, and which of them go together in the few rules of check():
//
//     ld.relaxed.gpu.global.L1::no_allocate.L2::cache_hint.v2.f32 {%f0, %f1}, [%d0], %d1;
//        order   scope space     L1             hint      vector type                policy
//
// One memory serves all threads, and caches are not there: order matters only between CTAs that run on
// different threads of the host, the rest not at all. Source: PTX ISA 9.7.9 (ld, ld.global.nc, ldu, st). Not
// here: what they do (operations_memory.cpp).
#include "emulator/decode.hpp"
#include "emulator/memory_types.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

enum Kind : std::uint8_t {
    order,
    mmio,
    scope,
    space,
    cache,
    nc,
    level1,
    level2,
    hint,
    prefetch,
    vector,
    kinds
};
constexpr std::uint8_t in_ld = 1, in_st = 2, in_ldu = 4, anywhere = 7;

struct Word {
    std::string_view word;
    Kind kind{};
    std::uint8_t where = anywhere;
    Needs needs{};
    Space space{};
    std::size_t elements = 1;
};
constexpr Needs v74{{7, 4}, 75, {}}, v74_sm80{{7, 4}, 80, {}}, v78{{7, 8}, 75, {}}, v78_sm90{{7, 8}, 90, {}};
constexpr Needs v82{{8, 2}, 75, {}}, v83{{8, 3}, 75, {}}, v88_sm100{{8, 8}, 100, {}};
constexpr Word words[] = {
    {"weak", order, in_ld | in_st},
    {"volatile", order, in_ld | in_st},
    {"relaxed", order, in_ld | in_st},
    {"acquire", order, in_ld},
    {"release", order, in_st},
    {"mmio", mmio, in_ld | in_st, v82},
    {"cta", scope, in_ld | in_st},
    {"cluster", scope, in_ld | in_st, v78_sm90},
    {"gpu", scope, in_ld | in_st},
    {"sys", scope, in_ld | in_st},
    {"global", space, anywhere, {}, Space::global},
    {"shared", space, in_ld | in_st, {}, Space::shared},
    {"shared::cta", space, in_ld | in_st, v78, Space::shared},
    {"shared::cluster", space, in_ld | in_st, v78_sm90, Space::shared},
    {"local", space, in_ld | in_st, {}, Space::local},
    {"const", space, in_ld, {}, Space::constant},
    {"param", space, in_ld | in_st, {}, Space::parameter},
    {"param::entry", space, in_ld, v83, Space::parameter},
    {"param::func", space, in_ld | in_st, v83, Space::parameter},
    {"ca", cache, in_ld},
    {"cg", cache, in_ld | in_st},
    {"cs", cache, in_ld | in_st},
    {"lu", cache, in_ld},
    {"cv", cache, in_ld},
    {"wb", cache, in_st},
    {"wt", cache, in_st},
    {"nc", nc, in_ld},
    {"L1::evict_normal", level1, in_ld | in_st, v74},
    {"L1::evict_unchanged", level1, in_ld | in_st, v74},
    {"L1::evict_first", level1, in_ld | in_st, v74},
    {"L1::evict_last", level1, in_ld | in_st, v74},
    {"L1::no_allocate", level1, in_ld | in_st, v74},
    {"L2::evict_normal", level2, in_ld | in_st, v88_sm100},
    {"L2::evict_first", level2, in_ld | in_st, v88_sm100},
    {"L2::evict_last", level2, in_ld | in_st, v88_sm100},
    {"L2::cache_hint", hint, in_ld | in_st, v74_sm80},
    {"L2::64B", prefetch, in_ld, v74},
    {"L2::128B", prefetch, in_ld, v74},
    {"L2::256B", prefetch, in_ld, v74_sm80},
    {"v2", vector, anywhere, {}, {}, 2},
    {"v4", vector, anywhere, {}, {}, 4},
    {"v8", vector, in_ld | in_st, {}, {}, 8},
};

struct Form {
    std::array<const Word*, kinds> is{}; // by kind
    const MemoryType* type = nullptr;
    [[nodiscard]] Space space() const {
        return is[Kind::space] != nullptr ? is[Kind::space]->space : Space::generic;
    }
    [[nodiscard]] std::size_t elements() const { return is[vector] != nullptr ? is[vector]->elements : 1; }
    [[nodiscard]] bool has(Kind kind, std::string_view word) const {
        return is[kind] != nullptr && is[kind]->word == word;
    }
    /// Of the whole access.
    [[nodiscard]] int bits() const { return static_cast<int>(elements()) * type->bits; }
};

// Why the words do not go together; empty when they do.
std::string_view check(const Form& form) {
    const auto given = [&](Kind kind) { return form.is[kind] != nullptr; };
    const Space space = form.space();
    const bool cached = space == Space::global || space == Space::generic;
    const bool strong =
        form.has(order, "relaxed") || form.has(order, "acquire") || form.has(order, "release");
    const bool sharable = cached || space == Space::shared;
    if (strong != given(scope))
        return ".relaxed, .acquire and .release have a scope, and nothing else has one";
    if (given(mmio) && (!form.has(order, "relaxed") || !form.has(scope, "sys") || !cached))
        return ".mmio goes with .relaxed.sys, on global memory";
    if (given(order) && !form.has(order, "weak") && !sharable)
        return "an order stronger than .weak is for memory that threads share";
    if (given(cache) && given(order) && !form.has(order, "weak"))
        return "a cache operator goes with weak accesses";
    if (given(nc) && (space != Space::global || (given(order) && !form.has(order, "weak"))))
        return ".nc goes with weak accesses to .global";
    if ((given(level1) || given(level2) || given(hint) || given(prefetch)) && !cached)
        return "hints to the caches are for global memory";
    if ((given(level1) || given(level2)) && (given(cache) || form.has(order, "volatile") || given(mmio)))
        return "an eviction priority stands alone";
    if (form.bits() > 256 || (form.bits() > 128 && form.type->bits < 32) ||
        (form.type->bits == 128 && given(vector)))
        return "an access has at most 128 bits, or 256 as eight words or four doublewords";
    if (form.bits() > 128 && !cached) return "only global memory is accessed in 256 bits";
    if (given(level2) && form.bits() != 256) return "an L2 eviction priority goes with 256 bits";
    return {};
}

std::optional<Form> form(Decoding& decoding, std::uint8_t where) {
    Form form;
    const auto unknown = [&] {
        decoding.unknown();
        return std::nullopt;
    };
    const Modifiers given(decoding.rest());
    for (std::string_view text : given.words()) {
        const auto* word = std::find_if(std::begin(words), std::end(words), [&](const Word& each) {
            return each.word == text && (each.where & where) != 0;
        });
        const MemoryType* type = memory_type_named(text);
        if (word != std::end(words) && form.is[word->kind] == nullptr) {
            if (!decoding.require(word->needs)) return std::nullopt;
            form.is[word->kind] = word;
        } else if (type != nullptr && form.type == nullptr) {
            form.type = type;
        } else {
            return unknown();
        }
    }
    if (form.type == nullptr) return unknown();
    if (const std::string_view why = check(form); !why.empty()) {
        decoding.refuse(why);
        return std::nullopt;
    }
    if (form.type->bits == 128 && !decoding.require(v83)) return std::nullopt;
    if (form.bits() == 256 && !decoding.require(v88_sm100)) return std::nullopt;
    return form;
}

std::vector<ptx::Operand> elements(const ptx::Operand& operand) {
    const auto* vector = std::get_if<ptx::Vector>(&operand);
    if (vector == nullptr) return {operand};
    std::vector<ptx::Operand> list;
    for (const auto& element : vector->elements)
        list.push_back(std::visit([](const auto& e) { return ptx::Operand(e); }, element));
    return list;
}

// The register or registers, and whether they are wider than 32 bits: all alike.
void data(Decoding& decoding, const Form& form, const ptx::Operand& operand, VectorRole role,
          Instruction& into) {
    const std::vector<ptx::Operand> list = elements(operand);
    if (list.size() != form.elements()) {
        return decoding.refuse(
            fmt::format("{} registers stand where {} are accessed", list.size(), form.elements()));
    }
    const bool source = role == VectorRole::source;
    std::vector<Slot> slots;
    int width = 0;
    for (const ptx::Operand& element : list) {
        if (std::holds_alternative<ptx::Sink>(element)) {
            into.sinks = true;
            slots.push_back(nowhere);
            continue;
        }
        const auto [slot, bits] = source ? decoding.wide_source(element, form.type->bits)
                                         : decoding.wide_destination(element, form.type->bits);
        const bool any_width = !std::holds_alternative<ptx::Register>(element); // a constant
        if (width > 32 && bits != width && any_width)
            return decoding.refuse("a constant stands between wider registers");
        if (width != 0 && (width > 32 || bits > 32) && width != bits)
            return decoding.refuse("the registers differ in width");
        width = bits;
        slots.push_back(slot);
    }
    if (into.sinks && (width == 0 || (source && form.bits() != 256)))
        return decoding.refuse("`_` does not stand here");
    decoding.vector(slots, role, into);
    const MemoryOperations& operations = width > 32 ? form.type->wide : form.type->narrow;
    into.operation = source ? operations.store : operations.load;
    into.order.acquires = form.has(order, "acquire");
    into.order.releases = form.has(order, "release");
    into.order.strong = form.is[order] != nullptr && !form.has(order, "weak");
    into.ordered = form.is[order] != nullptr && !form.has(order, "weak");
}

// True of `[name]` with the `.param` of a function or of a call: a place in the frame.
bool in_frame(const Decoding& decoding, const ptx::Operand& operand) {
    const auto* address = std::get_if<ptx::Address>(&operand);
    const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::Symbol>(&address->base);
    return symbol != nullptr && decoding.in_frame(symbol->name);
}

/// Structures are passed with their padding, which nobody has written: that is no use of it.
void move_marks(const Form& form, Instruction& into) {
    if (form.type->bits == 128) return;
    into.moves = true;
    into.vector_role = VectorRole::none; // nothing has to be ready, and what is afterwards the marks say
}

// [name + offset], inside that parameter, or [register + offset].
void parameter_address(Decoding& decoding, const Form& form, const ptx::Operand& operand, Instruction& into) {
    const auto* address = std::get_if<ptx::Address>(&operand);
    const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::Symbol>(&address->base);
    if (in_frame(decoding, operand)) return decoding.address(operand, Space::local, into);
    if (symbol == nullptr) return decoding.address(operand, Space::parameter, into);
    const KernelParameter* parameter = decoding.parameter(symbol->name);
    if (parameter == nullptr)
        return decoding.refuse(fmt::format("the kernel has no parameter `{}`", symbol->name));
    const std::int64_t bytes = form.bits() / 8;
    if (address->offset < 0 || address->offset + bytes > parameter->bytes) {
        return decoding.refuse(fmt::format("`{}` has {} bytes, and bytes {} to {} are read", parameter->name,
                                           parameter->bytes, address->offset, address->offset + bytes - 1));
    }
    decoding.address(operand, Space::parameter, into);
}

// The operand behind the others that an L2::cache_hint has.
bool operands(Decoding& decoding, const Form& form, const ptx::Instruction& text) {
    const std::size_t count = form.is[hint] != nullptr ? 3 : 2;
    if (!decoding.operands(text, count, count)) return false;
    if (count == 3) static_cast<void>(decoding.source(text.operands[2], 64));
    return true;
}

} // namespace

void decode_load(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    const auto read = form(decoding, row.stem == "ldu" ? in_ldu : in_ld);
    if (!read || !operands(decoding, *read, text)) return;
    if (row.stem == "ldu" && read->type->bits == 128) return decoding.unknown();
    data(decoding, *read, text.operands[0], VectorRole::destination, into);
    if (read->space() == Space::parameter && in_frame(decoding, text.operands[1])) move_marks(*read, into);
    if (read->space() == Space::parameter)
        parameter_address(decoding, *read, text.operands[1], into);
    else
        decoding.address(text.operands[1], read->space(), into);
}

void decode_store(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    const auto read = form(decoding, in_st);
    if (!read || !operands(decoding, *read, text)) return;
    const bool parameter = read->space() == Space::parameter;
    if (parameter && !in_frame(decoding, text.operands[0])) return decoding.unknown();
    decoding.address(text.operands[0], parameter ? Space::local : read->space(), into);
    data(decoding, *read, text.operands[1], VectorRole::source, into);
    if (parameter) move_marks(*read, into);
    if (read->space() == Space::global || read->space() == Space::generic)
        into.detail = static_cast<std::uint32_t>(read->bits() / 8);
}

} // namespace tmemc::emulator
