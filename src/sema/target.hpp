// The target: the command line's, else the file's, else sm_100a. It must be one that has tensor memory,
// unless tensor memory is to be kept elsewhere: always (software), or where the target has none (automatic).
#pragma once

#include "grammar/ast.hpp"
#include "sema/check.hpp"
#include "sema/names.hpp"

#include <string>

namespace tmemc::sema {

struct Target {
    std::string name;
    bool software = false; // tensor memory is kept in other memory
};
/// Reports a target that is unknown or has no tensor memory, and more than one `target` in the file.
[[nodiscard]] Target target_of(Environment& env, const ast::Module& module, const Options& options);

} // namespace tmemc::sema
