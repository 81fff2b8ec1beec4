// The items of a module by their kind: all its constants, all its kernels. Declarations may stand in any
// order across kinds, so each kind is gone through by itself: items<ast::Kernel>(module) is a list of
// pointers into the tree, in the order of the file.
#pragma once

#include "grammar/ast.hpp"

#include <variant>
#include <vector>

namespace tmemc::sema {

/// Every item of type `Node`, in the order of the file.
template <class Node>
[[nodiscard]] std::vector<const Node*> items(const grammar::ast::Module& module) {
    std::vector<const Node*> found;
    for (const grammar::ast::Item& item : module.items)
        if (const auto* node = std::get_if<Node>(&item.node)) found.push_back(node);
    return found;
}

} // namespace tmemc::sema
