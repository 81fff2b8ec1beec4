// What a launch and a CTA make of a program's run-time numbers, worked out from the program and apart from
// the compiler: the steps of its index expressions, its scalar parameters, and with them where a copy lies in
// its tensor and which of its elements are inside.
//
//     copy X <- A[cta.x*128 +: 128, :] masked;    A: f32[300, 8], CTA (2, 0, 0): 44 rows from 256 on
//
// A parameter that gives an extent gets a value that cuts a slice of the CTA in two, one that gives a pitch
// an odd one.
#pragma once

#include "sema/program.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace tmemc::verify {

struct Cta {
    std::array<std::int64_t, 3> index{};
    std::vector<std::int64_t> steps;    // parallel to sema::Kernel::index_steps
    std::vector<std::uint32_t> scalars; // by parameter; 0 for tensors
};
[[nodiscard]] Cta cta_of(const sema::Kernel& kernel, const std::array<std::int64_t, 3>& index);
/// The first and the last CTA of the grid and the last along each axis, one in which a slice crosses an edge
/// when neither does, and the first and the last with extents of 0, and with all inside, where parameters
/// give extents.
[[nodiscard]] std::vector<Cta> ctas_to_play(const sema::Kernel& kernel);

/// A tensor in such a launch.
struct Measures {
    std::int64_t rows = 1, cols = 0, pitch = 0;
};
[[nodiscard]] Measures measures(const sema::Kernel& kernel, const Cta& cta, std::size_t tensor);

/// A copy's rectangle in its tensor.
struct Rectangle {
    std::int64_t row = 0, col = 0; // of its first element; may lie outside
    int rows = 0, cols = 0;
    Measures tensor;
    bool masked = false;
    /// Of `count` elements side by side from (r, c) of the rectangle on, the first inside and the one behind
    /// the last.
    [[nodiscard]] std::pair<int, int> inside(int r, int c, int count) const;
    /// Elements from the tensor's first to (r, c) of the rectangle.
    [[nodiscard]] std::int64_t element(int r, int c) const { return (row + r) * tensor.pitch + col + c; }
    [[nodiscard]] bool any_inside() const;
};
[[nodiscard]] Rectangle rectangle(const sema::Kernel& kernel, const Cta& cta, const sema::GlobalCopy& copy);

} // namespace tmemc::verify
