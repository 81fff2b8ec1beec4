// The fifteen element types, as an enum and a row of facts each (dtypes.def). An element has 8, 16 or 32
// bits, so 4, 2 or 1 of them share a 32-bit register or cell. Not here: arithmetic and conversion
// (runtime/element.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tmemc::base {

enum class Dtype : std::uint8_t {
#define TMEMC_DTYPE(name, ...) name,
#include "base/dtypes.def"
#undef TMEMC_DTYPE
};

enum class DtypeClass : std::uint8_t { floating, unsigned_integer, signed_integer, raw_bits };

struct DtypeRow {
    Dtype dtype{};
    std::string_view name;
    int bits = 32;
    DtypeClass kind{};
    int exponent_bits = 0;
    int mantissa_bits = 0;
    std::string_view npy; // NumPy descriptor of its .npy files
};

inline constexpr auto dtype_rows = std::to_array<DtypeRow>({
#define TMEMC_DTYPE(name, bits, kind, exponent, mantissa, npy)                                               \
    {Dtype::name, #name, bits, DtypeClass::kind, exponent, mantissa, npy},
#include "base/dtypes.def"
#undef TMEMC_DTYPE
});
static_assert(dtype_rows.size() == 15);

[[nodiscard]] constexpr const DtypeRow& row(Dtype dtype) {
    return dtype_rows[static_cast<std::size_t>(dtype)];
}
[[nodiscard]] constexpr std::string_view name(Dtype dtype) { return row(dtype).name; }
[[nodiscard]] constexpr int bits(Dtype dtype) { return row(dtype).bits; }
[[nodiscard]] constexpr int bytes(Dtype dtype) { return row(dtype).bits / 8; }
/// Elements that share one 32-bit register or cell when dense: 1, 2 or 4.
[[nodiscard]] constexpr int per_word(Dtype dtype) { return 32 / row(dtype).bits; }
[[nodiscard]] constexpr std::optional<Dtype> dtype_named(std::string_view name) {
    for (const DtypeRow& each : dtype_rows)
        if (each.name == name) return each.dtype;
    return std::nullopt;
}

} // namespace tmemc::base
