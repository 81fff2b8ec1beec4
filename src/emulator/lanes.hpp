// The dozen words that operations are written in: the 32 values of a register as a source or a destination, a
// loop over the lanes of a mask, predicates. `apply` makes a whole operation out of a function of single
// values:
//
//     [](Warp& w, const Instruction& i, Mask m) { apply<std::uint32_t, Add, std::uint32_t, std::uint32_t>(w,
//     i, m); }
//
// This header is compiled once per CPU level (opcodes.hpp), each in a namespace of its own, so that no
// function made for a newer processor is ever shared with code that must run on an older one. The loops have
// a constant length and no dependence between lanes; compilers turn them into vector code.
#pragma once

#include "emulator/opcodes.hpp"
#include "emulator/warp.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#if defined(__GNUC__) && !defined(__clang__)
#define TMEMC_INDEPENDENT_LANES _Pragma("GCC ivdep") // a destination may be a source, but only lane for lane
#else
#define TMEMC_INDEPENDENT_LANES
#endif

namespace tmemc::emulator::TMEMC_LEVEL {

/// What a lane holds of a register of type T: registers below 32 bits have their value in the low bits of a
/// word.
template <class T>
using Cell = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
Cell<T> to_cell(T value) {
    if constexpr (sizeof(T) == sizeof(Cell<T>))
        return std::bit_cast<Cell<T>>(value);
    else
        return static_cast<std::make_unsigned_t<T>>(value);
}
template <class T>
T from_cell(Cell<T> cell) {
    if constexpr (sizeof(T) == sizeof(Cell<T>))
        return std::bit_cast<T>(cell);
    else
        return static_cast<T>(cell);
}

template <class T>
class Source {
  public:
    Source(const Warp& warp, Slot slot) : at_(reinterpret_cast<const std::byte*>(warp.registers + slot)) {}
    T operator[](int lane) const {
        Cell<T> cell;
        std::memcpy(&cell, at_ + static_cast<std::size_t>(lane) * sizeof cell, sizeof cell);
        return from_cell<T>(cell);
    }

  private:
    const std::byte* at_;
};

template <class T>
class Destination {
  public:
    Destination(const Warp& warp, Slot slot) : at_(reinterpret_cast<std::byte*>(warp.registers + slot)) {}
    void set(int lane, T value) const {
        const Cell<T> cell = to_cell(value);
        std::memcpy(at_ + static_cast<std::size_t>(lane) * sizeof cell, &cell, sizeof cell);
    }

  private:
    std::byte* at_;
};

/// Calls f(lane) for each lane of the mask.
template <class F>
[[gnu::always_inline]] inline void each_lane(Mask mask, F f) {
    if (mask == all_lanes) {
        TMEMC_INDEPENDENT_LANES
        for (int lane = 0; lane < warp_size; ++lane) f(lane);
    } else {
        for (int lane = 0; lane < warp_size; ++lane) {
            if ((mask >> lane & 1) != 0) f(lane);
        }
    }
}

struct LaneBits {
    std::array<Mask, warp_size> bit{};
    constexpr LaneBits() {
        for (std::size_t lane = 0; lane < warp_size; ++lane) bit[lane] = Mask{1} << lane;
    }
};
inline constexpr LaneBits lane_bits;

inline Mask predicate(const Warp& warp, Slot slot) { return warp.registers[slot].word[0]; }
inline void set_predicate(Warp& warp, Slot slot, Mask mask, Mask value) {
    Mask& word = warp.registers[slot].word[0];
    word = (word & ~mask) | (value & mask);
}

/// The second result of an instruction that has two (%p|%q); its slot is the immediate.
inline void set_second(Warp& warp, const Instruction& i, Mask mask, Mask value) {
    const auto slot = static_cast<Slot>(i.immediate);
    set_predicate(warp, slot, mask, value);
    warp.ready[slot] |= mask;
}

/// The lanes, of all 32, for which f(lane) holds.
template <class F>
[[gnu::always_inline]] inline Mask lanes_where(F f) {
    Mask result = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        result |= f(lane) ? lane_bits.bit[static_cast<std::size_t>(lane)] : 0;
    }
    return result;
}

/// A 32-bit integer operand of an instruction of another type: how far to shift, which bit.
struct Count {
    std::uint32_t value;
};

template <class T>
constexpr OperandClass operand_class(std::string_view type) {
    if (std::is_same_v<T, Count>) return OperandClass::integer;
    if (std::is_floating_point_v<T>) return OperandClass::floating;
    if (type.substr(type.size() - 2) == "x2") return OperandClass::packed;
    if (type[0] == 'f' && type.find_first_not_of("0123456789", 1) == std::string_view::npos)
        return OperandClass::floating; // and not f4e, a mode of prmt
    return type[0] == 's' || type[0] == 'u' ? OperandClass::integer : OperandClass::bits;
}

template <class Out, class F, class... In, std::size_t... K>
void apply(Warp& warp, const Instruction& i, Mask mask, std::index_sequence<K...>) {
    const Destination<Out> out(warp, i.out);
    const std::tuple<Source<In>...> in{Source<In>(warp, i.in[K])...};
    each_lane(mask, [&](int lane) { out.set(lane, static_cast<Out>(F{}(std::get<K>(in)[lane]...))); });
}
/// out = F(in...) in every lane of the mask.
template <class Out, class F, class... In>
void apply(Warp& warp, const Instruction& i, Mask mask) {
    apply<Out, F, In...>(warp, i, mask, std::index_sequence_for<In...>{});
}

/// A plain row: out = f(in...), each operand as wide as its type.
template <class Out, class... In, class F>
constexpr Opcode row(std::string_view stem, std::string_view type, F) {
    Opcode made{stem,
                type,
                {8 * sizeof(Out), 8 * sizeof(In)...},
                decode_plain,
                [](Warp& w, const Instruction& i, Mask m) { apply<Out, F, In...>(w, i, m); }};
    made.classes = {operand_class<Out>(type), operand_class<In>(type)...};
    return made;
}

/// The rows of a table, all with the same needs.
template <std::size_t Size>
constexpr std::array<Opcode, Size> needing_all(const Needs& needs, std::array<Opcode, Size> table) {
    for (Opcode& row : table) row.needs = needs;
    return table;
}

/// Several tables as one.
template <std::size_t... Sizes>
constexpr auto joined(const std::array<Opcode, Sizes>&... tables) {
    std::array<Opcode, (Sizes + ...)> all;
    std::size_t used = 0;
    const auto append = [&](const auto& table) {
        for (const Opcode& opcode : table) all[used++] = opcode;
    };
    (append(tables), ...);
    return all;
}

/// The predicate out = F(in[0], in[1]).
template <class In, class F>
void compare(Warp& warp, const Instruction& i, Mask mask) {
    const Source<In> a(warp, i.in[0]), b(warp, i.in[1]);
    set_predicate(warp, i.out, mask, lanes_where([&](int lane) { return F{}(a[lane], b[lane]); }));
}

/// A plain row: the predicate out = f(a, b).
template <class In, class F>
constexpr Opcode compare_row(std::string_view stem, std::string_view type, F) {
    return {stem,
            type,
            {1, 8 * sizeof(In), 8 * sizeof(In)},
            decode_plain,
            [](Warp& w, const Instruction& i, Mask m) { compare<In, F>(w, i, m); }};
}

} // namespace tmemc::emulator::TMEMC_LEVEL
