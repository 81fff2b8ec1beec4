// `Y = 0.5;`: a number literal takes the element type of the fragment it meets. As in C it is read as a
// double and then rounded to nearest even; a value outside the type's range is refused rather than wrapped or
// turned into infinity. Not here: elements that tests compute with (src/runtime).
#pragma once

#include "base/dtype.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tmemc::sema {

/// The double nearest to a literal such as `1.0`, `.5` or `1e-3`; infinity beyond the largest.
[[nodiscard]] double float_value(std::string_view text);

/// The bits of one element of `dtype` with that value. Nothing when it lies outside the finite range, or is a
/// fraction and the type is an integer's.
[[nodiscard]] std::optional<std::uint32_t> element_bits(base::Dtype dtype, double value);
/// The same for an integer literal and its sign.
[[nodiscard]] std::optional<std::uint32_t> element_bits(base::Dtype dtype, bool negative,
                                                        std::uint64_t magnitude);

/// "u8 holds the integers from 0 to 255", for the refusal.
[[nodiscard]] std::string range_text(base::Dtype dtype);

} // namespace tmemc::sema
