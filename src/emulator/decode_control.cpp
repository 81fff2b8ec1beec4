// The words of barriers, and the operands of what has a member mask. `bar` is `barrier` with `.aligned`: the
// whole warp comes together. Without it each lane comes on its own. Source: PTX ISA 9.7.13.1 to 9.7.13.4.
//
//     barrier.cta.red.and.aligned.pred %p1, 3, 64, !%p2;
//         row "barrier.cta.red"; then the reduction, .aligned, and its type; the count may be left out
//
// Not here: what the instructions do (operations_control.cpp).
#include "emulator/decode.hpp"
#include "emulator/schedule.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

bool aligned(const Opcode& row, Modifiers& words) {
    return words.take("aligned") || row.stem.find("bar.") == 0;
}

// The barrier, and behind it the threads that it waits for.
void barrier_operands(Decoding& decoding, const ptx::Instruction& text, std::size_t first, bool counted,
                      Instruction& into) {
    const auto constant = [&](std::size_t at) { return std::get_if<ptx::Immediate>(&text.operands[at]); };
    const auto* number = constant(first);
    const auto* threads = counted ? constant(first + 1) : nullptr;
    if (number != nullptr && number->bits >= barriers)
        return decoding.refuse("its barrier is a number from 0 to 15");
    if (threads != nullptr && (threads->bits == 0 || threads->bits % warp_size != 0))
        return decoding.refuse("its threads are a multiple of 32");
    into.in[0] = decoding.source(text.operands[first], 32);
    if (counted) into.in[1] = decoding.source(text.operands[first + 1], 32);
}

struct ReductionRow {
    std::string_view word, type;
    BarrierReduction reduction{};
};
constexpr ReductionRow reductions[] = {{"popc", "u32", BarrierReduction::popc},
                                       {"and", "pred", BarrierReduction::all},
                                       {"or", "pred", BarrierReduction::any}};

} // namespace

void decode_barrier(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    Modifiers words(decoding.rest());
    into.collective = aligned(row, words);
    if (!words.empty()) return decoding.unknown();
    const bool arrives = row.stem.find("arrive") != std::string_view::npos;
    if (!decoding.operands(text, arrives ? 2 : 1, 2)) return;
    barrier_operands(decoding, text, 0, text.operands.size() == 2, into);
}

void decode_barrier_reduction(Decoding& decoding, const Opcode& row, const ptx::Instruction& text,
                              Instruction& into) {
    Modifiers words(decoding.rest());
    into.collective = aligned(row, words);
    const auto* found = std::find_if(std::begin(reductions), std::end(reductions),
                                     [&](const ReductionRow& each) { return words.take(each.word); });
    if (found == std::end(reductions) || !words.take(found->type) || !words.empty())
        return decoding.unknown();
    if (!decoding.operands(text, 3, 4)) return;
    into.detail = static_cast<std::uint32_t>(found->reduction);
    into.out = decoding.destination(text.operands[0], found->reduction == BarrierReduction::popc ? 32 : 1);
    barrier_operands(decoding, text, 1, text.operands.size() == 4, into);
    into.in[2] = decoding.predicate(text.operands.back(), into.immediate);
}

void decode_cluster_barrier(Decoding& decoding, const Opcode& row, const ptx::Instruction& text,
                            Instruction& into) {
    Modifiers words(decoding.rest());
    into.collective = words.take("aligned");
    const bool waits = row.stem.find("wait") != std::string_view::npos;
    const bool ordered = waits ? words.take("acquire") : words.take("release") || words.take("relaxed");
    if (ordered && !decoding.require({{8, 0}, 90, {}})) return;
    if (!words.empty()) return decoding.unknown();
    decoding.operands(text, 0, 0);
}

void decode_warp_barrier(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty()) return decoding.unknown();
    if (!decoding.operands(text, 1, 1)) return;
    into.members = Members::anywhere;
    into.in[3] = decoding.source(text.operands[0], 32);
}

// A result, or two of them as %r|%p; sources; and the members.
void decode_warp(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty()) return decoding.unknown();
    std::size_t count = 0;
    while (count < row.bits.size() && row.bits[count] != 0) ++count;
    if (!decoding.operands(text, count, count)) return;
    const bool shuffle = row.stem.substr(0, 4) == "shfl", elect = row.stem == "elect.sync";
    const bool may_have_two = shuffle || elect || row.stem == "match.all.sync";
    const auto operand = [](const auto& part) {
        return std::visit([](const auto& each) { return ptx::Operand(each); }, part);
    };
    if (const auto* pair = std::get_if<ptx::Pair>(&text.operands[0])) {
        if (!may_have_two) return decoding.refuse("it has one result");
        if (shuffle && std::holds_alternative<ptx::Sink>(pair->first))
            return decoding.refuse("the first result is a register");
        into.out = decoding.destination(operand(pair->first), row.bits[0]);
        into.detail = decoding.destination(operand(pair->second), 1);
    } else {
        if (elect) return decoding.refuse("it has two results, %r|%p");
        if (std::holds_alternative<ptx::Sink>(text.operands[0]))
            return decoding.refuse("the result is a register");
        into.out = decoding.destination(text.operands[0], row.bits[0]);
    }
    for (std::size_t k = 1; k + 1 < count; ++k) {
        into.in[k - 1] = row.bits[k] == 1 ? decoding.predicate(text.operands[k], into.immediate)
                                          : decoding.source(text.operands[k], row.bits[k]);
    }
    into.in[3] = decoding.source(text.operands[count - 1], 32);
    into.members = Members::here;
}

void decode_sleep(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty()) return decoding.unknown();
    if (decoding.operands(text, 1, 1)) into.in[0] = decoding.source(text.operands[0], 32);
}

} // namespace tmemc::emulator
