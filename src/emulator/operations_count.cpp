// Bits counted, found and reversed, masks, products of bytes, and bytes permuted. Operands are taken from a
// word and the results are words, so all of it is written on unsigned numbers:
//
//     bfind.s32 of -8 (...11000): the highest bit unlike the sign, number 2;  bfind.shiftamt.s32: 31 - 2
//
// Source: PTX ISA 9.7.1.14 to 9.7.1.18 (popc, clz, bfind, fns, brev), 9.7.1.21 to 9.7.1.24 (szext, bmsk,
// dp4a, dp2a), 9.7.9.7 (prmt). Not here: bit fields (operations_bits.cpp).
#include "emulator/lanes.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr U32 none_found = 0xffffffff;

template <class U>
U reversed(U value) {
    U result = 0;
    for (unsigned k = 0; k < 8 * sizeof(U); ++k) result = static_cast<U>(result << 1 | (value >> k & 1));
    return result;
}

template <class U>
constexpr auto count_rows(std::string_view type) {
    return std::array{
        row<Count, U>("popc", type, [](U a) { return Count{static_cast<U32>(std::popcount(a))}; }),
        row<Count, U>("clz", type, [](U a) { return Count{static_cast<U32>(std::countl_zero(a))}; }),
        row<U, U>("brev", type, [](U a) { return reversed(a); }),
    };
}

/// Of the highest bit unlike the sign, and how far it is from the top.
template <class T>
constexpr auto find_rows(std::string_view type) {
    using U = std::make_unsigned_t<T>;
    constexpr int bits = 8 * sizeof(T);
    return std::array{
        row<Count, T>("bfind", type,
                      [](T a) {
                          const U ones = static_cast<U>(a < 0 ? ~a : a);
                          return Count{static_cast<U32>(bits - 1 - std::countl_zero(ones))};
                      }),
        row<Count, T>("bfind.shiftamt", type,
                      [](T a) {
                          const U ones = static_cast<U>(a < 0 ? ~a : a);
                          return Count{ones == 0 ? none_found : static_cast<U32>(std::countl_zero(ones))};
                      }),
    };
}

// The |n|-th set bit counted from `base` on, that one included, upwards or, of a negative n, downwards; of 0,
// whether bit `base` is set.
U32 nth_set(U32 bits, U32 base, U32 n) {
    const bool down = n >> 31 != 0;
    U32 left = down ? 0 - n : n;
    if (left == 0) return base < 32 && (bits >> base & 1) != 0 ? base : none_found;
    for (U32 at = base; at < 32; at += down ? none_found : 1) { // below 0 is beyond 32
        if ((bits >> at & 1) != 0 && --left == 0) return at;
    }
    return none_found;
}

/// `length` ones.
constexpr U32 ones(U32 length) { return length >= 32 ? ~U32{0} : (U32{1} << length) - 1; }

template <bool wrap>
constexpr auto mask_rows(std::string_view bmsk, std::string_view szext) {
    return std::array{
        row<U32, Count, Count>(bmsk, "b32",
                               [](Count position, Count length) {
                                   const U32 at = wrap ? position.value & 31 : position.value;
                                   const U32 many = wrap ? length.value & 31 : length.value;
                                   return at >= 32 ? 0 : ones(many) << at;
                               }),
        row<U32, U32, Count>(
            szext, "u32", [](U32 a, Count width) { return a & ones(wrap ? width.value & 31 : width.value); }),
        row<U32, U32, Count>(szext, "s32",
                             [](U32 a, Count width) {
                                 const U32 many = wrap ? width.value & 31 : width.value;
                                 const U32 sign = many == 0 || many > 32 ? 0 : a >> (many - 1) & 1;
                                 return (a & ones(many)) | (sign != 0 ? ~ones(many) : 0);
                             }),
    };
}

// ---- products of bytes

template <class Part>
constexpr std::int64_t part(U32 word, int index) {
    return static_cast<Part>(word >> (8 * static_cast<int>(sizeof(Part)) * index));
}
template <class Byte>
using Short = std::conditional_t<std::is_signed_v<Byte>, std::int16_t, std::uint16_t>;

