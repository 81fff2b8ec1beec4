// Bitwise logic, shifts and fields. A predicate's logic is a word's: a bit per lane, so a whole warp is one
// word. `lop3` is any function of three bits, by its table of eight: 0xE8 is the majority,
//
//     lop3.b32 %r0, %r1, %r2, %r3, 0xE8;
//
// Source: PTX ISA 9.7.8 (logic and shift), 9.7.1.19 and 20 (bfe, bfi). Not here: bits counted and bytes
// permuted (operations_count.cpp).
#include "emulator/lanes.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

template <class U>
constexpr auto logic_rows(std::string_view type) {
    return std::array{
        row<U, U, U>("and", type, [](U a, U b) { return static_cast<U>(a & b); }),
        row<U, U, U>("or", type, [](U a, U b) { return static_cast<U>(a | b); }),
        row<U, U, U>("xor", type, [](U a, U b) { return static_cast<U>(a ^ b); }),
        row<U, U>("not", type, [](U a) { return static_cast<U>(~a); }),
    };
}

// A shift by the width or more shifts everything out.
template <class U>
Opcode constexpr shift_left(std::string_view type) {
    constexpr std::uint32_t bits = 8 * sizeof(U);
    return row<U, U, Count>("shl", type, [](U a, Count b) {
        return static_cast<U>(b.value < bits ? std::uint64_t{a} << b.value : 0);
    });
}
template <class T>
Opcode constexpr shift_right(std::string_view type) {
    constexpr std::uint32_t last = 8 * sizeof(T) - 1;
    return row<T, T, Count>("shr", type, [](T a, Count b) {
        if constexpr (std::is_signed_v<T>)
            return static_cast<T>(a >> (b.value < last ? b.value : last));
        else
            return static_cast<T>(b.value <= last ? a >> b.value : 0);
    });
}

/// `length` ones from bit `position` on, as far as they fit into the type.
template <class U>
constexpr U field_mask(std::uint32_t position, std::uint32_t length) {
    constexpr std::uint32_t bits = 8 * sizeof(U);
    const U ones = length >= bits ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << (length % bits)) - 1);
    return position >= bits ? U{0} : static_cast<U>(ones << (position % bits));
}

// Of position and length only the low eight bits count, in 64-bit forms all, as an H200 does it. Bits of the
// field beyond the value, and those above the field, are its sign: of a signed type the highest bit that is
// both in the field and in the value.
template <class T>
Opcode constexpr extract(std::string_view type) {
    using U = std::make_unsigned_t<T>;
    return row<U, U, Count, Count>("bfe", type, [](U a, Count from, Count many) {
        constexpr std::uint32_t bits = 8 * sizeof(T);
        const std::uint32_t counted = bits == 64 ? 0xffffffff : 0xff;
        const std::uint32_t position = from.value & counted, length = many.value & counted;
        const U value = position < bits ? static_cast<U>(a >> (position % bits)) : U{0};
        const std::uint32_t there = position < bits ? bits - position : 0;
        const std::uint32_t kept = length < there ? length : there;
        const U field = static_cast<U>(value & field_mask<U>(0, kept));
        const std::uint64_t end = std::uint64_t{position} + length - 1,
                            last = end < bits - 1 ? end : bits - 1;
        const bool negative = std::is_signed_v<T> && length != 0 && (a >> (last % bits) & 1) != 0;
        return static_cast<U>(negative ? field | ~field_mask<U>(0, kept) : field);
    });
}
template <class U>
Opcode constexpr insert(std::string_view type) {
    return row<U, U, U, Count, Count>("bfi", type, [](U a, U b, Count from, Count many) {
        constexpr std::uint32_t bits = 8 * sizeof(U);
        const std::uint32_t counted = bits == 64 ? 0xffffffff : 0xff;
        const std::uint32_t position = from.value & counted;
        const U mask = field_mask<U>(position, many.value & counted);
        return static_cast<U>((b & ~mask) | (a << (position % bits) & mask));
    });
}

// A shift across two words, {b, a}: what moves into the word from the other one.
template <bool left, bool wrap>
constexpr Opcode funnel_row(std::string_view stem) {
    using U = std::uint32_t;
    return row<U, U, U, Count>(stem, "b32", [](U a, U b, Count by) {
        const std::uint64_t both = std::uint64_t{b} << 32 | a;
        const U n = wrap ? by.value & 31 : by.value < 32 ? by.value : 32;
        return static_cast<U>(left ? both << n >> 32 : both >> n);
    });
}

