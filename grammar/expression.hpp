// The rules that other files' rules are made of: integer expressions (`c*32 + W`), regions (`A[0:64, c]`) and
// tensor types (`f16[128, W]`). A rule is declared here by its name and the type of its tree, which is all
// that another file needs; how it reads is in expression.cpp, and the tree in ast.hpp. Not here: values,
// whose arithmetic is on elements (value.hpp).
#pragma once

#include "grammar/ast.hpp"
#include "grammar/handlers.hpp"

#include <vector>

namespace tmemc::grammar {

struct ExprId : Placed {};
struct ExprsId {};
struct ProductId : Placed {};
struct RegionId : Placed {};
struct TensorId : Placed {};

inline constexpr x3::rule<ExprId, ast::Expr> expr{"an expression"};
inline constexpr x3::rule<ExprsId, std::vector<ast::Expr>> exprs{"an expression"}; // expr { "," expr }
inline constexpr x3::rule<ProductId, ast::Product> product{"an expression"};
inline constexpr x3::rule<RegionId, ast::Region> region{"a region"};
inline constexpr x3::rule<TensorId, ast::Tensor> tensor{"an element type"};

BOOST_SPIRIT_DECLARE(decltype(expr), decltype(exprs), decltype(product), decltype(region), decltype(tensor))

} // namespace tmemc::grammar
