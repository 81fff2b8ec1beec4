// Numbers to the bits of an element and back. Integers wrap modulo 2^bits; floats round to nearest even; f8e4m3 has no
// infinity and saturates, f8e5m2 and the others overflow to infinity. tf32 keeps ten mantissa bits of an f32. Raw bits
// (b8, b16, b32) are unsigned integers. Used by generators and expectations, on the host only.
#pragma once

#include "base/dtype.hpp"

#include <cstdint>

namespace tmemc::runtime {

[[nodiscard]] std::uint32_t encode(base::Dtype dtype, double value);
[[nodiscard]] std::uint32_t encode(base::Dtype dtype, std::int64_t value);
/// The value of a floating element, or an integer one as a double (exact: 32 bits fit).
[[nodiscard]] double decode(base::Dtype dtype, std::uint32_t bits);
[[nodiscard]] std::int64_t decode_integer(base::Dtype dtype, std::uint32_t bits);
[[nodiscard]] bool is_nan(base::Dtype dtype, std::uint32_t bits);

} // namespace tmemc::runtime
