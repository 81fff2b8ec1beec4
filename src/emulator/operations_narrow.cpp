// The frequent conversions, vectorised over lanes: floats to pairs of f16, bf16 and 8-bit numbers as
// epilogues write them, single ones, and between 32-bit integers and floats. Each is beside the general way
// of operations_convert.cpp and gives the same bits; decode_convert takes the row where registers are as wide
// as the types. The first source of a pair goes to the upper half. Source: PTX ISA 9.7.9 (cvt).
#include "emulator/halves.hpp"
#include "emulator/rounding.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

using F = float;
using D = double;
using Half = std::uint16_t;
using S32 = std::int32_t;
using U32 = std::uint32_t;
using S64 = std::int64_t;
using U64 = std::uint64_t;

template <class Out, class... In, class F>
constexpr Opcode conversion_row(std::string_view stem, std::string_view type, F f) {
    Opcode opcode = row<Out, In...>(stem, type, f);
    opcode.decoder = decode_convert;
    return opcode;
}

// Towards zero, clamped; what is no number becomes 0.
inline S32 to_s32(float value) {
    constexpr float beyond = 0x1p31f, largest = 0x1.fffffep30f;
    const float number = value == value ? value : 0.0f;
    const float inside = number < -beyond ? -beyond : number < beyond ? number : largest;
    const auto integer = static_cast<S32>(inside);
    return number < beyond ? integer : 0x7fffffff;
}
inline U32 to_u32(float value) {
    constexpr float beyond = 0x1p32f, half = 0x1p31f;
    const float number = value > 0.0f ? value : 0.0f;
    const bool upper = number >= half;
    const float below = upper ? number - half : number;
    const auto integer = static_cast<U32>(static_cast<S32>(below < half ? below : 0.0f));
    return number < beyond ? integer ^ (upper ? 0x80000000u : 0) : 0xffffffffu;
}

inline float positive(float value) { return value <= 0 ? 0 : value; } // .relu, which keeps NaN

inline Word e4m3_to_f16(Word code) { return (code & 0x7f) == 0x7f ? 0x7fff : to_f16(widened<4, 3>(code)); }
inline Word e5m2_to_f16(Word code) { return (code & 0x7f) > 0x7c ? 0x7fff : code << 8; }

// cvt.pack: two clamped numbers of `bits` below what is left of a third; those of 16 bits leave no room.
template <int bits, bool with_sign>
U32 clamped(S32 a) {
    constexpr S64 lowest = with_sign ? -(S64{1} << (bits - 1)) : 0;
    constexpr S64 highest = (S64{1} << (with_sign ? bits - 1 : bits)) - 1;
    const S64 inside = a < lowest ? lowest : a > highest ? highest : a;
    return static_cast<U32>(inside) & ((U32{1} << bits) - 1);
}
template <int bits, bool with_sign>
constexpr Opcode pack_row(std::string_view stem) {
    return row<U32, S32, S32, U32>(stem, "s32.b32", [](S32 a, S32 b, U32 c) {
        return c << (2 * bits) | clamped<bits, with_sign>(a) << bits | clamped<bits, with_sign>(b);
    });
}
template <bool with_sign>
constexpr Opcode pack_row_16(std::string_view stem) {
    return row<U32, S32, S32>(stem, "s32", [](S32 a, S32 b) {
        return clamped<16, with_sign>(a) << 16 | clamped<16, with_sign>(b);
    });
}

constexpr Needs packing{{6, 5}, 75};
constexpr Needs ampere{{7, 0}, 80}, turned{{7, 1}, 80}, ada{{8, 1}, 89};

