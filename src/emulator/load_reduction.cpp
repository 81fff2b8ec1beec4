// The rows of ld.red. Floats are compared as integers that have the same order.
#include "emulator/load_reduction.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

using Word = std::uint32_t;

constexpr Word sign = 0x80000000, infinity = 0x7f800000, canonical_nan = 0x7fffffff;

bool is_nan(Word bits) { return (bits & ~sign) > infinity; }
/// Ascends with the float; -0 comes before +0.
Word ordered(Word bits) { return (bits & sign) != 0 ? ~bits : bits | sign; }

template <bool greatest, bool propagates>
Word fold_float(Word a, Word b) {
    if (is_nan(a) || is_nan(b)) {
        if (propagates || (is_nan(a) && is_nan(b))) return canonical_nan;
        return is_nan(a) ? b : a;
    }
    return (ordered(a) < ordered(b)) != greatest ? a : b;
}

template <bool greatest, class T>
Word fold_integer(Word a, Word b) {
    return (static_cast<T>(a) < static_cast<T>(b)) != greatest ? a : b;
}

constexpr LoadReduction rows[] = {
    {"min", "u32", false, fold_integer<false, std::uint32_t>},
    {"max", "u32", false, fold_integer<true, std::uint32_t>},
    {"min", "s32", false, fold_integer<false, std::int32_t>},
    {"max", "s32", false, fold_integer<true, std::int32_t>},
    {"min", "f32", false, fold_float<false, false>},
    {"max", "f32", false, fold_float<true, false>},
    {"min", "f32", true, fold_float<false, true>},
    {"max", "f32", true, fold_float<true, true>},
};

} // namespace

const LoadReduction* load_reduction(std::string_view operation, std::string_view type, bool propagates_nan) {
    const auto* row = std::find_if(std::begin(rows), std::end(rows), [&](const LoadReduction& r) {
        return r.operation == operation && r.type == type && r.propagates_nan == propagates_nan;
    });
    return row == std::end(rows) ? nullptr : row;
}

} // namespace tmemc::emulator
