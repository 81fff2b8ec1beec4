// An array against what it should be, element by element: by bits (any NaN equals any NaN), or within
// tolerances (|a - b| <= atol + rtol * |b|, in double; equal infinities are equal, a NaN equals only a NaN).
// What is wanted is an array of the same dtype and shape, or numbers that no dtype has rounded: 1 in f16 is
// not within 1e-4 of 1.0004, which has no f16.
#pragma once

#include "runtime/array.hpp"
#include "runtime/number.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmemc::runtime {

struct Tolerance {
    double relative = 0, absolute = 0;
};
struct Mismatch {
    std::vector<std::int64_t> index;
    std::uint32_t actual = 0, wanted = 0; // bits
    std::optional<Number> number{};       // wanted, where no dtype rounded it
    bool operator==(const Mismatch&) const = default;
};
struct Comparison {
    std::int64_t elements = 0;
    std::int64_t different = 0;
    std::vector<Mismatch> first; // at most five
};

/// Compares bits when `tolerance` is absent.
[[nodiscard]] Comparison compare(const Array& actual, const Array& wanted,
                                 std::optional<Tolerance> tolerance = {});
/// `wanted`: one number for each element, row-major.
[[nodiscard]] Comparison compare(const Array& actual, const std::vector<Number>& wanted,
                                 const Tolerance& tolerance);
/// "B: 5 of 1024 elements differ" and a line for each of the first few ("  B[3, 1] is 0.5 (0x3800), wanted 1
/// (0x3c00)"), each ended by a line break, or empty when none does.
[[nodiscard]] std::string describe(const std::string& name, const Comparison& comparison, base::Dtype dtype);

/// The coordinates of row-major element `index`.
[[nodiscard]] std::vector<std::int64_t> place_of(std::int64_t index, const std::vector<std::int64_t>& shape);
/// "B[3, 1]", or the name alone for a scalar.
[[nodiscard]] std::string place_text(const std::string& name, const std::vector<std::int64_t>& place);

} // namespace tmemc::runtime
