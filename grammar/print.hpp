// Tree to canonical text: parse(print(tree)) == tree. Comments are not printed; that is the formatter's
// business.
#pragma once

#include "grammar/ast.hpp"

#include <string>

namespace tmemc::grammar {

[[nodiscard]] std::string print(const ast::Module& module);
/// One expression, as it stands in a diagnostic: "c*32 + 1".
[[nodiscard]] std::string print(const ast::Expr& expr);
/// And one region: "T[0:64, :]".
[[nodiscard]] std::string print(const ast::Region& region);

} // namespace tmemc::grammar
