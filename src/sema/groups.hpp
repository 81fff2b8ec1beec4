// Which columns are the same columns. A buffer declared `at acc + 32` lies inside acc and shares its group,
// 32 cells from acc's start; a buffer declared `at 64` opens a group at a fixed place; any other opens a
// group that space places. Fixed groups may overlap, and then their cells are the same cells: they become one
// group in the end, so that later stages only ever compare (group, offset).
//     tmem T: f32[128, 64] at 0;  tmem V: f32[128, 64] at 32;   one group of 96 columns at 0; V at offset 32
#pragma once

#include "sema/draft.hpp"

#include <optional>

namespace tmemc::sema {

struct GroupPlace {
    std::size_t group = 0;
    int offset = 0; // in cells from the group's first
};

/// Where a new buffer of `columns` cells lies; it becomes the kernel's next buffer. Nothing after reporting.
[[nodiscard]] std::optional<GroupPlace> group_place(Draft& draft, const ast::Tmem& tmem, int columns);

/// Whether its `at` names a buffer.
[[nodiscard]] bool lies_in_buffer(const Draft& draft, const ast::Tmem& tmem);

/// Makes one group of fixed groups that overlap, and adjusts the buffers in them.
void merge_fixed_groups(Kernel& kernel);

} // namespace tmemc::sema
