// A kernel as a C function: its arguments, what they must be, and the call of tmemc_launch (launch.h).
//
//     static inline tmemc_result roundtrip_launch(const void *A, void *B, void *stream) {
//         const tmemc_tensor tensors[] = {{"A", A, 32, 0}, {"B", B, 32, 0}};
//         const tmemc_call call = {0, {1, 1, 1}, 128, tensors, 2, NULL, 0, 2};
//         void *arguments[] = {&A, &B, NULL};
//         return tmemc_launch(roundtrip_program(), &call, arguments, stream);
//     }
//
// The place behind the arguments is for the scratch memory of a kernel that has its tensor memory there.
#pragma once

#include "embed/names.hpp"
#include "embed/package.hpp"

#include <string>

namespace tmemc::embed {

[[nodiscard]] std::string launcher_name(const Kernel& kernel, const Names& names);
/// What a pointer must point to: "in f16[n, 64], row-major with a pitch of p elements, at a multiple of 32
/// bytes".
[[nodiscard]] std::string described(const sema::Tensor& tensor,
                                    const std::vector<sema::Parameter>& parameters);
/// The arguments of a call as one would write it: "A, B, stream".
[[nodiscard]] std::string launcher_words(const Kernel& kernel);
/// `stem` is in front of `_program`.
[[nodiscard]] std::string launcher(const Package& package, const Kernel& kernel, const Names& names,
                                   const std::string& stem);

/// As a C string, in quotes.
[[nodiscard]] std::string quoted(const std::string& text);

} // namespace tmemc::embed
