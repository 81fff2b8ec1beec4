// mov: a register, a constant or an address into a register, and the packing of several registers into a
// wider one and back. The first element of a vector is the lowest part. Source: PTX ISA 9.7.9 (mov).
#include "emulator/lanes.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

template <class U>
void pack(Warp& warp, const Instruction& i, Mask mask) {
    const Destination<U> out(warp, i.out);
    const Source<U> so_far(warp, i.out);
    const unsigned bits = 8 * sizeof(U) / i.vector_count; // of an element
    const U ones = static_cast<U>((U{2} << (bits - 1)) - 1);
    const Slot* element = warp.vector(i);
    for (unsigned k = 0; k < i.vector_count; ++k) {
        const Source<std::uint32_t> part(warp, element[k]);
        const U keep = k == 0 ? U{0} : static_cast<U>(~U{0});
        const unsigned shift = bits * k;
        each_lane(mask, [&](int lane) {
            out.set(lane,
                    static_cast<U>((so_far[lane] & keep) | (static_cast<U>(part[lane]) & ones) << shift));
        });
    }
}

template <class U>
void unpack(Warp& warp, const Instruction& i, Mask mask) {
    const Source<U> whole(warp, i.in[0]);
    const unsigned bits = 8 * sizeof(U) / i.vector_count;
    const U ones = static_cast<U>((U{2} << (bits - 1)) - 1);
    const Slot* element = warp.vector(i);
    for (unsigned k = 0; k < i.vector_count; ++k) {
        const Destination<std::uint32_t> part(warp, element[k]);
        const unsigned shift = bits * k;
        each_lane(mask,
                  [&](int lane) { part.set(lane, static_cast<std::uint32_t>(whole[lane] >> shift & ones)); });
    }
}

template <class U>
constexpr Opcode move_row(std::string_view type) {
    Opcode opcode = row<U, U>("mov", type, [](U a) { return a; });
    opcode.decoder = decode_move;
    opcode.pack = pack<U>;
    opcode.unpack = unpack<U>;
    return opcode;
}

constexpr std::array rows{
    move_row<std::uint16_t>("b16"), move_row<std::uint16_t>("u16"), move_row<std::uint16_t>("s16"),
    move_row<std::uint32_t>("b32"), move_row<std::uint32_t>("u32"), move_row<std::uint32_t>("s32"),
    move_row<std::uint32_t>("f32"), move_row<std::uint64_t>("b64"), move_row<std::uint64_t>("u64"),
    move_row<std::uint64_t>("s64"), move_row<std::uint64_t>("f64"),
};

} // namespace

std::span<const Opcode> move_rows() { return rows; }

} // namespace tmemc::emulator::TMEMC_LEVEL
