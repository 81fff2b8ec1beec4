// Vectors in an expression: `rows(v)`, `cols(v)`, `row_max(X)`. A vector that is no fragment of the program's
// becomes one of the compiler's, with a statement of its own in front:
//
//     Y = X - rows(row_max(X)) + cols(Bias[0:64]);        row_max_1 = row_max(X);
//                                                         copy cols_1 <- Bias[0:64];
//                                                         Y = X - rows(row_max_1) + cols(cols_1);
//
// Such a fragment has the rows, or the columns, of the map that it will meet, so each thread holds exactly
// the numbers that it needs, and what comes later knows fragments and statements and nothing more. Not here:
// the walk over expressions (arithmetic.hpp), who folds what (row_fold.hpp).
#pragma once

#include "layout/projection.hpp"
#include "sema/draft.hpp"
#include "sema/regions.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tmemc::sema {

/// What a reduction's name means: "row_sum" adds. Nothing for other names.
[[nodiscard]] std::optional<Step::What> reduction_named(std::string_view name);

/// The node that a value consists of, with parentheses around it; null when there is more to it.
template <class Node>
const Node* sole(const ast::Value& value) {
    if (!value.rest.empty() || !value.first.rest.empty()) return nullptr;
    const ast::Unary& unary = value.first.first;
    if (const auto* paren = std::get_if<ast::ValueParen>(&unary.node))
        return sole<Node>(paren->inner.front());
    return std::get_if<Node>(&unary.node);
}

/// The first fragment region of rows and columns in a value, vectors inside it aside.
[[nodiscard]] std::optional<Selection> first_tile(Draft& draft, const ast::Value& value);

/// A new fragment that holds a number for each row, or column, of the tile's fragment; the part of it that
/// belongs to the tile. Nothing after reporting that the tile's layout does not go apart.
[[nodiscard]] std::optional<Selection> hidden_vector(Draft& draft, std::string_view name, Dtype dtype,
                                                     const Selection& tile, layout::Coordinates kept,
                                                     Span span);
/// The same, with a copy of the tensor's vector in it.
[[nodiscard]] std::optional<Selection> loaded_vector(Draft& draft, const Selection& tensor,
                                                     const Selection& tile, layout::Coordinates kept,
                                                     Span span);

} // namespace tmemc::sema
