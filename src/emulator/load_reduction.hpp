// The reduction of tcgen05.ld.red: every thread gets, beside its registers, the least or greatest of their
// values. A row folds two words into one:
//
//     {5, 3, NaN, 4} as f32:   .min gives 3, .min.NaN gives the canonical NaN, .max.abs of {-5, 3} gives 5
//
// Without .NaN a NaN loses against every number; when nothing else is there the result is the canonical NaN,
// 0x7fffffff. -0 is less than +0. Source: PTX ISA 9.7.16.8 (tcgen05.ld.red), 9.7.3 (min, max). Not here:
// which shapes and targets have it (decode_tensor.cpp).
#pragma once

#include <cstdint>
#include <string_view>

namespace tmemc::emulator {

struct LoadReduction {
    std::string_view operation, type; // "min", "f32"
    bool propagates_nan = false;      // .NaN
    std::uint32_t (*fold)(std::uint32_t, std::uint32_t) = nullptr;
};

/// The row, or null.
[[nodiscard]] const LoadReduction* load_reduction(std::string_view operation, std::string_view type,
                                                  bool propagates_nan);

} // namespace tmemc::emulator
