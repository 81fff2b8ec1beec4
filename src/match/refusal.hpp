// A refused copy with its names, and the phrases that name places in it. Diagnostics about a copy count
// everything from 0 and say `row r`, `column c`, `lane l`, `warp w`, `thread t` (in the warpgroup) and
// `register g`. Rows and columns are those of the fragment; where the tile has the element elsewhere, both
// are said. The column of a cell counts 32-bit cells from the buffer's first. Not here: what is wrong with
// the copy (refuse.hpp) and what would work (advice.hpp).
#pragma once

#include "match/plan_copy.hpp"
#include "sema/program.hpp"

#include <string>
#include <string_view>

namespace tmemc::match {

struct Refusal {
    const sema::Kernel& kernel;
    const sema::TmemCopy& copy;
    const Limits& limits;

    [[nodiscard]] const sema::Fragment& fragment() const { return kernel.fragments[copy.fragment.object]; }
    [[nodiscard]] const sema::Buffer& buffer() const { return kernel.buffers[copy.buffer.object]; }
    [[nodiscard]] bool store() const { return copy.op == sema::TmemCopy::Op::st; }
    [[nodiscard]] bool extents_differ() const {
        return copy.fragment.rows != copy.buffer.rows || copy.fragment.cols != copy.buffer.cols;
    }
};

/// "`Y[16:32, :]` (f32[128, 16], atom 16x256b)": what is copied, then what was declared.
[[nodiscard]] std::string fragment_phrase(const Refusal& refusal);
[[nodiscard]] std::string buffer_phrase(const Refusal& refusal);

/// "row 5", or "row 5, column 3" when the column matters; with the buffer's row and column where they differ.
[[nodiscard]] std::string element_phrase(const Refusal& refusal, int row, int col, bool with_column);

/// The element of the copy's regions that a fragment place or a cell holds, with the same words; or
/// `nothing`.
inline constexpr std::string_view nothing = "nothing";
[[nodiscard]] std::string fragment_content(const Refusal& refusal, int thread, int reg, int bit = 0);

/// "a", "a and b", "a, b and c", with the last word given.
[[nodiscard]] std::string listed(const std::vector<std::string>& words, std::string_view last = "and");

} // namespace tmemc::match
