// Branches, exits and barriers.
// Source: PTX ISA 9.7.12 (control flow), 9.7.13 (barrier, bar.warp.sync).
#include "emulator/decode.hpp"
#include "emulator/faults.hpp"
#include "emulator/lanes.hpp"
#include "emulator/schedule.hpp"

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

// in[0]: the barrier; in[1]: the threads it waits for, `truth` when it names none.
void barrier(Warp& warp, const Instruction& i, Mask mask) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
    const std::uint32_t number = warp.registers[i.in[0]].word[lane];
    const std::uint32_t count = i.in[1] == truth ? 0 : warp.registers[i.in[1]].word[lane];
    if (number >= barriers)
        return raise(warp, i, {}, catalogue::bad_barrier, fmt::format("there is no barrier {}", number));
    if (count % warp_size != 0 || (count == 0 && i.in[1] != truth)) {
        return raise(warp, i, {}, catalogue::bad_barrier,
                     fmt::format("{} threads are no whole number of warps", count));
    }
    arrive(warp, number, count);
}

constexpr Opcode rows[] = {
    {"bra", "", {}, decode_branch, [](Warp& w, const Instruction& i, Mask m) { branch(w, i.detail, m); }},
    {"ret", "", {}, decode_plain, leave},
    {"exit", "", {}, decode_plain, leave},
    {"bar.sync", "", {}, decode_barrier, barrier},
    needing({{7, 8}}, {"bar.cta.sync", "", {}, decode_barrier, barrier}),
    {"barrier.sync.aligned", "", {}, decode_barrier, barrier},
    needing({{7, 8}}, {"barrier.cta.sync.aligned", "", {}, decode_barrier, barrier}),
    // The warp has come together before the operation runs; there is nothing left to do.
    {"bar.warp.sync", "", {}, decode_warp_barrier, [](Warp&, const Instruction&, Mask) {}},
};

} // namespace

void decode_branch(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty() && decoding.rest() != "uni") return decoding.unknown();
    if (decoding.operands(text, 1, 1)) into.detail = decoding.label(text.operands[0]);
}

void decode_barrier(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty()) return decoding.unknown();
    if (!decoding.operands(text, 1, 2)) return;
    into.collective = true;
    into.in[0] = decoding.source(text.operands[0], 32);
    if (text.operands.size() == 2) into.in[1] = decoding.source(text.operands[1], 32);
}

void decode_warp_barrier(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty()) return decoding.unknown();
    if (!decoding.operands(text, 1, 1)) return;
    const auto* members = std::get_if<ptx::Immediate>(&text.operands[0]);
    if (members == nullptr || (members->bits & all_lanes) != all_lanes) {
        return decoding.refuse("the emulator knows it for the whole warp, with the member mask 0xffffffff");
    }
    into.collective = true;
}

std::span<const Opcode> control_rows() { return rows; }

} // namespace tmemc::emulator
