// Numbers to the bits of an element and back. Integers wrap modulo 2^bits; floats round to nearest even,
// once, from the exact number; f8e4m3 has no infinity and saturates, f8e5m2 and the others overflow to
// infinity. tf32 keeps ten mantissa bits of an f32 and ignores the 13 below them. Raw bits (b8, b16, b32) are
// unsigned integers. Example: 2049 in f16 lies between 2048 and 2050 and becomes 2048, bits 0x6800; in u8 it
// becomes 2049 mod 256 = 1. Used by generators and expectations, on the host only: the emulator has
// arithmetic of its own.
#pragma once

#include "base/dtype.hpp"

#include <cstdint>
#include <string>

namespace tmemc::runtime {

/// A fraction becomes the nearest integer, the even one of two, in an integer dtype; a NaN or an infinity
/// becomes 0.
[[nodiscard]] std::uint32_t encode(base::Dtype dtype, double value);
[[nodiscard]] std::uint32_t encode(base::Dtype dtype, std::int64_t value);
/// The value of a floating element, or an integer one as a double (exact: 32 bits fit).
[[nodiscard]] double decode(base::Dtype dtype, std::uint32_t bits);
/// The value of an integer element. Not for floating dtypes.
[[nodiscard]] std::int64_t decode_integer(base::Dtype dtype, std::uint32_t bits);
[[nodiscard]] bool is_nan(base::Dtype dtype, std::uint32_t bits);
[[nodiscard]] constexpr bool is_floating(base::Dtype dtype) {
    return base::row(dtype).kind == base::DtypeClass::floating;
}
/// The same element: equal bits, as far as the dtype has them, or two NaNs.
[[nodiscard]] bool same(base::Dtype dtype, std::uint32_t a, std::uint32_t b);
/// A whole number in full, else the shortest decimal that encodes to these bits ("0.1"); "inf", "nan"; raw
/// bits as "0x1f".
[[nodiscard]] std::string element_text(base::Dtype dtype, std::uint32_t bits);

} // namespace tmemc::runtime