template <class A, class B, int first>
U32 dot2(U32 a, U32 b, U32 c) {
    return static_cast<U32>(c + part<Short<A>>(a, 0) * part<B>(b, first) +
                            part<Short<A>>(a, 1) * part<B>(b, first + 1));
}
template <class A, class B>
constexpr auto dot_rows(std::string_view types) {
    return std::array{
        row<U32, U32, U32, U32>("dp4a", types,
                                [](U32 a, U32 b, U32 c) {
                                    std::int64_t sum = c;
                                    for (int k = 0; k < 4; ++k) sum += part<A>(a, k) * part<B>(b, k);
                                    return static_cast<U32>(sum);
                                }),
        row<U32, U32, U32, U32>("dp2a.lo", types, [](U32 a, U32 b, U32 c) { return dot2<A, B, 0>(a, b, c); }),
        row<U32, U32, U32, U32>("dp2a.hi", types, [](U32 a, U32 b, U32 c) { return dot2<A, B, 2>(a, b, c); }),
    };
}

// ---- bytes permuted

// Byte k of the result is byte (selectors >> 4k) & 7 of {b, a}; bit 3 of the selector spreads that byte's
// sign instead.
U32 permute(U32 a, U32 b, U32 selectors) {
    const U64 bytes = U64{b} << 32 | a;
    U32 result = 0;
    for (U32 k = 0; k < 4; ++k) {
        const U32 selector = selectors >> (4 * k) & 0xf;
        const auto byte = static_cast<U32>(bytes >> (8 * (selector & 7)) & 0xff);
        const U32 sign = (byte >> 7) * 0xff;
        result |= ((selector & 8) != 0 ? sign : byte) << (8 * k);
    }
    return result;
}

/// A named mode: the selectors for each value of the two low bits of c.
template <U32 s0, U32 s1, U32 s2, U32 s3>
constexpr Opcode permute_row(std::string_view mode) {
    return row<U32, U32, U32, U32>("prmt.b32", mode, [](U32 a, U32 b, U32 c) {
        const U32 low = (c & 1) != 0 ? s1 : s0, high = (c & 1) != 0 ? s3 : s2;
        return permute(a, b, (c & 2) != 0 ? high : low);
    });
}

constexpr std::array single_rows{
    row<U32, U32, U32, U32>("fns", "b32", [](U32 a, U32 b, U32 c) { return nth_set(a, b, c); }),
    row<U32, U32, U32, U32>("prmt", "b32", [](U32 a, U32 b, U32 c) { return permute(a, b, c); }),
    permute_row<0x3210, 0x4321, 0x5432, 0x6543>("f4e"), // four bytes from c on
    permute_row<0x5670, 0x6701, 0x7012, 0x0123>("b4e"), // and backwards
    permute_row<0x0000, 0x1111, 0x2222, 0x3333>("rc8"), // one byte, four times
    permute_row<0x3210, 0x3211, 0x3222, 0x3333>("ecl"), // those below c are c
    permute_row<0x0000, 0x1110, 0x2210, 0x3210>("ecr"), // those above c are c
    permute_row<0x1010, 0x3232, 0x1010, 0x3232>("rc16"),
};

constexpr Needs masks{{7, 6}, 75};
using S8 = std::int8_t;
using U8 = std::uint8_t;

} // namespace

std::span<const Opcode> count_rows() {
    static constexpr auto rows = joined(
        count_rows<U32>("b32"), count_rows<U64>("b64"), find_rows<U32>("u32"), find_rows<std::int32_t>("s32"),
        find_rows<U64>("u64"), find_rows<std::int64_t>("s64"),
        needing_all(masks, mask_rows<false>("bmsk.clamp", "szext.clamp")),
        needing_all(masks, mask_rows<true>("bmsk.wrap", "szext.wrap")), dot_rows<U8, U8>("u32.u32"),
        dot_rows<U8, S8>("u32.s32"), dot_rows<S8, U8>("s32.u32"), dot_rows<S8, S8>("s32.s32"), single_rows);
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
