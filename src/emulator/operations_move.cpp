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

// ---- 128 bits: a pair of doublewords for each lane, the low one first

class Pairs {
  public:
    Pairs(const Warp& warp, Slot slot) : at_(reinterpret_cast<std::byte*>(warp.registers + slot)) {}
    [[nodiscard]] std::byte* at(int lane, int half) const {
        return at_ + std::ptrdiff_t{16} * lane + std::ptrdiff_t{8} * half;
    }
    [[nodiscard]] std::uint64_t get(int lane, int half) const {
        std::uint64_t value = 0;
        std::memcpy(&value, at(lane, half), sizeof value);
        return value;
    }
    void set(int lane, int half, std::uint64_t value) const {
        std::memcpy(at(lane, half), &value, sizeof value);
    }

  private:
    std::byte* at_;
};

void move128(Warp& warp, const Instruction& i, Mask mask) {
    const Pairs in(warp, i.in[0]), out(warp, i.out);
    each_lane(mask, [&](int lane) {
        const std::uint64_t low = in.get(lane, 0), high = in.get(lane, 1);
        out.set(lane, 0, low);
        out.set(lane, 1, high);
    });
}
// From and into two doublewords or four words: those that make up a half.
void pack128(Warp& warp, const Instruction& i, Mask mask) {
    const Pairs out(warp, i.out);
    const Slot* element = warp.vector(i);
    for (const int half : {0, 1}) {
        if (i.vector_count == 2) {
            const Source<std::uint64_t> in(warp, element[half]);
            each_lane(mask, [&](int lane) { out.set(lane, half, in[lane]); });
        } else {
            const Slot* pair = element + half + half;
            const Source<std::uint32_t> low(warp, pair[0]), high(warp, pair[1]);
            each_lane(mask,
                      [&](int lane) { out.set(lane, half, std::uint64_t{high[lane]} << 32 | low[lane]); });
        }
    }
}
void unpack128(Warp& warp, const Instruction& i, Mask mask) {
    const Pairs in(warp, i.in[0]);
    const Slot* element = warp.vector(i);
    for (const int half : {0, 1}) {
        if (i.vector_count == 2) {
            const Destination<std::uint64_t> out(warp, element[half]);
            each_lane(mask, [&](int lane) { out.set(lane, in.get(lane, half)); });
        } else {
            const Slot* pair = element + half + half;
            const Destination<std::uint32_t> low(warp, pair[0]), high(warp, pair[1]);
            each_lane(mask, [&](int lane) {
                low.set(lane, static_cast<std::uint32_t>(in.get(lane, half)));
                high.set(lane, static_cast<std::uint32_t>(in.get(lane, half) >> 32));
            });
        }
    }
}

template <class U>
constexpr Opcode move_row(std::string_view type) {
    Opcode opcode = row<U, U>("mov", type, [](U a) { return a; });
    opcode.decoder = decode_move;
    if (type[0] != 'b') return opcode;
    opcode.pack = pack<U>;
    opcode.unpack = unpack<U>;
    return opcode;
}

constexpr std::array rows{
    move_row<std::uint16_t>("b16"),
    move_row<std::uint16_t>("u16"),
    move_row<std::uint16_t>("s16"),
    move_row<std::uint32_t>("b32"),
    move_row<std::uint32_t>("u32"),
    move_row<std::uint32_t>("s32"),
    move_row<std::uint32_t>("f32"),
    move_row<std::uint64_t>("b64"),
    move_row<std::uint64_t>("u64"),
    move_row<std::uint64_t>("s64"),
    move_row<std::uint64_t>("f64"),
    needing({{8, 3}}, {"mov", "b128", {128, 128}, decode_move, move128, pack128, unpack128}),
};

} // namespace

std::span<const Opcode> move_rows() { return rows; }

} // namespace tmemc::emulator::TMEMC_LEVEL
