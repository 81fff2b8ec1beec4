// Other spellings of a layout, for tests: the digits written otherwise, the map the same.
#pragma once

#include "layout/layout.hpp"

namespace tests {

/// Digits of extent 2, whose places can then be exchanged one by one. Extents are powers of two.
inline tmemc::layout::Layout in_twos(const tmemc::layout::Layout& plain) {
    tmemc::layout::Layout result = plain;
    result.shard.clear();
    for (const tmemc::layout::Digit& digit : plain.shard)
        for (std::int64_t left = digit.extent; left > 1; left /= 2)
            result.shard.push_back({2, digit.stride * (left / 2), digit.axis});
    return result;
}

} // namespace tests
