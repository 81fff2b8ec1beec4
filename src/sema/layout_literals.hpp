// `layout S[(64, 2, 32) : (1@tid_in_wg, 64@tid_in_wg, 1)] + 16@TLane` as a tree, made into a layout::Layout.
// The digits are constants; whether they are a map of the tile is asked where the tile is known (images.hpp).
#pragma once

#include "grammar/ast.hpp"
#include "layout/layout.hpp"
#include "sema/names.hpp"

#include <optional>

namespace tmemc::sema {

/// The layout, or nothing after reporting every mistake in it.
[[nodiscard]] std::optional<layout::Layout> layout_literal(Environment& env, const ast::Layout& literal);

} // namespace tmemc::sema