constexpr std::array rows{
    needing(ampere, conversion_row<U32, F, F>("cvt.rn.bf16x2", "f32",
                                              [](F a, F b) { return to_bf16(a) << 16 | to_bf16(b); })),
    needing(ampere, conversion_row<U32, F, F>("cvt.rn.f16x2", "f32",
                                              [](F a, F b) { return to_f16(a) << 16 | to_f16(b); })),
    needing(ampere, conversion_row<U32, F, F>(
                        "cvt.rn.relu.bf16x2", "f32",
                        [](F a, F b) { return to_bf16(positive(a)) << 16 | to_bf16(positive(b)); })),
    needing(ampere, conversion_row<U32, F, F>(
                        "cvt.rn.relu.f16x2", "f32",
                        [](F a, F b) { return to_f16(positive(a)) << 16 | to_f16(positive(b)); })),
    needing(ada, conversion_row<Half, F, F>("cvt.rn.satfinite.e4m3x2", "f32",
                                            [](F a, F b) {
                                                return static_cast<Half>(narrowed<e4m3_finite>(a) << 8 |
                                                                         narrowed<e4m3_finite>(b));
                                            })),
    needing(ada, conversion_row<Half, F, F>("cvt.rn.satfinite.e5m2x2", "f32",
                                            [](F a, F b) {
                                                return static_cast<Half>(narrowed<e5m2_finite>(a) << 8 |
                                                                         narrowed<e5m2_finite>(b));
                                            })),
    needing(ada, conversion_row<U32, Half>(
                     "cvt.rn.f16x2", "e4m3x2",
                     [](Half a) { return e4m3_to_f16(a >> 8u) << 16 | e4m3_to_f16(a & 0xffu); })),
    needing(ada, conversion_row<U32, Half>(
                     "cvt.rn.f16x2", "e5m2x2",
                     [](Half a) { return e5m2_to_f16(a >> 8u) << 16 | e5m2_to_f16(a & 0xffu); })),
    conversion_row<Half, F>("cvt.rn.f16", "f32", [](F a) { return static_cast<Half>(to_f16(a)); }),
    needing(ampere,
            conversion_row<Half, F>("cvt.rn.bf16", "f32", [](F a) { return static_cast<Half>(to_bf16(a)); })),
    conversion_row<F, Half>("cvt.f32", "f16", [](Half a) { return canonical(from_f16(a)); }),
    needing(turned, conversion_row<F, Half>("cvt.f32", "bf16", [](Half a) { return from_bf16(a); })),
    conversion_row<F, D>("cvt.rn.f32", "f64", [](D a) { return static_cast<F>(a); }),
    conversion_row<D, F>("cvt.f64", "f32", [](F a) { return static_cast<D>(a); }),
    conversion_row<F, S32>("cvt.rn.f32", "s32", [](S32 a) { return static_cast<F>(a); }),
    conversion_row<F, U32>("cvt.rn.f32", "u32", [](U32 a) { return static_cast<F>(a); }),
    conversion_row<F, S64>("cvt.rn.f32", "s64", [](S64 a) { return static_cast<F>(a); }),
    conversion_row<F, U64>("cvt.rn.f32", "u64", [](U64 a) { return static_cast<F>(a); }),
    conversion_row<D, S32>("cvt.rn.f64", "s32", [](S32 a) { return static_cast<D>(a); }),
    conversion_row<D, U32>("cvt.rn.f64", "u32", [](U32 a) { return static_cast<D>(a); }),
    conversion_row<S32, F>("cvt.rzi.s32", "f32", [](F a) { return to_s32(a); }),
    conversion_row<U32, F>("cvt.rzi.u32", "f32", [](F a) { return to_u32(a); }),
    needing(packing, pack_row_16<false>("cvt.pack.sat.u16")),
    needing(packing, pack_row_16<true>("cvt.pack.sat.s16")),
    needing(packing, pack_row<8, false>("cvt.pack.sat.u8")),
    needing(packing, pack_row<8, true>("cvt.pack.sat.s8")),
    needing(packing, pack_row<4, false>("cvt.pack.sat.u4")),
    needing(packing, pack_row<4, true>("cvt.pack.sat.s4")),
    needing(packing, pack_row<2, false>("cvt.pack.sat.u2")),
    needing(packing, pack_row<2, true>("cvt.pack.sat.s2")),
};

} // namespace

std::span<const Opcode> narrow_rows() { return rows; }

} // namespace tmemc::emulator::TMEMC_LEVEL
