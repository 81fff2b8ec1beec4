// What a kernel takes, as values of the library's own: names in place of indices, numbers in place of types.
//
//     in A: f32[n, 64]  ->  {tensor, "A", "f32", 32 bits, "in", {0, 64}, pitch 64, align 32, "n", ""}
//     n: u32            ->  {scalar, "n", "u32", 32 bits}
#pragma once

#include "api/tmemc.hpp"
#include "embed/package.hpp"

#include <vector>

namespace tmemc::api {

[[nodiscard]] std::vector<Parameter> parameters_of(const embed::Kernel& kernel);

} // namespace tmemc::api
