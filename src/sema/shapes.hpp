// What declarations of tensors, fragments and buffers have in common: an element type with extents, and
// attributes behind them, each at most once. `f16[128, W] datapath D at 64` is a Shape and two attributes.
#pragma once

#include "base/dtype.hpp"
#include "grammar/ast.hpp"
#include "sema/names.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::sema {

using base::Dtype;

struct Shape {
    Dtype dtype{};
    std::vector<std::int64_t> extents; // positive, below 2^31
};

/// The element type that `name` spells.
[[nodiscard]] Dtype dtype_of(const ast::Name& name);

/// One extent of `object`: a constant from 1 to 2^31 - 1, or nothing after reporting.
[[nodiscard]] std::optional<std::int64_t> extent_of(Environment& env, std::string_view object,
                                                    const ast::Expr& expr);

/// The two extents of a fragment or buffer, of a fragment perhaps one, or nothing after reporting every
/// mistake in them. `kind` is "a fragment".
[[nodiscard]] std::optional<Shape> tile_shape(Environment& env, std::string_view kind,
                                              const ast::Name& object, const ast::Tensor& tensor,
                                              bool one_is_enough = false);

using AttributeKind = ast::Attribute::Kind;

/// The attribute of that kind, or null.
[[nodiscard]] const ast::Attribute* attribute(const std::vector<ast::Attribute>& attributes,
                                              AttributeKind kind);
/// Reports attributes that are given twice; true when there are none.
bool given_once(Environment& env, const std::vector<ast::Attribute>& attributes);
/// The same for the words of a statement: `wait ld, ld`.
bool given_once(Environment& env, const std::vector<ast::Name>& words);

/// "f32[128, 64]"
[[nodiscard]] std::string to_string(Dtype dtype, const std::vector<std::int64_t>& extents);
/// "128, 64"
[[nodiscard]] std::string to_string(const std::vector<std::int64_t>& extents);

} // namespace tmemc::sema
