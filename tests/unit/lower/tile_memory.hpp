// The memory of tests that execute copies: two tensors, A and B, far apart, and a window in each that a copy
// reads or writes. Bytes are told apart by their addresses.
#pragma once

#include "programs.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace tmemc::lower::test {

inline constexpr std::uint64_t a_base = 0x10000, b_base = 0x20000000000;

struct Window {
    base::Dtype dtype = base::Dtype::f32;
    std::int64_t pitch = 0;
    int row = 0, col = 0; // of its corner
    /// Where byte `byte` of element (r, c) of the window lies.
    [[nodiscard]] std::uint64_t at(std::uint64_t base, int r, int c, int byte) const {
        return base + static_cast<std::uint64_t>(((row + r) * pitch + col + c) * base::bytes(dtype) + byte);
    }
    [[nodiscard]] std::set<std::uint64_t> bytes(std::uint64_t base, const sema::Region& region) const {
        std::set<std::uint64_t> all;
        for (int r = 0; r < region.rows; ++r)
            for (int c = 0; c < region.cols; ++c)
                for (int byte = 0; byte < base::bytes(dtype); ++byte) all.insert(at(base, r, c, byte));
        return all;
    }
};

/// Different values in neighbouring bytes.
inline std::map<std::uint64_t, std::uint8_t> pattern(const std::set<std::uint64_t>& bytes) {
    std::map<std::uint64_t, std::uint8_t> memory;
    for (const std::uint64_t each : bytes)
        memory[each] = static_cast<std::uint8_t>(each * 167 + each / 256 + 13);
    return memory;
}

/// A and B of that pitch and alignment, and room for any window.
inline std::pair<std::size_t, std::size_t> two_tensors(Program& p, const Window& window, std::int64_t align) {
    const std::size_t a = p.tensor("A", window.dtype, 1024, 1024),
                      b = p.tensor("B", window.dtype, 1024, 1024);
    for (const std::size_t i : {a, b}) {
        p.tensor(i).pitch = window.pitch;
        p.tensor(i).align = align;
    }
    return {a, b};
}

} // namespace tmemc::lower::test
