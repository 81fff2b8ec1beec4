// The target: the command line's, else the file's, else sm_100a. It must be one that has tensor memory.
#pragma once

#include "grammar/ast.hpp"
#include "sema/names.hpp"

#include <string>

namespace tmemc::sema {

/// Reports a target that is unknown or has no tensor memory, and more than one `target` in the file.
[[nodiscard]] std::string target_of(Environment& env, const ast::Module& module,
                                    const std::string& command_line);

} // namespace tmemc::sema