// Bit k of the table `detail` says what becomes of three bits that spell k, a's the highest. `other` also
// gives a predicate: whether the result is not zero, and or or that of a fourth source.
void logic3(Warp& warp, const Instruction& i, Mask mask) {
    using U = std::uint32_t;
    const Source<U> a(warp, i.in[0]), b(warp, i.in[1]), c(warp, i.in[2]);
    const Destination<U> out(warp, i.out);
    std::array<U, 8> chosen{};
    for (std::size_t k = 0; k < 8; ++k) chosen[k] = (i.detail >> k & 1) != 0 ? ~U{0} : 0;
    each_lane(mask, [&](int lane) {
        const U x = a[lane], y = b[lane], z = c[lane];
        const U low =
            (~y & ((~z & chosen[0]) | (z & chosen[1]))) | (y & ((~z & chosen[2]) | (z & chosen[3])));
        const U high =
            (~y & ((~z & chosen[4]) | (z & chosen[5]))) | (y & ((~z & chosen[6]) | (z & chosen[7])));
        out.set(lane, (~x & low) | (x & high));
    });
}
template <bool conjunction>
void logic3_predicate(Warp& warp, const Instruction& i, Mask mask) {
    const Mask q = predicate(warp, i.in[3]);
    logic3(warp, i, mask);
    const Source<std::uint32_t> result(warp, i.out);
    const Mask set = lanes_where([&](int lane) { return result[lane] != 0; });
    set_second(warp, i, mask, conjunction ? set & q : set | q);
}

// Predicates: a bit per lane, so a whole warp is one word.
template <class F>
constexpr Opcode predicate_row(std::string_view stem, int sources, F) {
    return {
        stem, "pred", {1, 1, sources == 2 ? 1 : 0}, decode_plain, [](Warp& w, const Instruction& i, Mask m) {
            set_predicate(w, i.out, m, F{}(predicate(w, i.in[0]), predicate(w, i.in[1])));
        }};
}

constexpr std::array single_rows{
    shift_left<std::uint16_t>("b16"),
    shift_left<std::uint32_t>("b32"),
    shift_left<std::uint64_t>("b64"),
    shift_right<std::uint16_t>("b16"),
    shift_right<std::uint32_t>("b32"),
    shift_right<std::uint64_t>("b64"),
    shift_right<std::uint16_t>("u16"),
    shift_right<std::uint32_t>("u32"),
    shift_right<std::uint64_t>("u64"),
    shift_right<std::int16_t>("s16"),
    shift_right<std::int32_t>("s32"),
    shift_right<std::int64_t>("s64"),
    extract<std::uint32_t>("u32"),
    extract<std::int32_t>("s32"),
    extract<std::uint64_t>("u64"),
    extract<std::int64_t>("s64"),
    insert<std::uint32_t>("b32"),
    insert<std::uint64_t>("b64"),
    row<std::uint16_t, std::uint16_t>("cnot", "b16", [](std::uint16_t a) { return a == 0 ? 1 : 0; }),
    row<std::uint32_t, std::uint32_t>("cnot", "b32", [](std::uint32_t a) { return a == 0 ? 1 : 0; }),
    row<std::uint64_t, std::uint64_t>("cnot", "b64", [](std::uint64_t a) { return a == 0 ? 1 : 0; }),
    funnel_row<true, false>("shf.l.clamp"),
    funnel_row<true, true>("shf.l.wrap"),
    funnel_row<false, false>("shf.r.clamp"),
    funnel_row<false, true>("shf.r.wrap"),
    Opcode{"lop3", "b32", {32, 32, 32, 32}, decode_logic3, logic3},
    needing({{8, 2}},
            modified("and", {"lop3", "b32", {32, 32, 32, 32}, decode_logic3, logic3_predicate<true>})),
    needing({{8, 2}},
            modified("or", {"lop3", "b32", {32, 32, 32, 32}, decode_logic3, logic3_predicate<false>})),
    predicate_row("and", 2, [](Mask a, Mask b) { return a & b; }),
    predicate_row("or", 2, [](Mask a, Mask b) { return a | b; }),
    predicate_row("xor", 2, [](Mask a, Mask b) { return a ^ b; }),
    predicate_row("not", 1, [](Mask a, Mask) { return ~a; }),
    predicate_row("mov", 1, [](Mask a, Mask) { return a; }),
};

} // namespace

std::span<const Opcode> bit_rows() {
    static constexpr auto rows = joined(logic_rows<std::uint16_t>("b16"), logic_rows<std::uint32_t>("b32"),
                                        logic_rows<std::uint64_t>("b64"), single_rows);
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
