// Bitwise logic, shifts, fields and bytes.
// Source: PTX ISA 9.7.8 (logic and shift), 9.7.1 (bfe, bfi), 9.7.9 (prmt).
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
    return row<U, U, std::uint32_t>("shl", type, [](U a, std::uint32_t b) {
        return static_cast<U>(b < bits ? std::uint64_t{a} << b : 0);
    });
}
template <class T>
Opcode constexpr shift_right(std::string_view type) {
    constexpr std::uint32_t last = 8 * sizeof(T) - 1;
    return row<T, T, std::uint32_t>("shr", type, [](T a, std::uint32_t b) {
        if constexpr (std::is_signed_v<T>)
            return static_cast<T>(a >> (b < last ? b : last));
        else
            return static_cast<T>(b <= last ? a >> b : 0);
    });
}

/// `length` ones from bit `position` on, as far as they fit into the type.
template <class U>
constexpr U field_mask(std::uint32_t position, std::uint32_t length) {
    constexpr std::uint32_t bits = 8 * sizeof(U);
    const U ones = length >= bits ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << (length % bits)) - 1);
    return position >= bits ? U{0} : static_cast<U>(ones << (position % bits));
}

// Only the low eight bits of position and length count. Bits of the field beyond the value, and those above
// the field, are its sign: of a signed type the highest bit that is both in the field and in the value.
template <class T>
Opcode constexpr extract(std::string_view type) {
    using U = std::make_unsigned_t<T>;
    return row<U, U, std::uint32_t, std::uint32_t>(
        "bfe", type, [](U a, std::uint32_t position, std::uint32_t length) {
            constexpr std::uint32_t bits = 8 * sizeof(T);
            position &= 0xff;
            length &= 0xff;
            const U value = position < bits ? static_cast<U>(a >> (position % bits)) : U{0};
            const std::uint32_t there = position < bits ? bits - position : 0;
            const std::uint32_t kept = length < there ? length : there;
            const U field = static_cast<U>(value & field_mask<U>(0, kept));
            const std::uint32_t last = position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;
            const bool negative = std::is_signed_v<T> && length != 0 && (a >> (last % bits) & 1) != 0;
            return static_cast<U>(negative ? field | ~field_mask<U>(0, kept) : field);
        });
}
template <class U>
Opcode constexpr insert(std::string_view type) {
    return row<U, U, U, std::uint32_t, std::uint32_t>(
        "bfi", type, [](U a, U b, std::uint32_t position, std::uint32_t length) {
            constexpr std::uint32_t bits = 8 * sizeof(U);
            position &= 0xff;
            const U mask = field_mask<U>(position, length & 0xff);
            return static_cast<U>((b & ~mask) | (a << (position % bits) & mask));
        });
}

// Byte k of the result is byte (c >> 4k) & 7 of {b, a}; bit 3 of the selector spreads that byte's sign
// instead.
std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
    std::uint32_t result = 0;
    for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t selector = c >> (4 * k) & 0xf;
        const auto byte = static_cast<std::uint32_t>(bytes >> (8 * (selector & 7)) & 0xff);
        const std::uint32_t sign = (byte >> 7) * 0xff;
        result |= ((selector & 8) != 0 ? sign : byte) << (8 * k);
    }
    return result;
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
    row<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(
        "prmt", "b32", [](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return permute(a, b, c); }),
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
