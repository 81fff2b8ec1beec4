// How large a tensor may be, whether a program says so or the values of a launch do. Rows and columns are
// numbered in 32 bits with a sign, as in `cta.x*128 + 127`, and no GPU has a tebibyte.
#pragma once

#include <cstdint>

namespace tmemc::base {

inline constexpr std::int64_t max_tensor_extent = 0x7fffffff;
inline constexpr std::int64_t max_tensor_bytes = std::int64_t{1} << 40;

} // namespace tmemc::base
