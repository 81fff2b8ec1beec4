// What a kernel takes, as values of the library's own: names in place of indices, numbers in place of types.
//
//     in A: f32[n, 64], n: u32  ->  {tensor, "A", "f32", 32, "in", {0, 64}, 64, 32, "n"}, {scalar, "n", "u32", 32}
//     "n", ...}
#pragma once

#include "api/tmemc.hpp"
#include "embed/package.hpp"

#include <vector>

namespace tmemc::api {

[[nodiscard]] std::vector<Parameter> parameters_of(const embed::Kernel& kernel);

} // namespace tmemc::api
