// The names and operands of tcgen05.alloc, dealloc and relinquish_alloc_permit. Numbers of columns that stand
// in the text are checked as ptxas checks them: those of an alloc must be a power of two from 32 to 512,
// those of a dealloc only a multiple of 32; what a register holds is checked when it runs.
//
//     tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 64;
//     tcgen05.dealloc.cta_group::1.sync.aligned.b32 %taddr, 64;
//
// Source: PTX ISA 9.7.16.7, and ptxas 13.0 (tests/data/ptxas_tcgen05.txt).
#include "emulator/decode_tensor.hpp"

namespace tmemc::emulator {

namespace {

bool take_all(Modifiers& words, std::initializer_list<std::string_view> wanted) {
    bool all = true;
    for (std::string_view word : wanted) all = words.take(word) && all;
    return all;
}

// .cta_group::1 or ::2, once.
bool take_group(Decoding& decoding, Modifiers& words) {
    const bool one = words.take("cta_group::1"), two = words.take("cta_group::2");
    if (one != two) decoding.uses_cta_group(one ? 1 : 2);
    return one != two;
}

const ptx::Immediate* columns_in_text(const ptx::Operand& operand) {
    const auto* number = std::get_if<ptx::Immediate>(&operand);
    return number != nullptr && number->form == ptx::Immediate::Form::integer ? number : nullptr;
}

// A variable is one of shared memory, whatever the name of the instruction says.
bool is_variable(const ptx::Operand& operand) {
    const auto* address = std::get_if<ptx::Address>(&operand);
    return address != nullptr && std::holds_alternative<ptx::Symbol>(address->base);
}
bool is_constant(const ptx::Operand& operand) {
    const auto* address = std::get_if<ptx::Address>(&operand);
    return address != nullptr && std::holds_alternative<ptx::Immediate>(address->base);
}

} // namespace

void decode_tensor_allocate(Decoding& decoding, const Opcode&, const ptx::Instruction& text,
                            Instruction& into) {
    if (!require_tensor_target(decoding)) return;
    Modifiers words(decoding.rest());
    const bool known = take_group(decoding, words) && take_all(words, {"sync", "aligned", "b32"});
    const bool shared = words.take("shared::cta");
    if (!known || !words.empty()) return decoding.unknown();
    if (!decoding.operands(text, 2, 2)) return;
    if (is_constant(text.operands[0])) decoding.refuse("a constant is no address of shared memory");
    // A generic address may be 32 bits wide in the text, as a shared one may.
    decoding.address(text.operands[0], Space::shared, into);
    if (!shared && !is_variable(text.operands[0])) into.space = Space::generic;
    into.in[1] = decoding.integer_source(text.operands[1], 32);
    const auto* columns = columns_in_text(text.operands[1]);
    const std::uint64_t n = columns == nullptr ? 32 : columns->bits;
    if (n < 32 || n > 512 || (n & (n - 1)) != 0)
        decoding.refuse(
            fmt::format("{} columns are no power of two from 32 to 512", static_cast<std::int64_t>(n)));
    into.collective = true;
}

void decode_tensor_free(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!require_tensor_target(decoding)) return;
    Modifiers words(decoding.rest());
    const bool known = take_group(decoding, words) && take_all(words, {"sync", "aligned", "b32"});
    if (!known || !words.empty()) return decoding.unknown();
    if (!decoding.operands(text, 2, 2)) return;
    into.in[0] = decoding.integer_source(text.operands[0], 32);
    into.in[1] = decoding.integer_source(text.operands[1], 32);
    const auto* columns = columns_in_text(text.operands[1]);
    if (columns != nullptr && columns->bits % 32 != 0)
        decoding.refuse(
            fmt::format("{} columns are no multiple of 32", static_cast<std::int64_t>(columns->bits)));
    into.collective = true;
}

void decode_tensor_relinquish(Decoding& decoding, const Opcode&, const ptx::Instruction& text,
                              Instruction& into) {
    if (!require_tensor_target(decoding)) return;
    Modifiers words(decoding.rest());
    const bool known = take_group(decoding, words) && take_all(words, {"sync", "aligned"});
    if (!known || !words.empty()) return decoding.unknown();
    decoding.operands(text, 0, 0);
    into.collective = true;
}

} // namespace tmemc::emulator
